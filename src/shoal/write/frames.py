"""Releases as the kind of frame that the input was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.errors import InputError
from shoal.read.source import Source
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.schema import Schema
from shoal.write._arrow import rows_of_column
from shoal.write._pandas import rows_of_series

if TYPE_CHECKING:
    import narwhals as nw


def to_native(source: Source, published: pl.DataFrame, records: Int64Array, schema: Schema) -> Any:
    """The published table as the caller's frame library has it.

    Sensitive and kept columns are taken from the caller's own frame, so their types are
    exactly what they were; pseudonyms are text, as cells are. All of it is built afresh: nothing
    leads from it to other rows, to the index or to what the caller noted on the frame.
    """
    if source.native is None:
        return published
    cells = published.select(
        pl.nth(i) for i in _places(published, schema.names("quasi", "pseudonym"))
    )
    if source.native.implementation.is_pyarrow():
        return _pyarrow_table(source.native, schema.released, records, _as_pyarrow(cells))
    return _pandas_frame(source.native, schema.released, records, cells.to_pandas())


def only_rows(native: nw.DataFrame[Any], is_kept: BoolArray) -> nw.DataFrame[Any]:
    """Some rows of the caller's frame, without the categories that only the others had."""
    import narwhals as nw

    make = _pyarrow_table if native.implementation.is_pyarrow() else _pandas_frame
    return nw.from_native(
        make(native, native.columns, np.flatnonzero(is_kept), None), eager_only=True
    )


def _places(frame: pl.DataFrame, names: Sequence[str]) -> list[int]:
    """By place, for polars takes some names for patterns."""
    return [frame.columns.index(name) for name in names]


def _as_pyarrow(cells: pl.DataFrame) -> Any:
    import pyarrow as pa

    table = cells.to_arrow(compat_level=pl.CompatLevel.oldest())
    return table.cast(pa.schema([(name, pa.string()) for name in cells.columns]))


def _pandas_frame(
    native: nw.DataFrame[Any], names: Sequence[str], rows: Int64Array, cells: Any
) -> Any:
    """A new frame with a plain index, of new columns: cells, or rows of the caller's frame."""
    import pandas as pd

    given, columns = native.to_native(), {}
    for name in names:
        with _naming(name):
            is_cell = cells is not None and name in cells.columns
            columns[name] = (
                rows_of_series(cells[name], np.arange(len(cells)))
                if is_cell
                else rows_of_series(given[name], rows)
            )
    return pd.DataFrame(columns, columns=list(names), copy=False)


def _pyarrow_table(
    native: nw.DataFrame[Any], names: Sequence[str], rows: Int64Array, cells: Any
) -> Any:
    """The same as a table, without notes on its schema and fields."""
    import pyarrow as pa

    given, columns, fields = native.to_native(), [], []
    for name in names:
        with _naming(name):
            is_cell = cells is not None and name in cells.column_names
            table, chosen = (cells, np.arange(cells.num_rows)) if is_cell else (given, rows)
            columns.append(rows_of_column(table.column(name), chosen))
            is_nullable = table.schema.field(name).nullable
            fields.append(pa.field(name, columns[-1].type, nullable=is_nullable))
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """What cannot be copied is refused by the name of its column: an error may hold a cell."""
    try:
        yield
    except Exception:
        raise InputError(
            f"Column {name!r} has values of a type that cannot be copied. Drop it, or convert it."
        ) from None
