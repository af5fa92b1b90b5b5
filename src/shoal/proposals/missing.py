"""Texts that stand for nothing: `?`, `NA`, `null` and their like."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

# `none` and `unknown` are not here: they are answers as often as gaps.
TOKENS = (
    "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "(null)", "-", "--", ".",
)  # fmt: skip
PADDED = (*TOKENS, *(f" {token}" for token in TOKENS), " ")
LOOKALIKES = (  # a token is an answer where every other value of the column looks like this
    ("NA", r"^[A-Z]{2}$"),  # Namibia among countries
    ("-", r"^(\+|\+/-|[+-]+)$"),  # a test result
)


def tokens_in(column: pl.Series) -> tuple[str, ...]:
    """The tokens for missing that occur among the values of a column, in the order of the list.

    >>> tokens_in(pl.Series(["31", "?", "28", " "]))
    ('?', ' ')
    """
    if column.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return ()
    texts = column.cast(pl.String).alias("texts")  # some names polars would take for patterns
    is_token = texts.is_in(list(PADDED))
    if not is_token.any():
        return ()
    found = set(texts.filter(is_token).unique().to_list())
    return tuple(token for token in PADDED if token in found and not _is_answer(token, texts))


def in_list_order(tokens: Sequence[str]) -> tuple[str, ...]:
    """Each once, the empty text first: it is what a missing value is written as in a release."""
    return ("", *(token for token in PADDED if token in tokens))


def _is_answer(token: str, texts: pl.Series) -> bool:
    others = texts.filter(~texts.is_in(["", *PADDED])).drop_nulls().unique()
    return any(
        token.strip() == known and len(others) > 0 and others.str.contains(regex).all()
        for known, regex in LOOKALIKES
    )
