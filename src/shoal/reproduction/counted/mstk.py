"""Prim's algorithm over all pairs, counted; the classes are those of MSTK (Venkata Ramana)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.group.cluster.mstk import Mstk
from shoal.reproduction.counted.k_member import Scan
from shoal.reproduction.counted.records import Records
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class CountedMstk(Algorithm):
    """Every pair of records is compared once, with one row of distances in memory."""

    @property
    def traits(self) -> Traits:
        return Traits(seeded=False)

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        scan = Scan(Records.of(table))
        weight = tree_weight(scan)
        grouping = Mstk().group(table, privacy, limits)
        counted = {"evaluations": scan.evaluations, "tree": weight}
        return replace(grouping, trace={**grouping.trace, **counted})


def tree_weight(scan: Scan) -> float:
    """The weight of a minimum spanning tree, both records climbing to their common ancestor."""
    left = np.arange(1, scan.records.n)
    nearest = scan.costs(scan.box(0), left)
    total = 0.0
    while len(left):
        best = int(nearest.argmin())
        total += 2 * float(nearest[best])
        record = int(left[best])
        left, nearest = np.delete(left, best), np.delete(nearest, best)
        nearest = np.minimum(nearest, scan.costs(scan.box(record), left))
    return total
