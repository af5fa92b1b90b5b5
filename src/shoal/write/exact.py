"""Values as programs can hold them that know one type of number, and no zones of time."""

from __future__ import annotations

import polars as pl

EXACT = 2**53  # from here on, floating-point numbers skip whole ones


def exact_or_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Columns whose values would lose something become text.

    >>> exact_or_text(pl.DataFrame({"code": [2**53 + 1], "age": [31]})).rows()
    [('9007199254740993', 31)]
    """
    return pl.DataFrame([_exact_or_text(column) for column in frame])


def _exact_or_text(column: pl.Series) -> pl.Series:
    dtype = column.dtype
    values = column.alias("values")
    is_zoned = isinstance(dtype, pl.Datetime) and dtype.time_zone is not None
    is_large = dtype.is_integer() and bool((values.cast(pl.Int128).abs() >= EXACT).any())
    is_text = isinstance(dtype, pl.Categorical | pl.Enum | pl.Null | pl.Decimal)
    return column.cast(pl.String) if is_zoned or is_large or is_text else column
