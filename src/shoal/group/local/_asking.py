"""Asking the privacy models whether the groups that a move would leave still hold."""

from __future__ import annotations

import numpy as np

from shoal.group.local._groups import Parts, grouping_of
from shoal.group.local._space import OrderedSpace
from shoal.group.parts.stats import stats_of_grouping, stats_of_parts
from shoal.kernels.sweep_moves import after_move
from shoal.kernels.sweep_state import Move, State
from shoal.types.arrays import SUPPRESSED
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.stats import Whole
from shoal.types.table import Table


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


class Asking:
    """Whether the groups that a move changes hold afterwards, receivers included."""

    def __init__(
        self, table: Table, privacy: Privacy, ordered: OrderedSpace, grouping: Grouping
    ) -> None:
        self.table, self.privacy, self.ordered = table, privacy, ordered
        n_parts = 4 * len(grouping.rows) + 1024
        self._rows = np.zeros(n_parts, dtype=np.int64)
        self._counts = np.zeros(n_parts, dtype=np.int64)
        self._groups = np.zeros(n_parts, dtype=np.int64)
        stats = stats_of_grouping(table, grouping)
        totals = {
            column.name: stats.counts(column.name).totals(column.n_codes)
            for column in table.sensitive_columns
            if column.name in privacy.columns
        }
        self._whole = Whole(totals, int(stats.sizes.sum()))
        self._asks_all = looks_at_all(privacy)
        self.n_asked = 0

    def allows(self, state: State, move: Move) -> bool:
        """Whether all groups that the move leaves or makes satisfy every model."""
        n_parts = after_move(state, move, self._rows, self._counts, self._groups)
        if n_parts < 0:
            return False
        self.n_asked += 1
        counts = self._counts[:n_parts]
        is_there = counts > 0
        rows = self.ordered.rows[self._rows[:n_parts][is_there]].astype(np.int32)
        used, labels = np.unique(self._groups[:n_parts][is_there], return_inverse=True)
        stats = stats_of_parts(
            self.table,
            rows=rows,
            counts=counts[is_there],
            labels=labels.astype(np.int32),
            n_groups=len(used),
            whole=self._whole,
        )
        return bool((stats.entries >= self.privacy.smallest).all()) and (
            self._asks_all or bool(self.privacy.holds(stats).all())
        )

    def all_hold(self, parts: Parts, least: int) -> bool:
        """Whether a whole grouping holds."""
        grouping = grouping_of(parts, self.ordered, self.table, least)
        return holds(grouping, self.table, self.privacy)

    @property
    def asks_all(self) -> bool:
        return self._asks_all


def holds(grouping: Grouping, table: Table, privacy: Privacy) -> bool:
    if not (grouping.labels != SUPPRESSED).any():
        return False
    return not privacy.to_suppress(stats_of_grouping(table, grouping)).any()
