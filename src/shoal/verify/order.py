"""Whether a release still has the order of the original, which links its rows to people."""

from __future__ import annotations

import polars as pl

from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.types.privacy import Leak
from shoal.types.schema import Schema


def order_leaks(release: Source, original: Source, schema: Schema) -> tuple[Leak, ...]:
    """A leak if the columns that left unchanged run through the release as through the original.

    Suppressed records may be missing in between.
    """
    columns = [name for name in schema.names("sensitive", "keep") if name in original.frame.columns]
    released, remaining = _rows(release, columns), iter(_rows(original, columns))
    if len(set(released)) < 2:
        return ()
    if all(row in remaining for row in released):  # each search goes on where the last one ended
        return (Leak("order of the original", None, release.n_records),)
    return ()


def _rows(source: Source, columns: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(_labels(source, name) for name in columns), strict=True))


def _labels(source: Source, name: str) -> list[str]:
    """The values as text, so that 1.0 in one kind of file is 1 in the other."""
    series = source.frame[name]
    if series.dtype.is_nested() or series.dtype in (pl.Binary, pl.Object, pl.Duration):
        return [repr(value) for value in series.to_list()]
    column = read_column(series, is_text=source.is_text)
    labels = (*column.labels, "")  # code -1, missing, is the last
    return [labels[code] for code in column.codes]
