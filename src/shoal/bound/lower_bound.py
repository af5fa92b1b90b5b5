"""A loss below which no release of a table can be.

A record pays what the node costs at which it is published, and a node needs k records. Give every
record a value such that the k largest values below any node are at most k times the node's cost.
Then no group pays less than the values of its records, whatever its size; so no release pays less
than the values of all. The largest total of such values is a linear program, the dual of facility
location with a lower bound on open facilities.

It has too many limits to list. Those that matter are found in rounds: raise the values as far as
the limits known so far allow, walk through all nodes, and add the limits that are exceeded. After
each round a copy of the values is lowered until every node's limit is kept, in whole numbers: the
total of those values is a bound, however good or bad the search for them was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.bound.covers import ONE, SAFE, Cover, covers_of, whole_cost
from shoal.bound.limits_found import LimitsFound
from shoal.bound.walk import OutOfWork, Walk, Work
from shoal.kernels.bound import Broken, broken_limits, cheapest_costs, keep_limits
from shoal.types.algorithm import Limits
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.bound import Bound
from shoal.types.privacy import Privacy
from shoal.types.table import Table
from shoal.types.watch import Watch

WORK = 4_000_000_000  # rows looked at
MOST_NODES = 20_000  # of one row: combinations of layers
SHARE_OF_FIRST = 10  # the first walk may take so much of the work, or columns are simplified
ROUNDS = 40
CLOSE = 0.0005  # between the bound and what the limits known so far allow: then it ends
START = 1.5  # times what each record pays at least: where the first limits are looked for


def lower_bound(
    table: Table, privacy: Privacy, limits: Limits, *, work: int | None = None
) -> Bound:
    """The least loss that any local recoding can have, or a little less.

    More `work` brings it closer to the value of the linear program. It follows from the size of
    groups: what models demand besides is not used.
    """
    if privacy.smallest <= 1:
        return Bound(None, reason="No model of the policy says how large a group must be.")
    paid = _least_paid(table, privacy.smallest, limits, Work(work or WORK))
    whole = sum(map(whole_cost, table.axes))
    n_cells = (table.n_records + limits.already_suppressed) * len(table.axes)
    total = Fraction(paid + limits.already_suppressed * whole, ONE * n_cells)
    # Rounded down by more than the sums of a measure are rounded by.
    return Bound(float(total) * SAFE, is_of_policy=_is_of_sizes(privacy))


def _is_of_sizes(privacy: Privacy) -> bool:
    """Whether the models demand a size of groups and nothing else."""
    return all(
        model.about.column is None
        and model.about.population is None
        and model.about.k == model.smallest
        for model in privacy
    )


def _least_paid(table: Table, k: int, limits: Limits, work: Work) -> int:
    codes, counts = _different_rows(table)
    limits.watch.begin("rounds of the bound", ROUNDS)
    begun = _begin(table, codes, counts, k, limits.watch, work)
    if begun is None:
        return 0
    walk, cheapest = begun
    whole = sum(map(whole_cost, table.axes))
    search = _Search(walk, k, cheapest, limits.suppression, whole)
    try:
        for done in range(ROUNDS):
            if search.is_close():
                break
            search.improve(work)
            limits.watch.report(done + 1)
    except OutOfWork:
        pass
    return search.best


def _different_rows(table: Table) -> tuple[Int32Array, Int64Array]:
    """Rows that differ in quasi-identifiers: [quasi-identifiers, rows], and their records."""
    is_new = np.append(True, (table.codes[1:] != table.codes[:-1]).any(axis=1))
    begins = np.flatnonzero(is_new)
    return np.ascontiguousarray(table.codes[begins].T), np.add.reduceat(table.weights, begins)


def _begin(
    table: Table, codes: Int32Array, counts: Int64Array, k: int, watch: Watch, work: Work
) -> tuple[Walk, Int64Array] | None:
    """What each row pays at least by itself, with covers that are as fine as the work allows."""
    choices = [covers_of(axis, codes[i]) for i, axis in enumerate(table.axes)]
    whole = sum(map(whole_cost, table.axes))
    for covers in _simpler_and_simpler(choices):
        walk = Walk(codes, counts, covers, k, watch)
        cheapest = np.full(len(counts), whole + 1, dtype=np.int64)
        attempt = Work(min(work.most // SHARE_OF_FIRST, work.most - work.done))
        try:
            for classes in walk(cheapest, 1, attempt):
                cheapest_costs(classes, cheapest)
        except OutOfWork:
            work.done += attempt.done
            continue
        work.done += attempt.done
        return walk, np.minimum(cheapest, whole)
    return None


def _simpler_and_simpler(choices: list[tuple[Cover, ...]]) -> Iterator[tuple[Cover, ...]]:
    """One cover for each column; from time to time one with most layers gives way to a coarser."""
    at = [0] * len(choices)
    while True:
        covers = tuple(found[i] for found, i in zip(choices, at, strict=True))
        sizes = [len(cover) for cover in covers]
        if float(np.prod(np.array(sizes, dtype=np.float64))) <= MOST_NODES:
            yield covers
        column = int(np.argmax(sizes))
        if sizes[column] == 1:
            return
        at[column] += 1


@dataclass(eq=False, repr=False)
class _Search:
    walk: Walk
    k: int
    cheapest: Int64Array
    n_suppressed: int  # at most
    whole: int  # what a suppressed record pays

    def __post_init__(self) -> None:
        self.limits = LimitsFound.none()
        self.kept = self.cheapest  # values that keep every limit
        self.best = self._total(self.kept)
        self.hoped = float("inf")  # what the limits found so far allow
        self.values = np.append(self.cheapest, 0) / ONE  # the last is the price of suppression
        self.ceilings = self.values * self.k
        self.ceilings[-1] = self.k * self.whole / ONE
        self._limit_by_suppression()

    def is_close(self) -> bool:
        return self.hoped * ONE <= self.best * (1 + CLOSE)

    def improve(self, work: Work) -> None:
        """One round: limits that are exceeded, values within all limits, values that count."""
        start = self.cheapest * START if not len(self.limits.most) else self.values[:-1] * ONE
        self._add_exceeded(start.astype(np.int64), work)
        watch = self.walk.watch
        gains = np.append(self.walk.counts, -self.n_suppressed).astype(np.float64)
        near = np.append(2 * self.kept + self.cheapest // 2, self.k * self.whole) / ONE
        ceilings = np.minimum(self.ceilings, near)
        self.values = self.limits.ascend(
            self.values, gains=gains, ceilings=ceilings, work=work, watch=watch
        )
        self.hoped = float(gains @ self.values)
        self.limits.forget(self.values)
        self._keep((self.values[:-1] * ONE).astype(np.int64), work)

    def _add_exceeded(self, values: Int64Array, work: Work) -> None:
        n_limits_of = np.zeros(len(values), dtype=np.int64)
        enough = max(4, self.k // 4)
        broken = [
            broken_limits(classes, self.walk.counts, values, self.k, n_limits_of, enough)
            for classes in self.walk(values, self.k, work)
        ]
        self.limits.add(broken)

    def _keep(self, values: Int64Array, work: Work) -> None:
        """Lower values until every limit is kept, and remember them if they are the best."""
        for classes in self.walk(values, self.k, work):
            keep_limits(classes, self.walk.counts, values, self.k)
        total = self._total(values)
        if total > self.best:
            self.best, self.kept = total, values

    def _total(self, values: Int64Array) -> int:
        """What all records pay at least, those suppressed who would pay most otherwise."""
        saved = np.maximum(values - self.whole, 0)
        order = np.argsort(-saved, kind="stable")
        before = np.cumsum(self.walk.counts[order]) - self.walk.counts[order]
        n_saved = np.clip(self.n_suppressed - before, 0, self.walk.counts[order])
        return int(values @ self.walk.counts) - int(saved[order] @ n_saved)

    def _limit_by_suppression(self) -> None:
        """A suppressed record pays for all its cells; more only as far as too many would be."""
        rows = np.flatnonzero(self.ceilings[:-1] * ONE > self.whole).astype(np.int32)
        if not self.n_suppressed or not len(rows):
            return
        pairs = np.column_stack([rows, np.full_like(rows, len(self.cheapest))])
        self.limits.add(
            [
                Broken(
                    rows=pairs.ravel(),
                    taken=np.tile(np.array([1, -1]), len(rows)),
                    begins=2 * np.arange(len(rows) + 1),
                    most=np.full(len(rows), self.whole),
                )
            ]
        )
