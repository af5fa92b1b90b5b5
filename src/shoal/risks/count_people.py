"""Counting people who have several rows: once in a group, and by the smallest that they are in."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.kernels.uniqueness import smallest_of_people
from shoal.risks.count import Counter, Partition, Tally
from shoal.types.arrays import Int32Array, Int64Array


class SettledPeople(NamedTuple):
    """What groups that were taken out say of people.

    `n_at`: by the number of people in a group, how many are in one who have no other row;
    `smallest`: for everybody with several rows, the people of the smallest group with one of them.
    """

    n_groups: int
    n_at: Int64Array
    smallest: Int32Array


class PeopleCounter(Counter[SettledPeople]):
    """The size of a group is the number of different people with a row in it."""

    def nothing(self) -> SettledPeople:
        table = self.table
        smallest = np.full(table.n_owners, table.n, dtype=np.int32)
        return SettledPeople(0, np.zeros(table.n + 1, dtype=np.int64), smallest)

    def with_alone(self, settled: SettledPeople, rows: Int32Array) -> SettledPeople:
        return self._with_groups(settled, rows, np.arange(len(rows) + 1))

    def tally_of(self, partition: Partition[SettledPeople]) -> Tally:
        settled = self._with_groups(partition.settled, *partition.whole)
        n_at = settled.n_at + np.bincount(settled.smallest, minlength=len(settled.n_at))
        sizes = np.flatnonzero(n_at)
        return Tally(
            n_groups=settled.n_groups,
            n_unique=int(n_at[1]),
            n_at_risk=int(n_at[: self.safe].sum()),
            n_found=math.fsum((n_at[sizes] / sizes).tolist()),
        )

    def _with_groups(
        self, settled: SettledPeople, rows: Int32Array, starts: Int64Array
    ) -> SettledPeople:
        weights, owners = self.table.weights, self.table.owners
        n_groups, *known = settled
        people = smallest_of_people(rows, starts, weights, owners, *known)
        return SettledPeople(n_groups + len(starts) - 1, *people)
