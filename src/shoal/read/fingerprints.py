"""Columns that identify records although the policy does not call them identifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import polars as pl

from shoal.read.source import Source
from shoal.types.schema import Schema

NEARLY_UNIQUE = 0.8  # different values by records
ENOUGH_RECORDS = 10  # below this, shares say nothing


def warn_of_fingerprints(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes on kept or sensitive columns that are nearly unique."""
    names = schema.names("keep", "sensitive")
    return fingerprints(
        {n: partial(_n_different, source.frame[n]) for n in names}, source.n_records
    )


def fingerprints(n_different: Mapping[str, Callable[[], int]], n_records: int) -> tuple[str, ...]:
    """The same of columns that are counted elsewhere; `n_different` counts the values of each."""
    if n_records < ENOUGH_RECORDS:
        return ()
    shares = {name: count() / n_records for name, count in n_different.items()}
    return tuple(_nearly_unique(shares))


def _nearly_unique(shares: Mapping[str, float]) -> Iterator[str]:
    for name, share in shares.items():
        if share >= NEARLY_UNIQUE:
            yield (
                f"Column {name!r} is released unchanged and nearly unique ({share:.0%} of its "
                "values differ), so it can identify records. Consider the role quasi or drop."
            )


def _n_different(column: pl.Series) -> int:
    try:
        return column.n_unique()
    except pl.exceptions.PolarsError:  # nested values that polars cannot compare
        return 0
