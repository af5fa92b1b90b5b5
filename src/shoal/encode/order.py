"""An order of records that does not depend on the order in which they came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.encode.coded_texts import CodedTexts, coded
from shoal.encode.fold import records_in_row_order
from shoal.types.arrays import Int32Array, Int64Array


def order_by(first: Int32Array, then: pl.DataFrame) -> Int64Array:
    """The order that sorts by `first`, numbers from 0 on, and then by the columns of a frame."""
    return order_by_columns(first, [coded(column.alias("then")) for column in then])


def order_by_columns(first: Int32Array, then: Sequence[pl.Series | CodedTexts]) -> Int64Array:
    """The same by columns whose texts may be coded; equal records stay in the order they have.

    By codes alone, counting suffices: from the last column to the first, each time keeping the
    order among equals.
    """
    texts = [column for column in then if isinstance(column, CodedTexts)]
    if len(texts) < len(then):
        keyed = _keyed(first, then)
        return keyed.select(pl.arg_sort_by(keyed.columns)).to_series().to_numpy().astype(np.int64)
    order = np.arange(len(first))
    for column in reversed(texts):
        order = order[records_in_row_order(column.places[order], len(column.texts))]
    by_first = records_in_row_order(first[order], int(first.max(initial=-1)) + 1)
    return order[by_first]


def ranks_by(first: Int32Array, then: pl.DataFrame) -> Int32Array:
    """The place of each record in that order, equal records having the same.

    >>> ranks_by(np.array([1, 0, 1], np.int32), pl.DataFrame({"sex": ["f", "m", "f"]})).tolist()
    [1, 0, 1]
    """
    keyed = _keyed(first, [coded(column.alias("then")) for column in then])
    order = keyed.select(pl.arg_sort_by(keyed.columns)).to_series()
    in_order = keyed[order]
    is_new = [~column.eq_missing(column.shift(1)).to_numpy() for column in in_order]
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order.to_numpy()] = np.cumsum(np.logical_or.reduce(is_new)) - 1
    return ranks


def _keyed(first: Int32Array, then: Sequence[pl.Series | CodedTexts]) -> pl.DataFrame:
    """The columns to sort by, with numbers for names: polars takes some names for patterns."""
    keys = [pl.Series(first), *map(_sortable, then)]
    return pl.DataFrame([key.alias(str(i)) for i, key in enumerate(keys)])


def _sortable(column: pl.Series | CodedTexts) -> pl.Series:
    """Values that can be sorted. Those of mixed kinds have no order but that of their text."""
    if isinstance(column, CodedTexts):
        return pl.Series(column.places)
    if column.dtype == pl.Object:
        return pl.Series([f"{type(value).__name__} {value!r}" for value in column.to_list()])
    return column
