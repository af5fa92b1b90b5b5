"""Counting the groups of many combinations of columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np

from shoal.kernels.uniqueness import N_FIGURES, refine, tally_refined
from shoal.risks.choice import Places
from shoal.risks.rows import Rows
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.watch import Watch

Found = dict[Places, "Tally"]


class Tally(NamedTuple):
    """Groups of equal rows, groups of one record, and records in groups that are too small."""

    n_groups: int
    n_unique: int
    n_at_risk: int


class Partition(NamedTuple):
    """Groups of several rows, and the tally of those that were taken out."""

    rows: Int32Array
    starts: Int64Array
    tally: Int64Array

    @property
    def whole(self) -> tuple[Int32Array, Int64Array]:
        return self.rows, self.starts


@dataclass(frozen=True, eq=False, repr=False)
class Counter:
    """Counts combinations of columns of a table. The number of threads changes no figure."""

    table: Rows
    safe: int  # groups of fewer records are at risk
    threads: int = 1
    watch: Watch = field(default_factory=Watch)

    def everything(self) -> Partition:
        """All rows in one group: nothing is known."""
        n_rows = len(self.table.weights)
        if n_rows == 1:  # a group of one row is taken out wherever it appears
            place, starts = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
            return Partition(place, starts, np.array(self._single_row(), dtype=np.int64))
        rows = np.arange(n_rows, dtype=np.int32)
        starts = np.array([0, n_rows], dtype=np.int64)
        return Partition(rows, starts, np.zeros(N_FIGURES, dtype=np.int64))

    def refined(self, partition: Partition, places: Iterable[int]) -> Partition:
        for place in places:
            self.watch.check()
            rows, starts, tally = refine(*partition.whole, *self._column(place))
            partition = Partition(rows, starts, partition.tally + tally)
        return partition

    def tallied(self, partition: Partition, place: int) -> Tally:
        """The figures when one more column is known."""
        self.watch.check()
        tally = partition.tally + tally_refined(*partition.whole, *self._column(place))
        return Tally(*tally.tolist())

    def tally_of(self, partition: Partition) -> Tally:
        """The figures of a partition as it is."""
        nothing = np.zeros(len(self.table.weights), dtype=np.int32)
        more = tally_refined(*partition.whole, nothing, 1, self.table.weights, self.safe)
        return Tally(*(partition.tally + more).tolist())

    def count(self, wanted: Sequence[Places], known: Found) -> Found:
        """The tally of each combination; `known` holds those of one column less."""
        by_parent: dict[Places, list[Places]] = defaultdict(list)
        for places in wanted:
            by_parent[self._parent(places, known)].append(places)
        found: Found = {}
        with ThreadPoolExecutor(self.threads) as pool:
            for part in pool.map(self._count_children, by_parent.items()):  # an error ends it all
                found.update(part)
                self.watch.look()
        return {places: found[places] for places in wanted}

    def _count_children(self, task: tuple[Places, list[Places]]) -> Found:
        parent, children = task
        partition = self.refined(self.everything(), parent)
        done, found = self.watch.pulse().done, {}
        for places in children:
            found[places] = self.tallied(partition, *(set(places) - set(parent)))
            done[0] += 1
        return found

    def _parent(self, places: Places, known: Found) -> Places:
        """The combination of one column less that leaves least to do: it has most groups."""
        smaller = list(combinations(places, len(places) - 1))
        return max(smaller, key=lambda parent: known[parent].n_groups)

    def _column(self, place: int) -> tuple[Int32Array, int, Int64Array, int]:
        table = self.table
        return table.columns[place], table.n_codes[place], table.weights, self.safe

    def _single_row(self) -> Tally:
        n = self.table.n_records
        return Tally(1, int(n == 1), n if n < self.safe else 0)


def without_each(counter: Counter, ranking: Sequence[int]) -> dict[int, Tally]:
    """For each column, the tally of all others together.

    Halves are refined by the columns of the other half, and again inside: every column takes part
    in log2(columns) refinements instead of in all of them.
    """
    found: dict[int, Tally] = {}

    def leave_out(places: Sequence[int], partition: Partition) -> None:
        if len(places) == 1:
            found[places[0]] = counter.tally_of(partition)
            return
        middle = len(places) // 2
        first, second = places[:middle], places[middle:]
        leave_out(first, counter.refined(partition, second))
        leave_out(second, counter.refined(partition, first))

    leave_out(ranking, counter.everything())
    return found
