"""A local search: its rounds of steps, its temperatures, its clock, and the best it has found.

In a round, many moves are proposed and priced from one state, on all threads; then those that are
worth making are made, one after the other, if no other one of the round has changed a group of
theirs. So the result is the same for any number of threads, and models are asked once in a round.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.group.local._asking import asking_of
from shoal.group.local._groups import Parts, grouping_of, near_of, parts_of, room_for, state_of
from shoal.group.local._space import OrderedSpace, space_of
from shoal.group.parts.cell_widths import ruler_of
from shoal.group.parts.threads import Spread
from shoal.kernels.sweep_anneal import payments, propose
from shoal.kernels.sweep_near import find_near
from shoal.kernels.sweep_state import (
    CANDIDATES,
    GROUPS_FREE,
    ROOM_LEFT,
    ROUND,
    WANTED,
    Move,
    State,
    apply_moves,
)
from shoal.types.arrays import SUPPRESSED, BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table
from shoal.types.watch import Pulse

HOT, COLD = 0.06, 0.004  # temperatures, by what one column of `least` records costs
QUENCH = 0.1  # of the steps take improvements only
SLICES = 8  # of a round; each has a chance and a room of its own
ROWS_OF_A_STEP = 16  # a round has a step for so many rows
FEWEST, MOST = 64, 2048  # steps of a round
ALONE = 128  # steps that are not divided
CROWDED, FEW = 16, 12  # groups for each move that was found in a round; or as few moves
STEP, LISTING = 40, 2000  # units of work: a step, a list of near rows
WIDER, FURTHER = 1.3, 0.05  # how far rows are looked for, by what a row pays
A_STEP = 10  # work of a step, besides the records of a group
BETWEEN = 20  # rounds between two looks at whether it is the best
MOST_ASKED_OF_ALL = 400  # moves after which a model may look at all groups


@dataclass(frozen=True)
class Effort:
    """So much work or, instead, so many seconds. A step is 10 and the records of a group."""

    work: int
    seconds: float | None = None
    hot: float = HOT


class LocalSearch:
    """Improves a grouping by moves. `best` is the best found so far; it always holds."""

    def __init__(
        self, start: Grouping, table: Table, privacy: Privacy, *, room: int, asks: bool, seed: int,
        spread: Spread,
    ) -> None:  # fmt: skip
        self.table, self.least, self.spread = table, privacy.smallest, spread
        self.ordered: OrderedSpace = space_of(
            table.codes, table.weights, table.axes, ruler_of(table), spread.watch.pulse()
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
        self.near = near_of(space)
        steps = min(max(table.n_rows // ROWS_OF_A_STEP, FEWEST), MOST)
        self.steps = self.longest = steps
        n_groups = len(self.state.groups)
        most = max(steps // SLICES, min(steps, ALONE)) + 1
        self.rooms = [room_for(space, n_groups, most) for _ in range(SLICES)]
        self.hand = room_for(space, n_groups, 1)
        self.asking = asking_of(table, privacy, self.ordered, start, self.state) if asks else None
        self.n_asked_of_all = 0
        self.chance = np.random.SeedSequence(seed).generate_state(SLICES, np.uint64)[:, None]
        self.best, self.best_cost, self.n_steps, self.n_taken = self._parts(), self.cost, 0, 0

    @property
    def cost(self) -> float:
        """What all records pay."""
        groups, n_aside = self.state.groups, int(self._aside.counts.sum())
        return float(np.dot(groups.cost, groups.n_records) + n_aside * groups.cost[0])

    @property
    def loss(self) -> float:
        """The best cost as a share of the dearest one."""
        dearest = float(self.ordered.space.columns.weight.sum()) * self.table.n_records
        return self.best_cost / dearest if dearest > 0 else 0.0

    def grouping(self) -> Grouping:
        return grouping_of(self.best, self.ordered, self.table, self.least)

    def run(self, effort: Effort) -> None:
        """Anneal, then take improvements only; a watch may stop it."""
        watch, begin = self.spread.watch, time.monotonic()
        unit = self.least * float(self.ordered.space.columns.weight.mean())
        total = effort.work // (A_STEP + self.least)
        watch.begin("steps", None if effort.seconds else total)
        watch.may_stop = True
        try:
            done, work, n_rounds = 0.0, 0.0, 0
            self._list_all()
            while done < 1:
                if watch.is_stopped:
                    return
                share = done / (1 - QUENCH)
                heat = effort.hot * (COLD / effort.hot) ** share if share < 1 else 0.0
                work += self._round(heat * unit) * (A_STEP + self.table.n_records / self.n_groups)
                if effort.seconds is None:
                    done = work / effort.work
                else:
                    done = (time.monotonic() - begin) / effort.seconds
                n_rounds += 1
                if n_rounds % BETWEEN == 0:
                    self.keep_best()
                    watch.report(self.n_steps if effort.seconds else int(done * total), self.loss)
        finally:
            watch.may_stop = False
            self.keep_best()

    @property
    def n_groups(self) -> int:
        return len(self.state.groups) - int(self.state.numbers[GROUPS_FREE])

    def _round(self, heat: float) -> int:
        """Propose moves on all threads, then make them: -> how many steps that was."""
        pulse = self._pulse()
        n_slices = 1 if self.steps <= ALONE else SLICES
        n_steps = self.steps // n_slices

        def work(slices: Int64Array) -> None:
            for i in slices:
                propose(
                    self.ordered.space, self.state, self.near, self.rooms[i], heat, n_steps,
                    self.chance[i], pulse,
                )  # fmt: skip

        self.spread(work, np.arange(n_slices), np.full(n_slices, n_steps * STEP))
        self.n_steps += n_slices * n_steps
        rooms = self.rooms[:n_slices]
        self.make(rooms)
        self._adapt(rooms)
        wanted = [room.wanted[: room.numbers[WANTED]] for room in rooms]
        rows = np.unique(np.concatenate(wanted))
        if len(rows):
            self._list(rows, payments(self.state, len(self.ordered.rows))[rows])
        return n_slices * n_steps

    def _adapt(self, rooms: Sequence[Move]) -> None:
        """Shorter rounds where many moves are found, which would get into each other's way."""
        n_found = sum(int(room.numbers[CANDIDATES]) for room in rooms)
        if n_found > max(self.n_groups // CROWDED, FEW):
            self.steps = max(self.steps // 2, FEW)
        elif n_found < max(self.n_groups // CROWDED, FEW) // 4:
            self.steps = min(self.steps * 2, self.longest)

    def make(self, rooms: Sequence[Move]) -> None:
        """Make the moves that were found worth it, if the models agree."""
        rooms = [room for room in rooms if room.numbers[CANDIDATES]]
        if not rooms:
            return
        if self.asking is None:
            allowed = [np.ones(room.numbers[CANDIDATES], dtype=np.bool_) for room in rooms]
        else:
            allowed = self.asking.allow(self.state, rooms)
        self.state.numbers[ROUND] += 1
        for room, may in zip(rooms, allowed, strict=True):
            if self.asking is not None and self.asking.asks_all:
                self._make_singly(room, may)
            else:
                self.n_taken += apply_moves(self.ordered.space, self.state, self.hand, room, may)
        if self.asking is not None:
            self.asking.changed(self.state)

    def _make_singly(self, room: Move, may: BoolArray) -> None:
        """Each move is undone if a model that looks at all groups does not agree."""
        assert self.asking is not None
        for i in np.flatnonzero(may):
            if self.n_asked_of_all >= MOST_ASKED_OF_ALL:
                return
            before = [np.copy(array) for array in self.state[:-1]]
            only = np.arange(len(may)) == i
            if not apply_moves(self.ordered.space, self.state, self.hand, room, only):
                continue
            self.n_asked_of_all += 1
            if self.asking.all_hold(self._parts(), self.least):
                self.n_taken += 1
                continue
            for array, old in zip(self.state[:-1], before, strict=True):
                array[...] = old

    def _pulse(self) -> Pulse:
        """For kernels whose steps are not what is reported."""
        return Pulse(np.zeros(1, dtype=np.int64), self.spread.watch.pulse().stop)

    def _list_all(self) -> None:
        """The rows near each row that could pay less."""
        paid = payments(self.state, len(self.ordered.rows))
        rows = np.flatnonzero(paid > self.ordered.space.rows.own)
        self._list(rows, paid[rows])

    def _list(self, rows: Int64Array, paid: FloatArray) -> None:
        asked, pulse = WIDER * paid + FURTHER, self._pulse()

        def work(chosen: Int64Array) -> None:
            find_near(self.ordered.space, self.near, rows[chosen], asked[chosen], pulse)

        self.spread(work, np.arange(len(rows)), np.full(len(rows), LISTING))

    def restore_best(self) -> None:
        """Go back to the best that was found; groups with the same cells are one there."""
        n_own = len(self.best.rows) - len(self._aside.rows)
        rows, groups = self.best.rows[:n_own], self.best.groups[:n_own]
        counts = self.best.counts[:n_own]
        total = int(self.state.numbers[ROOM_LEFT] + self.state.groups.n_records[0])
        room = total - int(counts[groups == 0].sum())
        n_rounds = self.state.numbers[ROUND]
        labels = np.unique(np.append(0, groups), return_inverse=True)[1][1:] - 1
        self.state = self._state_of(rows, counts, labels, room)
        if self.asking is None or self.asking.privacy.survives_merging:
            n_groups = int(labels.max(initial=-1)) + 1
            _, same = np.unique(self.state.boxes[1 : n_groups + 1], axis=0, return_inverse=True)
            labels = np.append(same.ravel(), SUPPRESSED)[labels]
            self.state = self._state_of(rows, counts, labels, room)
        if self.asking is not None:
            self.asking.changed(self.state)
        self.state.numbers[ROUND] = n_rounds

    def _state_of(
        self, rows: Int32Array, counts: Int64Array, labels: Int64Array, room: int
    ) -> State:
        of_table = self.ordered.rows[rows].astype(np.int32)
        none = np.zeros((int(labels.max(initial=-1)) + 1, 0), dtype=np.int32)  # state_of needs none
        start = Grouping(of_table, counts, labels.astype(np.int32), none, none)
        return state_of(start, self.ordered, self.least, room)

    @property
    def knows_all(self) -> bool:
        """Whether rows list all groups that cover them, and models were asked about all moves."""
        is_listed = int(self.state.links.n_cover.max(initial=0)) < self.state.cover.shape[1]
        return is_listed and self.n_asked_of_all < MOST_ASKED_OF_ALL

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

    def keep_best(self) -> None:
        cost = self.cost
        if cost < self.best_cost:
            self.best, self.best_cost = self._parts(), cost
