"""Values that too few people have to be listed in a set: they come last among the leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from shoal.encode.people import People
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.axis import Axis


class Coded(NamedTuple):
    """An axis, and the code of each row on it."""

    axis: Axis
    codes: Int32Array


def rare_last(
    coded: Coded, smallest: int, *, counts: Int64Array | None = None, people: People | None = None
) -> Coded:
    """The same with the values that fewer than `smallest` people have after all others.

    A cell that would list one of them is the root. Algorithms measure it so if these codes follow
    each other; what is published goes by the people who are released, who may be fewer.
    """
    axis, codes = coded
    if axis.publish != "set" or axis.hierarchy is not None or axis.lists_rare:
        return coded
    n_people = _people_by_code(codes, axis.missing_code + 1, counts, people)[:-1]
    is_rare = n_people < smallest
    if not is_rare.any():
        return coded
    order = np.argsort(is_rare, kind="stable")
    new_code = np.empty(len(order) + 1, dtype=np.int32)
    new_code[order] = np.arange(len(order))
    new_code[-1] = axis.missing_code
    leaves = tuple(axis.leaves[i] for i in order)
    first = len(order) - int(is_rare.sum())
    return Coded(replace(axis, leaves=leaves, numbers=None, first_rare=first), new_code[codes])


def _people_by_code(
    codes: Int32Array, n_codes: int, counts: Int64Array | None, people: People | None
) -> Int64Array:
    if people is not None:
        pairs = np.unique(np.stack([codes, people.of_record]), axis=1)
        return np.bincount(pairs[0], minlength=n_codes).astype(np.int64)
    return np.bincount(codes, counts, minlength=n_codes).astype(np.int64)
