"""The people that an adversary knows: a random sample of the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.types.arrays import MISSING, BoolArray, Int32Array, Int64Array
from shoal.types.column import RawColumn

KnownRecords = Literal["one", "all"]
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False, repr=False)
class KnownPeople:
    """Some people of the original, all their records, and which of these the adversary knows.

    The records of a person follow one another, those of person i from `starts[i]` on. `n_alike`
    is, for each record, how many records of the original have the same known values: among so
    many it would hide had the original been published; `n_own_alike` of them are the person's.
    Where the original does not say whose records they are, each is a person's only one.
    """

    records: Int64Array
    starts: Int64Array
    is_known: BoolArray
    columns: Mapping[str, RawColumn]
    n_alike: Int64Array
    n_own_alike: Int64Array

    @property
    def n(self) -> int:
        return len(self.starts) - 1

    def places(self, person: int) -> Int64Array:
        """Where the records of a person are."""
        return np.arange(self.starts[person], self.starts[person + 1])

    def easiest(self, n_matches: Int64Array) -> Int64Array:
        """The known record of each person that matches fewest rows, but some: the first of these.

        It is the one that the adversary picks a row for. If none matches, it is any that is known.
        """
        person = np.repeat(np.arange(self.n), np.diff(self.starts))
        n_rows = np.where(n_matches > 0, n_matches, NEVER)
        first: Int64Array = np.lexsort((n_rows, ~self.is_known, person))[self.starts[:-1]]
        return first

    def have(self, truth: Int64Array, values: Int64Array) -> BoolArray:
        """Whether each person has a value: it is the true one of some record, known or not."""
        is_true = truth == np.repeat(values, np.diff(self.starts))
        has: BoolArray = np.logical_or.reduceat(is_true, self.starts[:-1])
        return has


def draw_people(
    columns: Mapping[str, RawColumn],
    person_of_record: Int32Array,
    *,
    sample: int,
    known_records: KnownRecords,
    rng: np.random.Generator,
) -> KnownPeople:
    """Draw people from the original, each with the same chance and none twice."""
    everyone = by_first_record(person_of_record)
    n_people = int(everyone.max()) + 1
    drawn = rng.choice(n_people, min(sample, n_people), replace=False)
    records = np.flatnonzero(np.isin(everyone, drawn))
    records = records[np.argsort(everyone[records], kind="stable")]
    _, person, n_records = np.unique(everyone[records], return_inverse=True, return_counts=True)
    starts = np.concatenate([[0], np.cumsum(n_records)])
    is_known = np.full(len(records), known_records == "all")
    # Drawn from a stream of their own, so that all else is as for people of one record.
    is_known[starts[:-1] + rng.spawn(1)[0].integers(n_records)] = True
    key = fold([column.codes for column in columns.values()])
    own_key = fold([person.astype(np.int32), key[records]])
    n_alike, n_own_alike = np.bincount(key)[key[records]], np.bincount(own_key)[own_key]
    known = {name: of_records(column, records) for name, column in columns.items()}
    return KnownPeople(records, starts, is_known, known, n_alike, n_own_alike)


def by_first_record(person_of_record: Int32Array) -> Int64Array:
    """People numbered in the order of the table.

    >>> by_first_record(np.array([2, 0, 2, 1], np.int32)).tolist()
    [0, 1, 0, 2]
    """
    _, first, person = np.unique(person_of_record, return_index=True, return_inverse=True)
    number: Int64Array = np.argsort(np.argsort(first))
    return number[person]


def fold(codes: Sequence[Int32Array]) -> Int32Array:
    """One number for each record, equal where all codes are; codes are -1 or more.

    >>> fold([np.array([0, 0, 1, 0], np.int32), np.array([2, -1, 2, 2], np.int32)]).tolist()
    [1, 0, 2, 1]
    """
    from_zero = [code - MISSING for code in codes]
    n_codes = [int(code.max(initial=0)) + 1 for code in from_zero]
    return fold_equal_rows(from_zero, n_codes).row_of_record


def of_records(column: RawColumn, records: Int64Array) -> RawColumn:
    """The column of some records, with the values that they have and no others."""
    codes = column.codes[records]
    kept = np.unique(codes[codes != MISSING])
    return replace(
        column,
        labels=tuple(column.labels[code] for code in kept),
        numbers=None if column.numbers is None else column.numbers[kept],
        codes=np.where(codes == MISSING, MISSING, np.searchsorted(kept, codes)).astype(np.int32),
    )
