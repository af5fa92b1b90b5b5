"""What a caller of Python gives as a table: a frame, a query of polars, or the name of a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError
from shoal.read.files import read_file
from shoal.read.source import Source


def source_of(given: Any, *, may_be_empty: bool = False) -> Source:
    """The table, read or collected.

    >>> source_of(pl.LazyFrame({"age": [31, 38]})).n_records
    2
    """
    if isinstance(given, str | os.PathLike):
        return read_file(Path(given), may_be_empty=may_be_empty)
    if isinstance(given, pl.LazyFrame):
        given = _collected(given)
    return Source.of_frame(given, may_be_empty=may_be_empty)


def _collected(query: pl.LazyFrame) -> pl.DataFrame:
    try:
        return query.collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        # What polars says may show a cell.
        raise InputError(
            f"The LazyFrame cannot be collected ({type(error).__name__}). Call `.collect()` on it "
            "to see why."
        ) from None
