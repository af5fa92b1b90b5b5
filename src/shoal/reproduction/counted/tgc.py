"""Threshold-based greedy clustering to the letter (Loukides and Shao 2008), counted.

What is corrected is only what the paper contradicts itself in, or what would not end: the number of
sensitive columns in the cost, `sd <= delta'` before a cut, the end of a loop, and one cluster of
everything where none is accepted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from shoal.reproduction.counted.records import CLOSE, Likeness, Records, shares_of_leaves
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table

SHARE, CLUSTERS, ITERATIONS = 0.025, 20, 5  # Algorithm 3: the sample, at least, and how often


class Clusters(NamedTuple):
    """The members of accepted and of rejected clusters."""

    accepted: list[Int64Array]
    rejected: list[Int64Array]


@dataclass(frozen=True)
class CountedTgc(Algorithm):
    """TGC as it is printed. `s` 0: no pre-partitioning; `delta_prime` inf: cuts by size alone."""

    utility: float = 0.5
    r: float = 1.0
    s: int | None = None
    delta: float | None = None
    delta_prime: float | None = None

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        k = privacy.smallest
        costs = Costs(Records.of(table), self.utility, self.r)
        delta, delta_prime = self.delta, self.delta_prime
        if delta is None or delta_prime is None:
            found = choose(costs, k, np.random.default_rng([limits.seed, 3]))
            delta = found[0] if delta is None else delta
            delta_prime = found[1] if delta_prime is None else delta_prime
        costs.evaluations = 0
        s = 5 * k if self.s is None else self.s
        everybody = np.arange(costs.records.n)
        parts = [everybody] if s == 0 else cut(costs, everybody, s, delta_prime)
        rng = np.random.default_rng([limits.seed, 1])
        found_in = [grow(costs, part, k, delta, rng) for part in parts]
        n_growing = costs.evaluations
        accepted = [cluster for found in found_in for cluster in found.accepted]
        rejected = [cluster for found in found_in for cluster in found.rejected]
        labels = join(costs, accepted, rejected)
        return costs.records.grouping(
            labels,
            delta=delta,
            delta_prime=delta_prime,
            evaluations=costs.evaluations,
            growing=n_growing,
            largest_part=max(map(len, parts)),
            accepted=len(accepted),
            rejected_records=sum(map(len, rejected)),
            largest=int(np.bincount(labels).max()),
        )


class Costs:
    """What clusters cost: weighted tuple diversity, and how often it was computed."""

    def __init__(self, records: Records, utility: float, r: float) -> None:
        self.records, axes = records, records.table.axes
        self.weight, self.r = utility, r
        self.widths = [shares_of_leaves(axis) for axis in axes]
        self.likeness = [Likeness(column, r) for column in records.table.sensitive_columns]
        self.of_width = utility / len(axes)
        self.of_likeness = (1 - utility) / max(len(self.likeness), 1)
        self.evaluations = 0

    def like(self, record: int, others: Int64Array) -> FloatArray:
        """How alike a record and others are, added up over the sensitive columns."""
        total = np.zeros(len(others))
        for i, likeness in enumerate(self.likeness):
            values = self.records.sensitive[i]
            total += likeness.to(int(values[record]), values[others])
        return total

    def protection(self, members: Int64Array) -> float:
        """S-diversity of a set of records, added up over the sensitive columns."""
        values = self.records.sensitive[:, members]
        total = sum(like.total(own) for like, own in zip(self.likeness, values, strict=True))
        return total / len(members) ** 2

    def utility(self, members: Int64Array) -> float:
        """Q-diversity of a set of records, added up over the quasi-identifiers."""
        codes = self.records.codes[:, members]
        return sum(
            float(width(low, high))
            for width, low, high in zip(
                self.widths, codes.min(axis=1), codes.max(axis=1), strict=True
            )
        )


class Cluster:
    """A cluster that grows, and what it would cost with each of the free records."""

    def __init__(self, costs: Costs, free: Int64Array, seed: int) -> None:
        self._costs, self.free = costs, free
        codes = costs.records.codes[:, seed]
        self.low, self.high = codes.copy(), codes.copy()
        self._codes = costs.records.codes[:, free]
        self._width = np.stack([self._widths(i) for i in range(len(codes))])
        self._like = costs.like(seed, free)
        self._pairs = float(len(costs.likeness))  # of all pairs of members, with themselves
        self._gone = np.zeros(len(free))  # inf where a record has joined
        self.members, self.n_free = [seed], len(free)

    def with_each(self) -> FloatArray:
        n, own = len(self.members) + 1, len(self._costs.likeness)
        self._costs.evaluations += self.n_free
        spread = self._costs.of_width * self._width.sum(axis=0) + self._gone
        alike = (self._pairs + 2 * self._like + own) / n**2
        costs: FloatArray = spread + self._costs.of_likeness * alike
        return costs

    def add(self, place: int) -> None:
        record = int(self.free[place])
        self._pairs += 2 * self._like[place] + len(self._costs.likeness)
        self.members.append(record)
        self._gone[place] = math.inf
        self.n_free -= 1
        if 2 * self.n_free < len(self.free):
            self._forget()
        self._like += self._costs.like(record, self.free)
        codes = self._costs.records.codes[:, record]
        for i in np.flatnonzero((codes < self.low) | (codes > self.high)).tolist():
            self.low[i], self.high[i] = min(self.low[i], codes[i]), max(self.high[i], codes[i])
            self._width[i] = self._widths(i)

    def left(self) -> Int64Array:
        left: Int64Array = self.free[self._gone == 0]
        return left

    def _forget(self) -> None:
        """Those that joined, so that later looks are shorter."""
        stays = self._gone == 0
        self.free, self._codes = self.free[stays], self._codes[:, stays]
        self._width, self._like = self._width[:, stays], self._like[stays]
        self._gone = np.zeros(len(self.free))

    def _widths(self, i: int) -> FloatArray:
        low, high = (
            np.minimum(self.low[i], self._codes[i]),
            np.maximum(self.high[i], self._codes[i]),
        )
        return self._costs.widths[i](low, high)


def grow(
    costs: Costs, part: Int64Array, k: int, delta: float, rng: np.random.Generator
) -> Clusters:
    """Algorithm 1, lines 1 to 8."""
    accepted: list[Int64Array] = []
    rejected: list[Int64Array] = []
    free = part
    while len(free):
        seed = int(rng.integers(len(free)))
        cluster = Cluster(costs, np.delete(free, seed), int(free[seed]))
        while cluster.n_free:
            found = cluster.with_each()
            best = int(found.argmin())
            if found[best] > delta + CLOSE:
                break
            cluster.add(best)
        free = cluster.left()
        members = np.array(cluster.members)
        (accepted if len(members) >= k else rejected).append(members)
    return Clusters(accepted, rejected)


def join(costs: Costs, accepted: list[Int64Array], rejected: list[Int64Array]) -> Int64Array:
    """Line 9: each rejected record to the cluster whose cost rises least; one cluster if none."""
    labels = np.zeros(costs.records.n, dtype=np.int64)
    if not accepted:
        return labels
    for i, members in enumerate(accepted):
        labels[members] = i
    state = Joining(costs, accepted)
    for record in np.sort(np.concatenate([np.empty(0, np.int64), *rejected])):
        labels[record] = state.place(int(record))
    return labels


class Joining:
    """All clusters at once, for records that look for theirs."""

    def __init__(self, costs: Costs, clusters: list[Int64Array]) -> None:
        self._costs, codes = costs, costs.records.codes
        self.low = np.stack([codes[:, c].min(axis=1) for c in clusters], axis=1)
        self.high = np.stack([codes[:, c].max(axis=1) for c in clusters], axis=1)
        self.sizes = np.array([len(c) for c in clusters], dtype=np.float64)
        self._pairs = np.array([costs.protection(c) for c in clusters]) * self.sizes**2
        self._width = self._widths(self.low, self.high)
        self._members = np.concatenate(clusters)  # and whose they are
        self._clusters = np.repeat(np.arange(len(clusters)), [len(c) for c in clusters])

    def place(self, record: int) -> int:
        codes = self._costs.records.codes[:, record][:, np.newaxis]
        low, high = np.minimum(self.low, codes), np.maximum(self.high, codes)
        width = self._widths(low, high)
        to_members = self._costs.like(record, self._members)
        like = np.bincount(self._clusters, to_members, minlength=len(self.sizes))
        pairs = self._pairs + 2 * like + len(self._costs.likeness)
        rise = self._costs.of_width * (width - self._width) + self._costs.of_likeness * (
            pairs / (self.sizes + 1) ** 2 - self._pairs / self.sizes**2
        )
        self._costs.evaluations += len(rise)
        best = int(rise.argmin())
        self.low[:, best], self.high[:, best] = low[:, best], high[:, best]
        self._width[best], self._pairs[best] = width[best], pairs[best]
        self.sizes[best] += 1
        self._members = np.append(self._members, record)
        self._clusters = np.append(self._clusters, best)
        return best

    def _widths(self, low: Int32Array, high: Int32Array) -> FloatArray:
        total = np.zeros(low.shape[1])
        for i, width in enumerate(self._costs.widths):
            total += width(low[i], high[i])
        return total


def cut(costs: Costs, part: Int64Array, s: int, delta_prime: float) -> list[Int64Array]:
    """Algorithm 2: halves at the median of the widest column, equal values or not."""
    codes = costs.records.codes[:, part]
    axes = costs.records.table.axes
    ranges = [
        axis.positions[high] - axis.positions[low]
        for axis, low, high in zip(axes, codes.min(axis=1), codes.max(axis=1), strict=True)
    ]
    widest = int(np.argmax(ranges))
    if ranges[widest] == 0:
        return [part]
    in_order = part[np.argsort(codes[widest], kind="stable")]
    halves = in_order[: len(part) // 2], in_order[len(part) // 2 :]
    if min(map(len, halves)) < s:
        return [part]
    if any(costs.protection(half) > delta_prime + CLOSE for half in halves):
        return [part]
    return [piece for half in halves for piece in cut(costs, np.sort(half), s, delta_prime)]


def choose(costs: Costs, k: int, rng: np.random.Generator) -> tuple[float, float]:
    """Algorithm 3: the delta of 62 with the least utility + protection on a sample."""
    n = costs.records.n
    n_sample = min(n, max(CLUSTERS * k, math.ceil(SHARE * n)))
    drawn = np.sort(rng.integers(n, size=n_sample))
    sample = Costs(
        replace(costs.records, row_of=costs.records.row_of[drawn]), costs.weight, costs.r
    )
    seed = int(rng.integers(2**31))
    best = (math.inf, 1.0, math.inf)
    deltas = sorted({(2 * j - 1) / 2 ** (i + 1) for i in range(1, ITERATIONS + 1)
                     for j in range(1, 2**i + 1)})  # fmt: skip
    for delta in deltas:
        score, protection = judged(sample, k, delta, np.random.default_rng(seed))
        if score < best[0] - CLOSE:
            best = (score, delta, protection)
    return best[1], best[2]


def judged(costs: Costs, k: int, delta: float, rng: np.random.Generator) -> tuple[float, float]:
    """Utility + protection of a run on all records, and its protection; inf if none is accepted."""
    found = grow(costs, np.arange(costs.records.n), k, delta, rng)
    if not found.accepted:
        return math.inf, math.inf
    labels = join(costs, found.accepted, found.rejected)
    order = np.argsort(labels, kind="stable")
    clusters = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    utility = sum(map(costs.utility, clusters)) / len(clusters)
    protection = sum(map(costs.protection, clusters)) / len(clusters)
    return utility + protection, protection
