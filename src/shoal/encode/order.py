"""An order of records that does not depend on the order in which they came."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.encode.fold import records_in_row_order
from shoal.types.arrays import Int32Array, Int64Array

WORTH_CODING = 10_000  # texts


def order_by(first: Int32Array, then: pl.DataFrame) -> Int64Array:
    """The order that sorts by `first` and then by the columns of a frame."""
    if not then.width:
        return records_in_row_order(first, int(first.max(initial=-1)) + 1)
    keyed = _keyed(first, then)
    order = keyed.select(pl.arg_sort_by(keyed.columns)).to_series()
    return order.to_numpy().astype(np.int64)


def ranks_by(first: Int32Array, then: pl.DataFrame) -> Int32Array:
    """The place of each record in that order, equal records having the same.

    >>> ranks_by(np.array([1, 0, 1], np.int32), pl.DataFrame({"sex": ["f", "m", "f"]})).tolist()
    [1, 0, 1]
    """
    keyed = _keyed(first, then)
    order = keyed.select(pl.arg_sort_by(keyed.columns)).to_series()
    in_order = keyed[order]
    is_new = [~column.eq_missing(column.shift(1)).to_numpy() for column in in_order]
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order.to_numpy()] = np.cumsum(np.logical_or.reduce(is_new)) - 1
    return ranks


def _keyed(first: Int32Array, then: pl.DataFrame) -> pl.DataFrame:
    """The columns to sort by, with numbers for names: polars takes some names for patterns."""
    keys = [pl.Series(first), *map(_orderable, then.get_columns())]
    return pl.DataFrame([key.alias(str(i)) for i, key in enumerate(keys)])


def _orderable(column: pl.Series) -> pl.Series:
    """Values that can be sorted, fast: texts that repeat are sorted by their codes.

    Values of mixed kinds have no order but that of their text.
    """
    if column.dtype == pl.Object:
        return pl.Series([f"{type(value).__name__} {value!r}" for value in column.to_list()])
    if column.dtype != pl.String or len(column) < WORTH_CODING:
        return column
    texts = column.unique().drop_nulls().sort()
    return column if len(texts) > len(column) // 4 else column.cast(pl.Enum(texts))
