"""Whether two releases have the same rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.read.columns import can_be_read
from shoal.read.source import Source
from shoal.together.placed import alike
from shoal.together.sets import fold


def have_same_rows(
    first: Source, second: Source, names: Sequence[str], missing_values: Sequence[str]
) -> bool:
    """Whether two tables have equal rows equally often, in any order, in some columns of both.

    Columns that cannot be compared make them different.

    >>> import polars as pl
    >>> rows = Source(pl.DataFrame({"age": ["1", "2", "2"]}))
    >>> have_same_rows(rows, Source(pl.DataFrame({"age": [2, 1, 2]})), ["age"], [""])
    True
    """
    tables = (first.frame, second.frame)
    if first.n_records != second.n_records:
        return False
    if not all(can_be_read(table[name]) for table in tables for name in names):
        return False
    row = fold([np.concatenate(alike([t[name] for t in tables], missing_values)) for name in names])
    n_first = np.bincount(row.number[: first.frame.height], first.counts, row.n)
    n_second = np.bincount(row.number[first.frame.height :], second.counts, row.n)
    return bool((n_first == n_second).all())
