"""Segments of records that are cut in two again and again: Mondrian's work, and others'."""

from __future__ import annotations

import numpy as np

from shoal.group.parts.cell_widths import ruler_of
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.stats import stats_of_parts
from shoal.group.parts.threads import Spread
from shoal.group.parts.turns import InOrder, TakingTurns, few_values_first
from shoal.kernels import cuts as kernels
from shoal.kernels.boxes import group_boxes
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


class Segments:
    """The recursion of the paper, breadth first: a round handles every open segment.

    So the privacy models see thousands of halves in one call, and any model is fast.
    Parts of rows lie in one array, a segment is a run of them, and a cut reorders its run.
    """

    def __init__(self, table: Table, privacy: Privacy, turns: TakingTurns | InOrder) -> None:
        self.table = table
        self.privacy = privacy
        self.smallest = min(privacy.smallest, table.n_records + 1)  # a number that kernels can hold
        self.ruler = ruler_of(table)
        self.rows = np.arange(table.n_rows, dtype=np.int32)
        self.counts = table.weights.copy()
        self.starts = np.zeros(1, dtype=np.int64)
        self.ends = np.array([table.n_rows], dtype=np.int64)
        self.tried = np.zeros(1, dtype=np.int32)  # columns, widest first, that models refused
        self.turns = turns  # which of equally wide columns is cut
        self.holds, self.sizes = self._look(np.zeros(table.n_rows, dtype=np.int32), 1)
        self.open = np.zeros(1, dtype=np.int64)

    def cut_all(self, strict: bool, spread: Spread) -> None:
        """Cut until no segment is open; `strict` keeps equal codes on one side.

        Where it does not, the order of rows decides which of equal ones go left.
        """
        if not strict:
            order = few_values_first(self.table.codes, [axis.name for axis in self.table.axes])
            self.rows, self.counts = self.rows[order], self.counts[order]
        spread.watch.begin("records", self.table.n_records)
        while len(self.open):
            self.advance(strict, spread)
            spread.watch.report(self._n_done())

    def advance(self, strict: bool, spread: Spread) -> None:
        """Cut every open segment once, or close it, or let it try its next column."""
        cuts = self._propose(strict, spread)
        chosen = self.open[cuts.column[self.open] != kernels.NO_COLUMN]
        if not strict:
            self._separate(chosen, cuts)
        labels = np.full(len(self.rows), -1, dtype=np.int32)
        kernels.mark_sides(
            self.table.codes, self.rows, self.counts, self.starts, self.ends, chosen, cuts, labels
        )
        holds, sizes = self._look(labels, 2 * len(chosen))
        holds, sizes = holds.reshape(-1, 2), sizes.reshape(-1, 2)
        left, right = holds.T
        # A segment that fails as a whole has nothing to lose: one private half is a gain.
        is_allowed = (left & right) | (~self.holds[chosen] & (left | right))
        refused = chosen[~is_allowed]
        self.tried[refused] = cuts.rank[refused] + 1
        children = self._cut(chosen[is_allowed], labels, holds[is_allowed], sizes[is_allowed])
        self.open = np.concatenate([refused, children])

    def grouping(self) -> Grouping:
        """What the segments have become: groups in the order of their parts."""
        order = np.argsort(self.starts, kind="stable")
        sizes = (self.ends - self.starts)[order]
        labels = np.repeat(np.arange(len(order), dtype=np.int32), sizes)
        low, high = group_boxes(self.table.codes, self.rows, labels, len(order))
        return joined_parts(Grouping(self.rows, self.counts, labels, low, high))

    def _n_done(self) -> int:
        """How many records are as good as done: a round is the same work, and halves segments."""
        n_records, sizes = self.table.n_records, self.sizes[self.open]
        halvings = max(np.log(n_records / self.smallest), 1.0)
        to_do = np.maximum(1 - np.log(n_records / sizes) / halvings, 0)
        return n_records - int(np.ceil(sizes @ to_do))

    def _propose(self, strict: bool, spread: Spread) -> kernels.Cuts:
        n = len(self.starts)
        cuts = kernels.Cuts(
            column=np.full(n, kernels.NO_COLUMN, dtype=np.int32),
            code=np.zeros(n, dtype=np.int32),
            take=np.zeros(n, dtype=np.int64),
            rank=np.zeros(n, dtype=np.int32),
        )

        def propose(chosen: Int64Array) -> None:
            kernels.propose_cuts(
                self.table.codes, self.rows, self.counts, self.starts, self.ends, self.tried,
                self.ruler, self.turns.turns, self.smallest, strict, chosen, cuts,
            )  # fmt: skip

        spread(propose, self.open, (self.ends - self.starts)[self.open])
        return cuts

    def _separate(self, chosen: Int64Array, cuts: kernels.Cuts) -> None:
        """Split the parts that a relaxed cut goes through, so that each lies on one side."""
        parts, n_left = kernels.find_straddling(
            self.table.codes, self.rows, self.counts, self.starts, self.ends, chosen, cuts
        )
        in_order = np.argsort(parts)[np.count_nonzero(parts < 0) :]
        parts, n_left = parts[in_order], n_left[in_order]
        self.rows = np.insert(self.rows, parts, self.rows[parts])
        self.starts += np.searchsorted(parts, self.starts)
        self.ends += np.searchsorted(parts, self.ends)
        counts = np.insert(self.counts, parts, n_left)
        counts[parts + np.arange(1, len(parts) + 1)] -= n_left
        self.counts = counts

    def _look(self, labels: Int32Array, n_groups: int) -> tuple[BoolArray, Int64Array]:
        """Whether groups of parts would be private, and their records."""
        stats = stats_of_parts(
            self.table, rows=self.rows, counts=self.counts, labels=labels, n_groups=n_groups
        )
        return self.privacy.holds(stats), stats.entries

    def _cut(
        self, accepted: Int64Array, labels: Int32Array, holds: BoolArray, sizes: Int64Array
    ) -> Int64Array:
        """Cut the accepted segments; the left half keeps the number. Returns all halves."""
        middles = kernels.part_segments(
            self.rows, self.counts, self.starts, self.ends, accepted, labels
        )
        new = np.arange(len(self.starts), len(self.starts) + len(accepted))
        self.starts = np.concatenate([self.starts, middles])
        self.ends = np.concatenate([self.ends, self.ends[accepted]])
        self.ends[accepted] = middles
        self.turns.halve(accepted)
        self.tried[accepted] = 0
        self.tried = np.concatenate([self.tried, np.zeros(len(new), dtype=np.int32)])
        self.holds[accepted], self.sizes[accepted] = holds[:, 0], sizes[:, 0]
        self.holds = np.concatenate([self.holds, holds[:, 1]])
        self.sizes = np.concatenate([self.sizes, sizes[:, 1]])
        return np.concatenate([accepted, new])
