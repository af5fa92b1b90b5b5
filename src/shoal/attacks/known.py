"""The people that an adversary knows: a random sample of the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.types.arrays import MISSING, Int32Array, Int64Array
from shoal.types.column import RawColumn


@dataclass(frozen=True, eq=False, repr=False)
class KnownPeople:
    """Some records of the original, and what the adversary knows of them.

    `n_alike` is, for each of them, how many records of the original have the same known values:
    among so many the person would hide had the original been published.
    """

    records: Int64Array
    columns: Mapping[str, RawColumn]
    n_alike: Int64Array

    @property
    def n(self) -> int:
        return len(self.records)


def draw_people(
    columns: Mapping[str, RawColumn], *, n_records: int, sample: int, rng: np.random.Generator
) -> KnownPeople:
    """Draw people from the original, each with the same chance and none twice."""
    n = min(sample, n_records)
    records = np.sort(rng.choice(n_records, n, replace=False))
    key = fold([column.codes for column in columns.values()])
    _, alike, counts = np.unique(key, return_inverse=True, return_counts=True)
    known = {name: _of_records(column, records) for name, column in columns.items()}
    return KnownPeople(records, known, counts[alike[records]])


def fold(codes: Sequence[Int32Array]) -> Int32Array:
    """One number for each record, equal where all codes are; codes are -1 or more.

    >>> fold([np.array([0, 0, 1, 0], np.int32), np.array([2, -1, 2, 2], np.int32)]).tolist()
    [1, 0, 2, 1]
    """
    from_zero = [code - MISSING for code in codes]
    n_codes = [int(code.max(initial=0)) + 1 for code in from_zero]
    return fold_equal_rows(from_zero, n_codes).row_of_record


def _of_records(column: RawColumn, records: Int64Array) -> RawColumn:
    """The column of some records, with the values that they have and no others."""
    codes = column.codes[records]
    kept = np.unique(codes[codes != MISSING])
    return replace(
        column,
        labels=tuple(column.labels[code] for code in kept),
        numbers=None if column.numbers is None else column.numbers[kept],
        codes=np.where(codes == MISSING, MISSING, np.searchsorted(kept, codes)).astype(np.int32),
    )
