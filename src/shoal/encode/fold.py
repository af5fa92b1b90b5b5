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


def number_equal(codes: Int32Array) -> Fold:
    """Number equal codes by where they appear first, which is faster."""
    return Fold(*number_keys(codes.astype(np.int64)))


def fold_equal_lists(values: Int32Array, sizes: Int64Array, n_codes: int) -> Fold:
    """Number equal lists of codes, which lie one after another: short ones first.

    >>> lists = np.array([4, 4, 5, 4], np.int32)
    >>> fold_equal_lists(lists, np.array([1, 2, 1]), 6).row_of_record.tolist()
    [0, 1, 0]
    """
    starts = np.cumsum(sizes) - sizes
    longest = int(sizes.max(initial=0))
    prefix = np.zeros(len(sizes), dtype=np.int32)  # the number of a list's first values
    n_prefixes, longer = 1, np.arange(len(sizes))
    for place in range(longest):
        longer = longer[sizes[longer] > place]
        next_values = values[starts[longer] + place]
        fold = fold_equal_rows([prefix[longer], next_values], [n_prefixes, n_codes])
        prefix[longer], n_prefixes = fold.row_of_record, len(fold.first_record)
    return fold_equal_rows([sizes.astype(np.int32), prefix], [longest + 1, len(sizes) + 1])


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
