"""Counting what privacy models ask for, while searching."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from shoal.kernels.value_counts import count_values
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.table import Table


def stats_of_parts(
    table: Table, *, rows: Int32Array, counts: Int64Array, labels: Int32Array, n_groups: int
) -> GroupStats:
    """Sizes and sensitive values of the groups that `labels` gives to parts of rows."""
    is_placed = labels >= 0
    sizes = np.bincount(labels[is_placed], weights=counts[is_placed], minlength=n_groups)

    def count(codes: Int32Array, n_codes: int) -> ValueCounts:
        return ValueCounts(*count_values(labels, codes[rows], counts, n_groups, n_codes))

    of_column: dict[str, Callable[[], ValueCounts]] = {
        column.name: partial(count, np.ascontiguousarray(table.sensitive[:, i]), column.n_codes)
        for i, column in enumerate(table.sensitive_columns)
    }
    of_column |= {
        axis.name: partial(count, np.ascontiguousarray(table.codes[:, i]), axis.n_codes)
        for i, axis in enumerate(table.axes)
    }
    return GroupStats(sizes.astype(np.int64), of_column)


def stats_of_grouping(table: Table, grouping: Grouping) -> GroupStats:
    return stats_of_parts(
        table,
        rows=grouping.rows,
        counts=grouping.counts,
        labels=grouping.labels,
        n_groups=grouping.n_groups,
    )
