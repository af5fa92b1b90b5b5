"""Different rows of a table with the number of records of each: what all figures are counted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.column import RawColumn


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Codes by column, missing being a code of its own, and the records of each row."""

    columns: tuple[Int32Array, ...]
    n_codes: tuple[int, ...]
    weights: Int64Array

    @property
    def n_records(self) -> int:
        return int(self.weights.sum())


def fold(columns: Sequence[RawColumn]) -> Rows:
    """Equal records become one row; rows are in lexicographic order of codes."""
    codes = [with_missing(column) for column in columns]
    n_codes = tuple(len(column.labels) + 1 for column in columns)
    row_of_record, first = fold_equal_rows(codes, n_codes)
    weights = np.bincount(row_of_record, minlength=len(first)).astype(np.int64)
    return Rows(tuple(code[first] for code in codes), n_codes, weights)


def with_missing(column: RawColumn) -> Int32Array:
    """The codes of a column, missing being the one after all values."""
    if not column.has_missing:
        return column.codes
    return np.where(column.codes < 0, np.int32(len(column.labels)), column.codes)
