"""Releases as the kind of frame that the input was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.read.source import Source
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.schema import Schema

if TYPE_CHECKING:
    import narwhals as nw


def to_native(source: Source, published: pl.DataFrame, records: Int64Array, schema: Schema) -> Any:
    """The published table as the caller's frame library has it.

    Sensitive and kept columns are taken from the caller's own frame, so their types are
    exactly what they were; pseudonyms are text, as cells are.
    """
    if source.native is None:
        return published
    import narwhals as nw

    is_pyarrow = source.native.implementation.is_pyarrow()
    names = schema.names("quasi", "pseudonym")
    cells = published.select(pl.nth(i) for i in _places(published, names))
    new = nw.from_native(_as_pyarrow(cells) if is_pyarrow else cells.to_pandas(), eager_only=True)
    own = schema.names("sensitive", "keep")
    if not own:
        return new.select(schema.released).to_native()
    kept = nw.maybe_reset_index(source.native.select(own)[records])
    frame = kept.with_columns(*new.iter_columns()).select(schema.released).to_native()
    if is_pyarrow:
        return _forget_in_pyarrow(frame)
    return _forget_in_pandas(frame, source.native.to_native())


def only_rows(native: nw.DataFrame[Any], is_kept: BoolArray) -> nw.DataFrame[Any]:
    """Some rows of the caller's frame, without the categories that only the others had."""
    import narwhals as nw

    rows = native.filter(is_kept.tolist()).to_native()
    if native.implementation.is_pyarrow():
        return nw.from_native(_forget_in_pyarrow(rows), eager_only=True)
    return nw.from_native(_forget_in_pandas(rows.copy(), native.to_native()), eager_only=True)


def _places(frame: pl.DataFrame, names: Sequence[str]) -> list[int]:
    """By place, for polars takes some names for patterns."""
    return [frame.columns.index(name) for name in names]


def _as_pyarrow(cells: pl.DataFrame) -> Any:
    import pyarrow as pa

    table = cells.to_arrow(compat_level=pl.CompatLevel.oldest())
    return table.cast(pa.schema([(name, pa.string()) for name in cells.columns]))


def _forget_in_pandas(frame: Any, before: Any) -> Any:
    """Without the categories that only suppressed records had, and without the input's notes."""
    for name in frame.columns:
        if hasattr(frame[name], "cat"):
            gone = set(before[name].dropna().unique()) - set(frame[name].dropna().unique())
            frame[name] = frame[name].cat.remove_categories(list(gone))
    frame.attrs.clear()
    return frame


def _forget_in_pyarrow(table: Any) -> Any:
    """The same: a dictionary holds every value there was, a schema may hold anything."""
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        column = table.column(i)
        if pa.types.is_dictionary(field.type):
            present = column.cast(field.type.value_type).combine_chunks()
            column = present.dictionary_encode().cast(field.type)
        table = table.set_column(i, field.remove_metadata(), column)
    return table.replace_schema_metadata(None)
