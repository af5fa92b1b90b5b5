"""Counting the groups of many combinations of columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from shoal.kernels.uniqueness import refine
from shoal.risks.choice import Places
from shoal.risks.rows import Rows
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.watch import Watch

Found = dict[Places, "Tally"]


class Tally(NamedTuple):
    """Groups of equal rows, and how many records or people are alone, or in too small a group.

    `n_found`: how many are found, on average, if each is guessed once among those who look alike.
    One of n equal records is found, so of records it is the number of groups.
    """

    n_groups: int
    n_unique: int
    n_at_risk: int
    n_found: float


Settled = TypeVar("Settled")


class Partition(NamedTuple, Generic[Settled]):
    """Groups of several rows, and what is known of those that were taken out."""

    rows: Int32Array
    starts: Int64Array
    settled: Settled

    @property
    def whole(self) -> tuple[Int32Array, Int64Array]:
        return self.rows, self.starts


@dataclass(frozen=True, eq=False, repr=False)
class Counter(ABC, Generic[Settled]):
    """Counts combinations of columns of a table. The number of threads changes no figure."""

    table: Rows
    safe: int  # groups of fewer are at risk
    threads: int = 1
    watch: Watch = field(default_factory=Watch)

    @abstractmethod
    def nothing(self) -> Settled:
        """What is known before any group was taken out."""

    @abstractmethod
    def with_alone(self, settled: Settled, rows: Int32Array) -> Settled:
        """The same and rows each of which is a group."""

    @abstractmethod
    def tally_of(self, partition: Partition[Settled]) -> Tally:
        """The figures of a partition as it is."""

    def everything(self) -> Partition[Settled]:
        """All rows in one group: nothing is known."""
        n_rows = len(self.table.weights)
        rows = np.arange(n_rows, dtype=np.int32)
        if n_rows == 1:  # a group of one row is taken out wherever it appears
            return Partition(rows[:0], np.zeros(1, np.int64), self.with_alone(self.nothing(), rows))
        return Partition(rows, np.array([0, n_rows], dtype=np.int64), self.nothing())

    def refined(self, partition: Partition[Settled], places: Iterable[int]) -> Partition[Settled]:
        for place in places:
            self.watch.check()
            rows, starts, alone = refine(*partition.whole, *self._column(place))
            partition = Partition(rows, starts, self.with_alone(partition.settled, alone))
        return partition

    def tallied(self, partition: Partition[Settled], place: int) -> Tally:
        """The figures when one more column is known."""
        return self.tally_of(self.refined(partition, [place]))

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

    def _column(self, place: int) -> tuple[Int32Array, int]:
        return self.table.columns[place], self.table.n_codes[place]


def without_each(counter: Counter[Settled], ranking: Sequence[int]) -> dict[int, Tally]:
    """For each column, the tally of all others together.

    Halves are refined by the columns of the other half, and again inside: every column takes part
    in log2(columns) refinements instead of in all of them.
    """
    found: dict[int, Tally] = {}

    def leave_out(places: Sequence[int], partition: Partition[Settled]) -> None:
        if len(places) == 1:
            found[places[0]] = counter.tally_of(partition)
            return
        middle = len(places) // 2
        first, second = places[:middle], places[middle:]
        leave_out(first, counter.refined(partition, second))
        leave_out(second, counter.refined(partition, first))

    leave_out(ranking, counter.everything())
    return found
