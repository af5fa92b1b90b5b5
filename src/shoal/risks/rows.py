"""Different rows of a table and how many records or people have each: what figures count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.encode.people import People
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.column import RawColumn

NO_OWNER = -1


class Classes(NamedTuple):
    """How many classes of equal rows there are, and how many are in that of each row."""

    n: int
    sizes: Int64Array


class Least(NamedTuple):
    """The least of the numbers of somebody's rows, and how many have it so."""

    numbers: Int64Array
    weights: Int64Array


@dataclass(frozen=True, eq=False)
class Rows:
    """Codes by column, missing being a code of its own, and the records of each row.

    Where people are counted, `weights` are the people of each row. Most have one row only. Someone
    whose records differ has rows of their own, each with the weight 1, and `owners` says whose
    they are: NO_OWNER where a row is that of people who have no other. It is None where that is
    so of all rows; then people count as records do.
    """

    columns: tuple[Int32Array, ...]
    n_codes: tuple[int, ...]
    weights: Int64Array
    owners: Int32Array | None = None

    @cached_property
    def n(self) -> int:
        """How many records or people there are."""
        return int(self.least(self.weights).weights.sum())

    @cached_property
    def n_owners(self) -> int:
        return 0 if self.owners is None else int(self.owners.max()) + 1

    def classes(self) -> Classes:
        """The rows that are equal, whoever owns them; an owner is in a class once."""
        if self.owners is None:
            return Classes(len(self.weights), self.weights)
        class_of_row, first = fold_equal_rows(self.columns, self.n_codes)
        sizes = np.bincount(class_of_row, self.weights).astype(np.int64)
        return Classes(len(first), sizes[class_of_row])

    def least(self, numbers: Int64Array) -> Least:
        """Of a number for each row: the least of every record or person."""
        if self.owners is None:
            return Least(numbers, self.weights)
        is_owned = self.owners != NO_OWNER
        of_owners = np.full(self.n_owners, numbers.max())
        np.minimum.at(of_owners, self.owners[is_owned], numbers[is_owned])
        ones = np.ones(self.n_owners, dtype=np.int64)
        return Least(
            np.concatenate([numbers[~is_owned], of_owners]),
            np.concatenate([self.weights[~is_owned], ones]),
        )

    def n_with(self, is_meant: BoolArray) -> int:
        """How many records or people have one of these rows."""
        numbers, weights = self.least((~is_meant).astype(np.int64))
        return int(weights[numbers == 0].sum())


def fold(
    columns: Sequence[RawColumn], people: People | None = None, counts: Int64Array | None = None
) -> Rows:
    """Equal records become one row; rows are in lexicographic order of codes.

    `counts` say how many records each one stands for, if somebody has counted equal ones.
    """
    codes = [with_missing(column) for column in columns]
    n_codes = tuple(len(column.labels) + 1 for column in columns)
    row_of_record, first = fold_equal_rows(codes, n_codes)
    rows = Rows(tuple(code[first] for code in codes), n_codes, np.ones(len(first), dtype=np.int64))
    if people is not None:
        return _of_people(rows, row_of_record, people)
    weights = np.bincount(row_of_record, counts, minlength=len(first)).astype(np.int64)
    return Rows(rows.columns, n_codes, weights)


def _of_people(rows: Rows, row_of_record: Int32Array, people: People) -> Rows:
    """Rows with their people, and then the rows of each person who has several."""
    n_rows = len(rows.weights)
    pairs = fold_equal_rows([people.of_record, row_of_record], [people.n_people, n_rows])
    person, row = people.of_record[pairs.first_record], row_of_record[pairs.first_record]
    has_several = (np.bincount(person) > 1)[person]
    weights = np.bincount(row[~has_several], minlength=n_rows).astype(np.int64)
    if not has_several.any():
        return Rows(rows.columns, rows.n_codes, weights)
    shared = np.flatnonzero(weights)
    own, owners = row[has_several], np.unique(person[has_several], return_inverse=True)[1]
    kept = np.concatenate([shared, own])
    return Rows(
        tuple(codes[kept] for codes in rows.columns),
        rows.n_codes,
        np.concatenate([weights[shared], np.ones(len(own), dtype=np.int64)]),
        np.concatenate([np.full(len(shared), NO_OWNER), owners]).astype(np.int32),
    )


def with_missing(column: RawColumn) -> Int32Array:
    """The codes of a column, missing being the one after all values."""
    if not column.has_missing:
        return column.codes
    return np.where(column.codes < 0, np.int32(len(column.labels)), column.codes)
