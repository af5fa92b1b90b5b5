"""Whether a release still has the order of the original, which links its rows to people."""

from __future__ import annotations

import polars as pl

from shoal.read.source import Source
from shoal.types.privacy import Leak
from shoal.types.schema import Schema


def order_leaks(release: Source, original: Source, schema: Schema) -> tuple[Leak, ...]:
    """A leak if the columns that left unchanged run through the release as through the original.

    Suppressed records may be missing in between.
    """
    unchanged = [
        name for name in schema.names("sensitive", "keep") if name in original.frame.columns
    ]
    if not unchanged or release.n_records < 2:
        return ()
    released = _texts(release.frame, unchanged)
    if len(set(released)) < 2:
        return ()
    remaining = iter(_texts(original.frame, unchanged))
    if all(row in remaining for row in released):  # each search goes on where the last one ended
        return (Leak("order of the original", None, release.n_records),)
    return ()


def _texts(frame: pl.DataFrame, columns: list[str]) -> list[tuple[str, ...]]:
    return frame.select(pl.col(columns).cast(pl.String).fill_null("")).rows()
