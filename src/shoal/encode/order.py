"""An order of records that does not depend on the order in which they came."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.encode.fold import records_in_row_order
from shoal.types.arrays import Int32Array, Int64Array


def order_by(first: Int32Array, then: pl.DataFrame) -> Int64Array:
    """The order that sorts by `first` and then by the columns of a frame."""
    if not then.width:
        return records_in_row_order(first, int(first.max(initial=-1)) + 1)
    # Numbers for names: polars takes some names for patterns.
    keys = [pl.Series(first), *map(_orderable, then.get_columns())]
    keyed = pl.DataFrame([key.alias(str(i)) for i, key in enumerate(keys)])
    order = keyed.select(pl.arg_sort_by(keyed.columns)).to_series()
    return order.to_numpy().astype(np.int64)


def _orderable(column: pl.Series) -> pl.Series:
    """Values of mixed kinds have no order but that of their text."""
    if column.dtype != pl.Object:
        return column
    return pl.Series([f"{type(value).__name__} {value!r}" for value in column.to_list()])
