"""An order of rows that no column rules."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from shoal.types.arrays import Int32Array, Int64Array

# The mixing steps of splitmix64 (Steele, Lea and Flood 2014).
STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def mixed_order(codes: Int32Array, names: Sequence[str]) -> Int64Array:
    """Different rows by a hash of their codes, the same whatever the order of the columns.

    In lexicographic order, rows that are alike in the first column lie together, so choosing the
    first of several rows would favour that column. Hashes that collide are in the order given.

    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    >>> mixed_order(codes, "ab").tolist() == [0, 1, 2, 3]
    False
    >>> mixed_order(codes, "ab").tolist() == mixed_order(codes[:, ::-1], "ba").tolist()
    True
    """
    hashes = np.zeros(len(codes), dtype=np.uint64)
    for column, name in zip(codes.T, names, strict=True):
        own = int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
        mixed = column.astype(np.uint64) ^ np.uint64(own)
        for shift, factor in STEPS:
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        hashes += mixed
    return np.argsort(hashes, kind="stable")
