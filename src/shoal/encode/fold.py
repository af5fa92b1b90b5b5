"""Folding equal records to one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.kernels.number_keys import number_keys
from shoal.kernels.value_counts import counting_order
from shoal.types.arrays import Int32Array, Int64Array

LARGEST_KEY = 2**62


class Fold(NamedTuple):
    """The row of each record, rows in lexicographic order, and a first record for each row."""

    row_of_record: Int32Array
    first_record: Int64Array


def fold_equal_rows(columns: Sequence[Int32Array], n_codes: Sequence[int]) -> Fold:
    """Number equal combinations of codes, in lexicographic order. Any number of columns.

    >>> fold_equal_rows([np.array([1, 0, 1], np.int32), np.array([0, 5, 0], np.int32)], [2, 6])
    Fold(row_of_record=array([1, 0, 1], dtype=int32), first_record=array([1, 0]))
    """
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    n_keys = 1
    for codes, n in zip(columns, n_codes, strict=True):
        if n_keys > LARGEST_KEY // max(n, 1):  # the next digit would overflow: number, go on
            numbered = _number_in_order(keys)
            keys, n_keys = numbered.row_of_record.astype(np.int64), len(numbered.first_record)
        keys *= n
        keys += codes
        n_keys *= max(n, 1)
    return _number_in_order(keys)


def count_rows(
    row_of_record: Int32Array, n_rows: int, counts: Int64Array | None = None
) -> Int64Array:
    """How many records are in each row; `counts` are those of equal records counted before."""
    return np.bincount(row_of_record, counts, minlength=n_rows).astype(np.int64)


def records_in_row_order(row_of_record: Int32Array, n_rows: int) -> Int64Array:
    """The records of row 0, then those of row 1, and so on."""
    order: Int64Array = counting_order(row_of_record, n_rows)
    return order


def _number_in_order(keys: Int64Array) -> Fold:
    numbers, first = number_keys(keys)
    order = np.argsort(keys[first])
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Fold(rank[numbers], first[order])
