"""The order of categories in a parquet file, which polars does not read."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl


def with_orders(frame: pl.DataFrame, file: Path | io.BytesIO) -> pl.DataFrame:
    """Categories that the file has in an order of their own, such as low, mid, high, in that order.

    It needs pyarrow, which writes such files; without it, categories are in the order of letters.
    """
    names = [name for name, dtype in frame.schema.items() if dtype == pl.Categorical]
    if not names:
        return frame
    try:
        from pyarrow import ArrowException, parquet, types
    except ModuleNotFoundError:
        return frame
    try:
        schema = parquet.read_schema(_again(file))
        fields = [schema.field(name) for name in names]
        ordered = [f.name for f in fields if types.is_dictionary(f.type) and f.type.ordered]
        found = parquet.read_table(_again(file), columns=ordered) if ordered else None
    except (ArrowException, OSError, KeyError):
        return frame
    for name in ordered:
        assert found is not None
        chunks = found[name].unify_dictionaries().chunks
        order = chunks[0].dictionary.to_pylist() if chunks else []
        if order and all(isinstance(category, str) for category in order):
            column = frame[name].cast(pl.String).cast(pl.Enum(order))
            frame = frame.with_columns(column.alias(name))
    return frame


def _again(file: Path | io.BytesIO) -> Path | io.BytesIO:
    if isinstance(file, io.BytesIO):
        file.seek(0)
    return file
