"""Columns of a release in new memory.

Rows that are taken from a polars column go on pointing into its buffers: those hold the texts of
all other rows too, in the order of the input, and are passed on with the frame (Arrow IPC, pickle).
"""

from __future__ import annotations

import io

import polars as pl

from shoal.errors import InputError
from shoal.types.objects import own_objects

COPIED = (pl.Int64, pl.Int32, pl.Float64, pl.Float32)  # the usual numbers: numpy has them too


def afresh(column: pl.Series) -> pl.Series:
    """The same values of the same type, in memory that holds nothing else.

    Texts are put together anew and numbers copied. All else is written as parquet and read again,
    for parquet has values only: nothing of other rows, and nothing behind a missing value.
    """
    if column.dtype == pl.String:
        return pl.select(pl.concat_str(column, pl.lit(""))).to_series().alias(column.name)
    if column.dtype in COPIED and not column.null_count():
        return pl.Series(column.name, column.to_numpy().copy(), dtype=column.dtype)
    if column.dtype == pl.Object:
        return _copied(column)
    if column.dtype == pl.Struct({}):  # has no values; parquet cannot hold it
        return column
    return _through_parquet(column)


def _through_parquet(column: pl.Series) -> pl.Series:
    file = io.BytesIO()
    column.alias("column").to_frame().write_parquet(
        file, compression="uncompressed", statistics=False
    )
    file.seek(0)
    return pl.read_parquet(file).to_series().rechunk().alias(column.name)


def _copied(column: pl.Series) -> pl.Series:
    try:
        return pl.Series(column.name, own_objects(column), dtype=pl.Object)
    except Exception:  # its text may hold a cell
        raise InputError(
            f"Column {column.name!r} has objects that cannot be copied. Drop it, or convert it."
        ) from None
