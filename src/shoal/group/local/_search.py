"""A local search: its steps, its temperatures, its clock, and the best that it has found."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from shoal.group.local._asking import Asking
from shoal.group.local._groups import Parts, grouping_of, move_of, near_of, parts_of, state_of
from shoal.group.local._space import OrderedSpace, space_of
from shoal.group.parts.cell_widths import ruler_of
from shoal.group.parts.threads import Spread
from shoal.kernels.sweep_anneal import anneal, next_candidate
from shoal.kernels.sweep_state import apply_move
from shoal.types.arrays import SUPPRESSED, BoolArray
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table

HOT, COLD = 0.06, 0.004  # temperatures, by what one column of `least` records costs
QUENCH = 0.1  # of the steps take improvements only
CHUNK = 10_000  # steps between two looks at the clock
MOST_ASKED_OF_ALL = 400  # moves after which a model may look at all groups


@dataclass(frozen=True)
class Effort:
    """So many steps or, instead, so many seconds."""

    steps: int
    seconds: float | None = None
    hot: float = HOT


class LocalSearch:
    """Improves a grouping by moves. `best` is the best found so far; it always holds."""

    def __init__(
        self, start: Grouping, table: Table, privacy: Privacy, *, room: int, asks: bool, seed: int,
        spread: Spread,
    ) -> None:  # fmt: skip
        self.table, self.least, self.spread = table, privacy.smallest, spread
        pulse = spread.watch.pulse()
        self.ordered: OrderedSpace = space_of(
            table.codes, table.weights, table.axes, ruler_of(table), pulse
        )
        spread.watch.check()
        # What a model compares groups with must not change: what is suppressed stays so.
        kept = (start.labels != SUPPRESSED) | (not asks)
        self._aside = self._left_out(start, ~kept)
        begin = Grouping(
            start.rows[kept], start.counts[kept], start.labels[kept], start.low, start.high
        )
        space = self.ordered.space
        self.state = state_of(begin, self.ordered, self.least, room)
        self.near, self.move = near_of(space), move_of(space, len(self.state.sizes))
        self.asking = Asking(table, privacy, self.ordered, start) if asks else None
        self.chance = np.array([np.random.SeedSequence(seed).generate_state(1)[0]], dtype=np.uint64)
        self.best, self.best_cost, self.n_steps, self.n_taken = self._parts(), self.cost, 0, 0

    @property
    def cost(self) -> float:
        """What all records pay."""
        n_aside = int(self._aside.counts.sum())
        return float(np.dot(self.state.costs, self.state.sizes) + n_aside * self.state.costs[0])

    @property
    def loss(self) -> float:
        """The best cost as a share of the dearest one."""
        dearest = float(self.ordered.space.weights.sum()) * self.table.n_records
        return self.best_cost / dearest if dearest > 0 else 0.0

    def grouping(self) -> Grouping:
        return grouping_of(self.best, self.ordered, self.table, self.least)

    def run(self, effort: Effort) -> str | None:
        """Anneal, then take improvements only; returns why it ended early, or None."""
        watch, begin = self.spread.watch, time.monotonic()
        unit = self.least * float(self.ordered.space.weights.mean())
        watch.begin("steps", None if effort.seconds else effort.steps)
        watch.may_stop = True
        try:
            done = 0.0
            while done < 1:
                if watch.is_stopped:
                    return "interrupt"
                share = done / (1 - QUENCH)
                heat = effort.hot * (COLD / effort.hot) ** share if share < 1 else 0.0
                steps = CHUNK if effort.seconds else min(CHUNK, effort.steps - self.n_steps)
                self._steps(steps, heat * unit)
                self.n_steps += steps
                if effort.seconds is None:
                    done = self.n_steps / effort.steps
                else:
                    done = (time.monotonic() - begin) / effort.seconds
                self._keep_best()
                watch.report(0, self.loss)
        finally:
            watch.may_stop = False
        return None

    def _steps(self, n_steps: int, heat: float) -> None:
        """So many steps at one temperature."""
        if self.asking is None:
            self.n_taken += self.spread.aside(self._anneal, n_steps, heat)
            return
        while n_steps > 0:
            n_steps = self.spread.aside(self._to_next_candidate, n_steps, heat)
            self.spread.watch.check()
            if n_steps >= 0 and self.asking.allows(self.state, self.move):
                self._take()

    def _anneal(self, n_steps: int, heat: float) -> int:
        _, n_taken = anneal(
            self.ordered.space, self.state, self.near, self.move, heat, n_steps, self.chance,
            self.spread.watch.pulse(),
        )  # fmt: skip
        return int(n_taken)

    def _to_next_candidate(self, n_steps: int, heat: float) -> int:
        n_left = next_candidate(
            self.ordered.space, self.state, self.near, self.move, heat, n_steps, self.chance,
            self.spread.watch.pulse(),
        )  # fmt: skip
        return int(n_left)

    def _take(self) -> None:
        """Do the move; undo it if a model that looks at all groups does not agree."""
        assert self.asking is not None
        if not self.asking.asks_all:
            apply_move(self.ordered.space, self.state, self.move)
            self.n_taken += 1
            return
        if self.asking.n_asked > MOST_ASKED_OF_ALL:
            return
        before = [np.copy(array) for array in self.state[:-1]]
        apply_move(self.ordered.space, self.state, self.move)
        if self.asking.all_hold(self._parts(), self.least):
            self.n_taken += 1
            return
        for array, old in zip(self.state[:-1], before, strict=True):
            array[...] = old

    def _left_out(self, start: Grouping, chosen: BoolArray) -> Parts:
        """Parts that take no part in the search, as suppressed ones."""
        place = np.empty(self.table.n_rows, dtype=np.int32)
        place[self.ordered.rows] = np.arange(self.table.n_rows, dtype=np.int32)
        none = np.zeros(int(chosen.sum()), dtype=np.int32)
        return Parts(place[start.rows[chosen]], none, start.counts[chosen])

    def _parts(self) -> Parts:
        found, aside = parts_of(self.state), self._aside
        return Parts(
            np.concatenate([found.rows, aside.rows]),
            np.concatenate([found.groups, aside.groups]),
            np.concatenate([found.counts, aside.counts]),
        )

    def _keep_best(self) -> None:
        cost = self.cost
        if cost < self.best_cost:
            self.best, self.best_cost = self._parts(), cost
