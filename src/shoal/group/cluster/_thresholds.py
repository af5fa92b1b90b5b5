"""How diverse a cluster may be: tried on a sample of the records (TGC, Algorithm 3)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.group.cluster._diversity import Measured
from shoal.group.cluster._join import Joined, join_left_over
from shoal.group.parts.threads import Spread
from shoal.kernels import tgc as kernels
from shoal.kernels.tgc import Found, Rules, Scale
from shoal.types.algorithm import Limits
from shoal.types.arrays import FloatArray, Int64Array
from shoal.types.table import Table

SHARE = 0.025  # of the records are tried
MOST = 1000  # records are tried, if that is twenty clusters of k
CLUSTERS = 20
ITERATIONS = 5


class Thresholds(NamedTuple):
    delta: float  # a cluster takes no record that would make it more diverse
    delta_prime: float | None  # subspaces are not cut where a half's S-diversity would be higher


def grid(iterations: int) -> list[float]:
    """The middles of 2, 4, 8, ... equal parts of [0, 1], ascending.

    >>> grid(2)
    [0.125, 0.25, 0.375, 0.625, 0.75, 0.875]
    """
    return sorted(
        (2 * j - 1) / 2 ** (i + 1) for i in range(1, iterations + 1) for j in range(1, 2**i + 1)
    )


def choose_thresholds(
    measured: Measured, rules: Rules, limits: Limits, spread: Spread
) -> Thresholds:
    """The delta with which clusters of a sample cost least on average; of equal ones the smallest.

    A run is the same for all deltas down to the highest cost that it met within its own.
    """
    random = np.random.default_rng([limits.seed, 3])
    parts = _sample(measured.table, rules.k, random)
    draws = random.random(int(parts.counts.sum()))
    best, best_cost = Thresholds(1.0, None), math.inf
    lowest, cost, protection = math.inf, math.inf, None
    for delta in reversed(grid(ITERATIONS)):
        if delta < lowest - kernels.CLOSE:
            found = grow(measured, parts, draws, rules._replace(delta=delta), spread)
            lowest = float(found.highest[0])
            cost, protection = math.inf, None
            if found.n_accepted[0] > 0:
                joined = join_left_over(measured, found.rows, found.clusters, spread)
                cost = mean_cost(joined, measured.scale)
                protection = float(joined.s_diversities.mean())
        if cost <= best_cost + kernels.CLOSE and cost < math.inf:
            best, best_cost = Thresholds(delta, protection), min(cost, best_cost)
    return best


def mean_cost(joined: Joined, scale: Scale) -> float:
    costs = scale.utility * joined.spreads + scale.protection * joined.s_diversities
    return float(costs.mean())


def grow(
    measured: Measured, parts: kernels.Parts, draws: FloatArray, rules: Rules, spread: Spread
) -> Found:
    """Algorithm 1 in all parts."""
    table, found = measured.table, room_for(parts)

    def work(share: Int64Array) -> None:
        kernels.grow_parts(
            table.codes, table.sensitive, parts, share, draws, measured.scale, rules, found,
            spread.watch.pulse(),
        )  # fmt: skip

    spread.watch.begin("records", int(parts.counts.sum()))
    # The work of a part is the square of its rows.
    spread(work, np.arange(len(parts.starts)), (parts.ends - parts.starts) ** 2)
    return found


def room_for(parts: kernels.Parts) -> Found:
    n_records, n_parts = int(parts.counts.sum()), len(parts.starts)
    return Found(
        rows=np.empty(n_records, dtype=np.int32),
        clusters=np.empty(n_records, dtype=np.int32),
        n_accepted=np.zeros(n_parts, dtype=np.int64),
        n_rejected=np.zeros(n_parts, dtype=np.int64),
        highest=np.zeros(n_parts, dtype=np.float64),
    )


def _sample(table: Table, k: int, random: np.random.Generator) -> kernels.Parts:
    """Some of the records as one part, none of them twice."""
    n_records = table.n_records
    n_tried = min(n_records, max(CLUSTERS * k, min(MOST, math.ceil(SHARE * n_records))))
    records: Int64Array = np.sort(random.choice(n_records, n_tried, replace=False, shuffle=False))
    of_record = np.searchsorted(np.cumsum(table.weights), records, side="right")
    rows, counts = np.unique(of_record, return_counts=True)
    return kernels.Parts(
        rows=rows.astype(np.int32),
        counts=counts.astype(np.int64),
        starts=np.array([0]),
        ends=np.array([len(rows)]),
        firsts=np.array([0]),
    )
