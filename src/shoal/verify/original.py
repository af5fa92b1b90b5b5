"""Whether a table can be what a release was made of."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.errors import InputError, counted
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.types.schema import Schema


def refuse_other_original(release: Source, original: Source, schema: Schema) -> None:
    """Refuse a table that has fewer records, or lacks values of columns that leave as they are."""
    if release.n_records > original.n_records:
        raise InputError(
            f"The release has {counted(release.n_records, 'record')}, but the original only "
            f"{original.n_records:,}. This is the original of another release."
        )
    for name in schema.names("keep"):
        after, before = release.frame[name], original.frame[name]
        if _cannot_be_compared(after) or _cannot_be_compared(before):
            continue
        known = set(read_column(before, is_text=original.is_text).labels)
        column = read_column(after, is_text=release.is_text)
        is_foreign = np.array([*(label not in known for label in column.labels), False])
        n_foreign = int(is_foreign[column.codes].sum())  # code -1, missing, is the last
        if n_foreign:
            raise InputError(
                f"Column {name!r}: {counted(n_foreign, 'record')} of the release "
                f"{'has a value that does' if n_foreign == 1 else 'have values that do'} not occur "
                "in the original. This is the original of another release, or the column was "
                "changed."
            )


def _cannot_be_compared(column: pl.Series) -> bool:
    return column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object, pl.Duration)
