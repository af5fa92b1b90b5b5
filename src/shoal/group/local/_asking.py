"""Asking the privacy models whether the groups that moves would leave still hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial

import numpy as np

from shoal.group.local._groups import Parts, grouping_of
from shoal.group.local._space import OrderedSpace
from shoal.group.parts.stats import stats_of_grouping, stats_of_parts
from shoal.kernels.sweep_after import after_moves, count_groups, counts_after
from shoal.kernels.sweep_state import CANDIDATES, Move, State
from shoal.types.arrays import SUPPRESSED, BoolArray, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats, ValueCounts, Whole
from shoal.types.table import Table

MOST_COUNTS = 16_000_000  # of values in groups that are kept


def is_about_size(privacy: Privacy) -> bool:
    """Whether enough records are all that models ask for: then no one needs to be asked."""
    return not privacy.people_meet and all(
        model.is_local
        and model.survives_growth
        and model.about.column is None
        and model.about.population is None
        for model in privacy
    )


def looks_at_all(privacy: Privacy) -> bool:
    """Whether a change of some groups may make others fail, or change what all are compared with.

    Where people meet, the values of a union are of fewer people than those of its parts.
    """
    return any(
        not model.is_local and (model.about.column is None or privacy.people_meet)
        for model in privacy
    )


class Asking(ABC):
    """Whether the groups that moves change hold afterwards, receivers included."""

    def __init__(
        self, table: Table, privacy: Privacy, ordered: OrderedSpace, grouping: Grouping
    ) -> None:
        self.table, self.privacy, self.ordered = table, privacy, ordered
        self.asks_all = looks_at_all(privacy)
        stats = stats_of_grouping(table, grouping)
        totals = {
            column.name: stats.counts(column.name).totals(column.n_codes)
            for column in table.sensitive_columns
            if column.name in privacy.columns
        }
        self._whole = Whole(totals, int(stats.sizes.sum()))

    @abstractmethod
    def allow(self, state: State, rooms: Sequence[Move]) -> list[BoolArray]:
        """Of the candidates in each room, which leave only groups that satisfy every model."""

    @abstractmethod
    def changed(self, state: State) -> None:
        """Hears that groups were changed."""

    def all_hold(self, parts: Parts, least: int) -> bool:
        """Whether a whole grouping holds."""
        grouping = grouping_of(parts, self.ordered, self.table, least)
        return holds(grouping, self.table, self.privacy)

    def _fail(self, stats: GroupStats) -> BoolArray:
        fails = stats.entries < self.privacy.smallest
        return fails if self.asks_all else fails | ~self.privacy.holds(stats)


def asking_of(
    table: Table, privacy: Privacy, ordered: OrderedSpace, grouping: Grouping, state: State
) -> Asking:
    """By the values of groups, where these can be kept; otherwise by their members."""
    n_values = sum(table.n_codes[name] for name in privacy.columns)
    by_values = table.people is None and not privacy.populations and not looks_at_all(privacy)
    if by_values and n_values * len(state.groups) <= MOST_COUNTS:
        return AskingByValues(table, privacy, ordered, grouping, state)
    return AskingByMembers(table, privacy, ordered, grouping)


class AskingByValues(Asking):
    """How often each value occurs in each group is kept, and changed as a move would."""

    def __init__(
        self, table: Table, privacy: Privacy, ordered: OrderedSpace, grouping: Grouping,
        state: State,
    ) -> None:  # fmt: skip
        super().__init__(table, privacy, ordered, grouping)
        n_codes = [table.n_codes[name] for name in privacy.columns]
        self._begins = np.append(0, np.cumsum(n_codes))
        values = [table.column(name)[ordered.rows] for name in privacy.columns]
        self._values = np.stack(values, axis=1).astype(np.int64) + self._begins[:-1]
        self._counts = np.zeros((len(state.groups), self._begins[-1]), dtype=np.int64)
        self.changed(state)

    def changed(self, state: State) -> None:
        count_groups(state, self._values, self._counts)

    def allow(self, state: State, rooms: Sequence[Move]) -> list[BoolArray]:
        return [self._allow(state, room) for room in rooms]

    def _allow(self, state: State, room: Move) -> BoolArray:
        n_moves = int(room.numbers[CANDIDATES])
        ends = room.candidates.end[n_moves - 1]
        n_most = 2 * int(ends) + n_moves
        sizes, of_moves = np.zeros(n_most, dtype=np.int64), np.zeros(n_most, dtype=np.int64)
        then = np.zeros((n_most, self._begins[-1]), dtype=np.int64)
        n_groups, n_done = counts_after(
            state, room, self._values, self._counts, sizes, then, of_moves
        )
        is_left = sizes[:n_groups] > 0
        then, of_moves = then[:n_groups][is_left], of_moves[:n_groups][is_left]
        allowed: BoolArray = np.arange(n_moves) < n_done
        allowed[of_moves[self._fail(self._stats(sizes[:n_groups][is_left], then))]] = False
        return allowed

    def _stats(self, sizes: Int64Array, counts: Int64Array) -> GroupStats:
        def of_column(i: int) -> ValueCounts:
            of_groups = counts[:, self._begins[i] : self._begins[i + 1]]
            groups, values = np.nonzero(of_groups)
            starts = np.searchsorted(groups, np.arange(len(sizes) + 1))
            return ValueCounts(starts, values.astype(np.int32), of_groups[groups, values])

        names = self.privacy.columns
        return GroupStats(
            sizes,
            {name: partial(of_column, i) for i, name in enumerate(names)},
            columns={column.name: column for column in self.table.sensitive_columns},
            whole=self._whole,
        )


class AskingByMembers(Asking):
    """The members of all groups that a move changes are listed, and counted anew."""

    def __init__(
        self, table: Table, privacy: Privacy, ordered: OrderedSpace, grouping: Grouping
    ) -> None:
        super().__init__(table, privacy, ordered, grouping)
        n_parts = 4 * len(grouping.rows) + 4096
        self._buffers = [np.zeros(n_parts, dtype=np.int64) for _ in range(4)]
        self._given = np.zeros(0, dtype=np.int64)

    def changed(self, state: State) -> None:
        """Nothing is kept of them."""

    def allow(self, state: State, rooms: Sequence[Move]) -> list[BoolArray]:
        if len(self._given) < len(state.parts):
            self._given = np.zeros(len(state.parts), dtype=np.int64)
        return [self._allow(state, room) for room in rooms]

    def _allow(self, state: State, room: Move) -> BoolArray:
        rows, counts, groups, of_moves = self._buffers
        n_parts, _, n_done = after_moves(state, room, self._given, *self._buffers)
        allowed: BoolArray = np.arange(room.numbers[CANDIDATES]) < n_done
        used, labels = np.unique(groups[:n_parts], return_inverse=True)
        if len(used):
            stats = stats_of_parts(
                self.table,
                rows=self.ordered.rows[rows[:n_parts]].astype(np.int32),
                counts=counts[:n_parts].copy(),
                labels=labels.astype(np.int32),
                n_groups=len(used),
                whole=self._whole,
            )
            allowed[of_moves[used[self._fail(stats)]]] = False
        return allowed


def holds(grouping: Grouping, table: Table, privacy: Privacy) -> bool:
    if not (grouping.labels != SUPPRESSED).any():
        return False
    return not privacy.to_suppress(stats_of_grouping(table, grouping)).any()
