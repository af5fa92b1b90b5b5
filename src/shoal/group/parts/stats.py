"""Counting what privacy models ask for, while searching."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal.group.parts.matched_boxes import MatchedBoxes, match_boxes
from shoal.group.parts.people import PeopleOfParts
from shoal.kernels.boxes import group_boxes
from shoal.kernels.value_counts import count_values
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats, Matches, ValueCounts, Whole
from shoal.types.table import Table

Count = Callable[[str, int], ValueCounts]  # of a column, which has so many codes
Match = Callable[[str, GroupStats], Matches]  # with the population of a file


def stats_of(
    table: Table,
    entries: Int64Array,
    *,
    count: Count,
    match: Match,
    people: Int64Array | None = None,
    whole: Whole | None = None,
) -> GroupStats:
    """What models look at in groups of a table; `count` and `match` are asked when a model asks.

    `entries` are the weights of each group, `people` the different people, where these are fewer.
    """

    def matches(file: str) -> Matches:
        return match(file, stats)

    stats = GroupStats(
        entries if people is None else people,
        {name: partial(count, name, n_codes) for name, n_codes in table.n_codes.items()},
        columns={column.name: column for column in table.sensitive_columns},
        matches={file: partial(matches, file) for file in table.populations},
        whole=whole,
        entries=entries,
        counts_people=table.people is not None,
    )
    return stats


def stats_of_parts(
    table: Table,
    *,
    rows: Int32Array,
    counts: Int64Array,
    labels: Int32Array,
    n_groups: int,
    whole: Whole | None = None,
) -> GroupStats:
    """What models look at in groups that a search considers: `labels` gives them parts of rows.

    The whole is all of the table, unless said otherwise.
    """

    def match(file: str, stats: GroupStats) -> MatchedBoxes:
        low, high = group_boxes(table.codes, rows, labels, n_groups)
        return match_boxes(table.populations[file], stats, low, high)

    parts = _Parts(table, rows, counts, labels, n_groups)
    return stats_of(
        table,
        parts.entries(),
        count=parts.count,
        match=match,
        people=parts.people(),
        whole=whole or Whole(table.totals, table.n_records),
    )


def stats_of_grouping(table: Table, grouping: Grouping) -> GroupStats:
    """What models look at in the groups of a release."""

    def match(file: str, stats: GroupStats) -> MatchedBoxes:
        people = table.populations[file]
        return match_boxes(people, stats, grouping.low, grouping.high, grouping.levels)

    parts = _Parts(table, grouping.rows, grouping.counts, grouping.labels, grouping.n_groups)
    return stats_of(table, parts.entries(), count=parts.count, match=match, people=parts.people())


@dataclass(frozen=True, eq=False, repr=False)
class _Parts:
    """Parts of rows in groups; -1: in none."""

    table: Table
    rows: Int32Array
    counts: Int64Array
    labels: Int32Array
    n_groups: int

    def entries(self) -> Int64Array:
        is_placed = self.labels >= 0
        labels, counts = self.labels[is_placed], self.counts[is_placed]
        return np.bincount(labels, weights=counts, minlength=self.n_groups).astype(np.int64)

    def people(self) -> Int64Array | None:
        people = self.table.people
        if people is None or not people.may_meet:
            return None
        return self._of_people().sizes()

    def count(self, name: str, n_codes: int) -> ValueCounts:
        """How often each value of a column occurs in each group."""
        place = self.table.place(name)
        if self.table.people is not None and place is not None:
            return self._of_people().values(place, n_codes)
        codes = self.table.column(name)[self.rows]
        return ValueCounts(*count_values(self.labels, codes, self.counts, self.n_groups, n_codes))

    def _of_people(self) -> PeopleOfParts:
        assert self.table.people is not None
        people = self.table.people.of_rows(self.rows)
        return PeopleOfParts(people, self.counts, self.labels, self.n_groups)
