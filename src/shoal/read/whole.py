"""Numbers and days that a program stored in a wider type than they need."""

from __future__ import annotations

import polars as pl

from shoal.read.columns import EXACT


def narrowed(frame: pl.DataFrame) -> pl.DataFrame:
    """Whole numbers that were stored as floating-point ones, and days stored as moments.

    Spreadsheets and statistics programs have one type of number.

    >>> narrowed(pl.DataFrame({"age": [31.0, None], "height": [1.7, 2.0]})).dtypes
    [Int64, Float64]
    """
    return pl.DataFrame([_narrowed(column) for column in frame])


def _narrowed(column: pl.Series) -> pl.Series:
    values = column.alias("values").drop_nulls()
    if column.dtype.is_float() and len(values):
        is_whole = (values.floor() == values) & (values.abs() < EXACT)
        return column.cast(pl.Int64) if bool(is_whole.all()) else column
    if column.dtype == pl.Datetime and len(values):
        is_day = values.dt.truncate("1d") == values
        return column.cast(pl.Date) if bool(is_day.all()) else column
    return column
