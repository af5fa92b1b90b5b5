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

    own = schema.names("sensitive", "keep")
    backend = source.native.implementation
    kept = source.native.select(own)[records] if own else None
    columns = [
        kept[name]
        if kept is not None and name in own
        else nw.new_series(name, published[name].to_list(), dtype=nw.String, backend=backend)
        for name in schema.released
    ]
    frame = nw.from_dict({s.name: s for s in columns}, backend=backend)
    return nw.maybe_reset_index(frame).to_native()
