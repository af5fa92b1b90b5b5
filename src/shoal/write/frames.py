"""Releases as the kind of frame that the input was."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal.read.source import Source
from shoal.types.arrays import Int64Array
from shoal.types.schema import Schema


def to_native(source: Source, published: pl.DataFrame, records: Int64Array, schema: Schema) -> Any:
    """The published table as the caller's frame library has it.

    Sensitive and kept columns are taken from the caller's own frame, so their types are
    exactly what they were.
    """
    if source.native is None:
        return published
    import narwhals as nw

    backend = source.native.implementation
    new = [
        nw.new_series(name, published[name].to_list(), dtype=nw.String, backend=backend)
        for name in schema.quasi
    ]
    own = schema.names("sensitive", "keep")
    if not own:
        return nw.from_dict({series.name: series for series in new}, backend=backend).to_native()
    kept = nw.maybe_reset_index(source.native.select(own)[records])
    return kept.with_columns(*new).select(schema.released).to_native()
