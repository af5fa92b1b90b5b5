"""Counting what privacy models ask for, while searching."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from shoal.group.parts.matched_boxes import MatchedBoxes, match_boxes
from shoal.kernels.boxes import group_boxes
from shoal.kernels.value_counts import count_values
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.table import Population, Table


def stats_of_parts(
    table: Table, *, rows: Int32Array, counts: Int64Array, labels: Int32Array, n_groups: int
) -> GroupStats:
    """What models look at in groups that a search considers: `labels` gives them parts of rows."""

    def match(population: Population) -> MatchedBoxes:
        low, high = group_boxes(table.codes, rows, labels, n_groups)
        return match_boxes(population, stats, low, high)

    of_column = _counters(table, rows, counts, labels, n_groups)
    stats = GroupStats(
        _sizes(labels, counts, n_groups),
        of_column,
        columns={column.name: column for column in table.sensitive_columns},
        matches={name: partial(match, people) for name, people in table.populations.items()},
        totals=table.totals,
    )
    return stats


def stats_of_grouping(table: Table, grouping: Grouping) -> GroupStats:
    """What models look at in the groups of a release."""

    def match(population: Population) -> MatchedBoxes:
        return match_boxes(population, stats, grouping.low, grouping.high, grouping.levels)

    of_column = _counters(table, grouping.rows, grouping.counts, grouping.labels, grouping.n_groups)
    stats = GroupStats(
        _sizes(grouping.labels, grouping.counts, grouping.n_groups),
        of_column,
        columns={column.name: column for column in table.sensitive_columns},
        matches={name: partial(match, people) for name, people in table.populations.items()},
    )
    return stats


def _sizes(labels: Int32Array, counts: Int64Array, n_groups: int) -> Int64Array:
    is_placed = labels >= 0
    sizes = np.bincount(labels[is_placed], weights=counts[is_placed], minlength=n_groups)
    return sizes.astype(np.int64)


def _counters(
    table: Table, rows: Int32Array, counts: Int64Array, labels: Int32Array, n_groups: int
) -> dict[str, Callable[[], ValueCounts]]:
    """For every column, what counts its values in each group when that is asked for."""

    def count(codes: Int32Array, n_codes: int) -> ValueCounts:
        return ValueCounts(*count_values(labels, codes[rows], counts, n_groups, n_codes))

    of_column: dict[str, Callable[[], ValueCounts]] = {
        column.name: partial(count, np.ascontiguousarray(table.sensitive[:, i]), column.n_codes)
        for i, column in enumerate(table.sensitive_columns)
    }
    return of_column | {
        axis.name: partial(count, np.ascontiguousarray(table.codes[:, i]), axis.n_codes)
        for i, axis in enumerate(table.axes)
    }
