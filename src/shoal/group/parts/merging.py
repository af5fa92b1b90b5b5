"""Groups being merged, and what models look at in them, without going back to the rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from shoal.group.parts.joining import joined_parts
from shoal.group.parts.matched_boxes import MatchedBoxes, match_boxes
from shoal.group.parts.stats import stats_of, stats_of_grouping, stats_of_parts
from shoal.group.parts.threads import Spread
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.merge import box_costs, locality_order, near_partners
from shoal.kernels.value_counts import count_values
from shoal.types.arrays import SUPPRESSED, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats, ValueCounts, Whole
from shoal.types.table import Table
from shoal.types.watch import Watch

MOST_PAIRS = 1_000_000  # of a failing group and another that may all be compared in a round
NEAR = 32  # groups to each side that are compared where there are more pairs
PAIRS_OF_A_UNIT = 16  # of work for threads


class Merging:
    """Groups, some of which were moved into others and have no records any more.

    Groups are in a fixed order that keeps near ones together; a group into which others were moved
    stays in its place.
    """

    def __init__(
        self,
        grouping: Grouping,
        table: Table,
        privacy: Privacy,
        ruler: CellWidths,
        watch: Watch,
    ) -> None:
        self.table = table
        self.privacy = privacy
        self.ruler = ruler
        self.low, self.high = grouping.low.copy(), grouping.high.copy()
        self._first = grouping
        self._stats_of_first = stats_of_grouping(table, grouping)
        self.sizes = self._stats_of_first.entries.copy()
        self._costs = box_costs(self.low, self.high, ruler)
        self._members = [[group] for group in range(grouping.n_groups)]
        self._by_group = np.argsort(grouping.labels, kind="stable")  # suppressed parts come first
        self._starts = np.searchsorted(
            grouping.labels[self._by_group], np.arange(grouping.n_groups + 1)
        )
        self._order = locality_order(self.low, self.high, self.sizes, ruler, watch.pulse())
        # A model about a column looks at a group and at all records, which merging does not
        # change; one about groups as such may change its mind about any.
        self._asks_for_all = any(
            not model.is_local and model.about.column is None for model in privacy
        )
        totals = {
            column.name: self._stats_of_first.counts(column.name).totals(column.n_codes)
            for column in table.sensitive_columns
            if column.name in privacy.columns
        }
        self._whole = Whole(totals, int(self._stats_of_first.sizes.sum()))
        self.fails = np.zeros(grouping.n_groups, dtype=np.bool_)
        self.ask(self.groups)

    @property
    def groups(self) -> Int64Array:
        return np.flatnonzero(self.sizes)

    def ask(self, groups: Int64Array) -> None:
        """Ask the models about groups that have changed, or about all."""
        groups = self.groups if self._asks_for_all else groups
        self.fails[groups] = ~self.privacy.holds(self._stats(groups))

    def merge_all(self, spread: Spread) -> None:
        """Merge until all groups hold, or one is left."""
        n_failing = int(np.count_nonzero(self.fails))
        spread.watch.begin("failing groups", n_failing)
        while self.fails.any() and len(self.groups) > 1:
            self.merge_failing(spread)
            spread.watch.report(max(0, n_failing - int(np.count_nonzero(self.fails))))

    def merge_failing(self, spread: Spread) -> None:
        """The cheapest mergers of failing groups with others take place, none of a group twice."""
        failing = np.flatnonzero(self.fails)
        others, costs = self._partners(failing, spread)
        is_free = np.ones(len(self.sizes), dtype=np.bool_)
        changed = []
        for i in np.lexsort((failing, costs)):
            group, other = int(failing[i]), int(others[i])
            if is_free[group] and is_free[other]:
                is_free[group] = is_free[other] = False
                self._move(group, other)
                changed.append(other)
        groups = np.array(sorted(changed), dtype=np.int64)
        self._costs[groups] = box_costs(self.low[groups], self.high[groups], self.ruler)
        self.ask(groups)

    def grouping(self) -> Grouping:
        """The groups as they are now; numbers close up."""
        kept = self.groups
        if len(kept) == self._first.n_groups:
            return self._first
        number = np.empty(self._first.n_groups, dtype=np.int64)
        for new, group in enumerate(kept):
            number[self._members[group]] = new
        labels = np.append(number, SUPPRESSED)[self._first.labels]
        low, high = self.low[kept], self.high[kept]
        return joined_parts(replace(self._first, labels=labels, low=low, high=high))

    def _partners(self, failing: Int64Array, spread: Spread) -> tuple[Int64Array, np.ndarray]:
        """For each failing group the one that it is merged with at the least cost.

        Of all groups or, where these are too many pairs, of those that stand near it.
        """
        order = self._order = self._order[self.sizes[self._order] > 0]
        place = np.empty(len(self.sizes), dtype=np.int64)
        place[order] = np.arange(len(order))
        n_near = len(order) if len(failing) * len(order) <= MOST_PAIRS else NEAR
        others = np.empty(len(self.sizes), dtype=np.int64)
        costs = np.empty(len(self.sizes), dtype=np.float64)
        boxes = self.low, self.high, self.sizes, self._costs, self.ruler
        work = partial(near_partners, *boxes, order, place, n_near, others, costs)
        n_pairs = min(2 * n_near, len(order))
        spread(work, failing, np.full(len(failing), n_pairs // PAIRS_OF_A_UNIT))
        return others[failing], costs[failing]

    def _move(self, group: int, other: int) -> None:
        np.minimum(self.low[other], self.low[group], out=self.low[other])
        np.maximum(self.high[other], self.high[group], out=self.high[other])
        self.sizes[other] += self.sizes[group]
        self.sizes[group] = 0
        self.fails[group] = False
        self._members[other] += self._members[group]
        self._members[group] = []

    def _stats(self, groups: Int64Array) -> GroupStats:
        """What models look at in some groups."""
        people_meet = self.table.people is not None and self.table.people.may_meet
        if people_meet and self._asks_for_all:
            return stats_of_grouping(self.table, self.grouping())
        first = np.array([i for group in groups for i in self._members[group]], dtype=np.int64)
        n_first = [len(self._members[group]) for group in groups]
        label_of_first = np.repeat(np.arange(len(groups)), n_first)
        if people_meet:
            return self._recounted(first, label_of_first, len(groups))
        whole = None if self._asks_for_all else self._whole

        def count(name: str, n_codes: int) -> ValueCounts:
            found = self._stats_of_first.counts(name)
            entries, n_entries = _runs(found.starts, first)
            labels = np.repeat(label_of_first, n_entries).astype(np.int32)
            values, counts = found.values[entries], found.counts[entries]
            return ValueCounts(*count_values(labels, values, counts, len(groups), n_codes))

        def match(file: str, stats: GroupStats) -> MatchedBoxes:
            people = self.table.populations[file]
            return match_boxes(people, stats, self.low[groups], self.high[groups])

        return stats_of(self.table, self.sizes[groups], count=count, match=match, whole=whole)

    def _recounted(
        self, first: Int64Array, label_of_first: Int64Array, n_groups: int
    ) -> GroupStats:
        """The same from the rows: people who meet in a union are fewer than in its parts."""
        parts, n_parts = _runs(self._starts, first)
        parts = self._by_group[parts]
        return stats_of_parts(
            self.table,
            rows=self._first.rows[parts],
            counts=self._first.counts[parts],
            labels=np.repeat(label_of_first, n_parts).astype(np.int32),
            n_groups=n_groups,
            whole=self._whole,
        )


def _runs(starts: Int64Array, chosen: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The places starts[i]..starts[i + 1] of all chosen i, one after another, and how many each."""
    begins, lengths = starts[chosen], starts[chosen + 1] - starts[chosen]
    ends = np.cumsum(lengths)
    places = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths - begins, lengths)
    return places, lengths
