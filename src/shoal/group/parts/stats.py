"""Counting what privacy models ask for, while searching."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from shoal.group.parts.matched_boxes import MatchedBoxes, match_boxes
from shoal.kernels.boxes import group_boxes
from shoal.kernels.value_counts import count_values
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats, Matches, ValueCounts
from shoal.types.table import Table

Count = Callable[[str, int], ValueCounts]  # of a column, which has so many codes
Match = Callable[[str, GroupStats], Matches]  # with the population of a file


def stats_of(
    table: Table,
    sizes: Int64Array,
    *,
    count: Count,
    match: Match,
    totals: Mapping[str, Int64Array] | None = None,
) -> GroupStats:
    """What models look at in groups of a table; `count` and `match` are asked when a model asks."""

    def matches(file: str) -> Matches:
        return match(file, stats)

    stats = GroupStats(
        sizes,
        {name: partial(count, name, n_codes) for name, n_codes in table.n_codes.items()},
        columns={column.name: column for column in table.sensitive_columns},
        matches={file: partial(matches, file) for file in table.populations},
        totals=totals,
    )
    return stats


def stats_of_parts(
    table: Table, *, rows: Int32Array, counts: Int64Array, labels: Int32Array, n_groups: int
) -> GroupStats:
    """What models look at in groups that a search considers: `labels` gives them parts of rows."""

    def match(file: str, stats: GroupStats) -> MatchedBoxes:
        low, high = group_boxes(table.codes, rows, labels, n_groups)
        return match_boxes(table.populations[file], stats, low, high)

    return stats_of(
        table,
        _sizes(labels, counts, n_groups),
        count=_counter(table, rows, counts, labels, n_groups),
        match=match,
        totals=table.totals,
    )


def stats_of_grouping(table: Table, grouping: Grouping) -> GroupStats:
    """What models look at in the groups of a release."""
    rows, counts, labels = grouping.rows, grouping.counts, grouping.labels

    def match(file: str, stats: GroupStats) -> MatchedBoxes:
        people = table.populations[file]
        return match_boxes(people, stats, grouping.low, grouping.high, grouping.levels)

    return stats_of(
        table,
        _sizes(labels, counts, grouping.n_groups),
        count=_counter(table, rows, counts, labels, grouping.n_groups),
        match=match,
    )


def _sizes(labels: Int32Array, counts: Int64Array, n_groups: int) -> Int64Array:
    is_placed = labels >= 0
    sizes = np.bincount(labels[is_placed], weights=counts[is_placed], minlength=n_groups)
    return sizes.astype(np.int64)


def _counter(
    table: Table, rows: Int32Array, counts: Int64Array, labels: Int32Array, n_groups: int
) -> Count:
    """What counts the values of a column in each group."""

    def count(name: str, n_codes: int) -> ValueCounts:
        codes = table.column(name)[rows]
        return ValueCounts(*count_values(labels, codes, counts, n_groups, n_codes))

    return count
