"""Columns that identify records although the policy does not call them identifiers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from shoal.read.source import Source
from shoal.types.schema import Schema

NEARLY_UNIQUE = 0.8  # different values by records
ENOUGH_RECORDS = 10  # below this, shares say nothing


def warn_of_fingerprints(source: Source, schema: Schema) -> tuple[str, ...]:
    """Notes on kept or sensitive columns that are nearly unique."""
    if source.n_records < ENOUGH_RECORDS:
        return ()
    return tuple(_nearly_unique(source, schema))


def _nearly_unique(source: Source, schema: Schema) -> Iterator[str]:
    for name in schema.names("keep", "sensitive"):
        share = _n_different(source.frame[name]) / source.n_records
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
