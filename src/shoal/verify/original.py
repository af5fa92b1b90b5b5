"""Whether a table can be what a release was made of."""

from __future__ import annotations

import numpy as np

from shoal.errors import InputError, counted
from shoal.read.columns import can_be_read, read_column
from shoal.read.source import Source
from shoal.types.schema import Schema


def refuse_other_original(release: Source, original: Source, schema: Schema) -> None:
    """Refuse a table that has fewer records, or lacks values of columns that leave as they are."""
    refuse_larger_release(release, original)
    for name in schema.names("keep"):
        after, before = release.frame[name], original.frame[name]
        if not can_be_read(after) or not can_be_read(before):
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


def refuse_larger_release(release: Source, original: Source) -> None:
    """Refuse a release with more records than its original: records are left out, never added."""
    if release.n_records > original.n_records:
        raise InputError(
            f"The release has {counted(release.n_records, 'record')}, but the original has only "
            f"{original.n_records:,}. Give the table that this release was made of."
        )
