"""Identifiers that repeat: where a person has several records, rows are not people."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.read.source import Source
from shoal.types.repeating import Repeating
from shoal.types.schema import Schema


def repeating_identifiers(
    source: Source, schema: Schema, missing_values: Sequence[str] = ("",)
) -> tuple[Repeating, ...]:
    """The identifiers with a value that two records share; missing values do not count.

    >>> from shoal.types.schema import ColumnSpec
    >>> visits = Source(pl.DataFrame({"patient": ["a", "a", "b", ""], "visit": [1, 2, 3, 4]}))
    >>> roles = Schema({"patient": ColumnSpec("identifier"), "visit": ColumnSpec("identifier")})
    >>> repeating_identifiers(visits, roles)
    (Repeating(column='patient', n_values=2, n_records=3),)
    """
    counted = (_counted(source, name, missing_values) for name in schema.names("identifier"))
    return tuple(found for found in counted if found.n_values < found.n_records)


def _counted(source: Source, name: str, missing_values: Sequence[str]) -> Repeating:
    """Different values and the records that have one, both 0 where values cannot be compared."""
    column = source.frame[name].alias("values")
    try:
        is_present = ~_is_missing(column, missing_values)
        n_values = column.filter(is_present).n_unique()
    except pl.exceptions.PolarsError:  # nested values, or of any Python type
        return Repeating(name, 0, 0)
    if source.counts is None:
        return Repeating(name, n_values, int(is_present.sum()))
    return Repeating(name, n_values, int(source.counts[is_present.to_numpy()].sum()))


def _is_missing(column: pl.Series, missing_values: Sequence[str]) -> pl.Series:
    is_missing = column.is_null()
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return is_missing | column.cast(pl.String).is_in(["", *missing_values]).fill_null(True)
    if column.dtype.is_float():
        return is_missing | column.is_nan().fill_null(True)
    return is_missing
