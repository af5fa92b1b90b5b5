"""Numbers as people write them, from text to text: 1.234,5 becomes 1234.5.

Cells are published with a decimal point, whatever the data have: a comma separates the ends of a
range, and nobody has to say how a release is written.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.types.notation import Notation

TEXT = (pl.String, pl.Categorical, pl.Enum)
NOT_A_NUMBER = "(not a number)"  # no hierarchy has such a leaf


def plain_numbers(texts: pl.Series, notation: Notation) -> pl.Series:
    """Each number with a decimal point, null where it is not written in this way.

    >>> plain_numbers(pl.Series(["1.234,5", "12", "1.5"]), Notation(",", ".")).to_list()
    ['1234.5', '12', None]
    """
    found = texts.set(~texts.str.contains(notation.regex), None)
    for sign in notation.separators:
        found = found.str.replace_all(sign, "", literal=True)
    return found.str.replace(notation.decimal, ".", literal=True)


def is_written_so(texts: pl.Series, notation: Notation) -> bool:
    """Whether there are texts, and all of them are numbers in this notation."""
    return len(texts) > 0 and bool(texts.str.contains(notation.regex).all())


def with_plain_numbers(
    series: pl.Series, notation: Notation, missing_values: Sequence[str], other: str | None = None
) -> pl.Series:
    """A column of text with a decimal point in its numbers; `other` in place of what is none.

    >>> with_plain_numbers(pl.Series(["1,5", "?", "x"]), Notation(","), ["?"]).to_list()
    ['1.5', '?', 'x']
    """
    name, texts = series.name, series.cast(pl.String).alias("texts")
    found = texts.drop_nulls().unique()
    found = found.filter(~found.is_in(["", *missing_values]))
    if not len(found):
        return texts.alias(name)
    written = plain_numbers(found, notation)
    written = written.fill_null(found if other is None else other)
    return texts.replace(found, written).alias(name)
