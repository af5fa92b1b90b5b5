"""ZIP codes read as their first three digits."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.types.zip3 import SMALL, SMALL_AREAS

NOT_A_ZIP = "(not a ZIP code)"  # has no place; no hierarchy has such a leaf
# 13053, 13053-1234, 130531234, 130; a spreadsheet leaves 1043 of 01043.
DIGITS = r"^\s*([0-9]{3}|[0-9]{4,5}|[0-9]{5}-?[0-9]{4})(?:\.0)?\s*$"


def three_digits(
    series: pl.Series, more: Sequence[str], missing_values: Sequence[str]
) -> pl.Series:
    """The first three digits of each ZIP code as text; 000 where few people live.

    `more` are further first digits that become 000. Where a column has longer codes too, short ones
    lost their zeros.

    >>> three_digits(pl.Series(["13053", "03601", "1043", "?", "x"]), [], ["?"]).to_list()
    ['130', '000', '010', '?', '(not a ZIP code)']
    """
    texts = series.cast(pl.String).alias("texts")
    codes = texts.str.extract(DIGITS)
    if (codes.str.len_chars() > len(SMALL)).any():
        codes = codes.str.zfill(5)
    first = codes.str.head(len(SMALL))
    is_small = first.is_in([*SMALL_AREAS, *more]).fill_null(False)
    is_absent = texts.is_null() | texts.is_in(["", *missing_values])
    others = pl.select(pl.when(is_absent).then(texts).otherwise(pl.lit(NOT_A_ZIP))).to_series()
    found = pl.select(pl.when(is_small).then(pl.lit(SMALL)).otherwise(first)).to_series()
    return found.fill_null(others).alias(series.name)
