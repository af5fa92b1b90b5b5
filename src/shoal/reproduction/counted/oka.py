"""One-pass k-means as it is printed (Lin and Wei 2008), counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.reproduction.counted.records import Records, heights
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.arrays import BoolArray, FloatArray, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class CountedOka(Algorithm):
    """Records in sorted order to the nearest of n/k centroids; then clusters of k are made."""

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        k, records = privacy.smallest, Records.of(table)
        rng = np.random.default_rng([limits.seed, 1])
        seeds = np.sort(rng.choice(records.n, records.n // k, replace=False))
        clusters = Centroids(records, seeds)
        is_seed = np.isin(np.arange(records.n), seeds)
        for record in np.flatnonzero(~is_seed):
            clusters.add(clusters.closest(int(record)), int(record))
        assigned = clusters.labels.copy()
        for record in rng.permutation(clusters.trim(k)):
            small = clusters.sizes < k
            clusters.add(clusters.closest(int(record), small if small.any() else None), int(record))
        return records.grouping(
            clusters.labels,
            evaluations=clusters.evaluations,
            clusters=len(seeds),
            split_when_assigned=split_pairs(records.row_of, assigned),
            split_pairs=split_pairs(records.row_of, clusters.labels),
        )


def split_pairs(row_of: Int64Array, labels: Int64Array) -> float:
    """Which share of the pairs of records with the same quasi-identifiers is in two clusters."""
    _, of_rows = np.unique(row_of, return_counts=True)
    _, of_both = np.unique(np.stack([row_of, labels]), axis=1, return_counts=True)
    n_pairs, n_together = (float((n * (n - 1) // 2).sum()) for n in (of_rows, of_both))
    return 1 - n_together / n_pairs if n_pairs else 0.0


class Centroids:
    """Clusters by their centroids: means of numbers, lowest common ancestors of categories.

    A common ancestor is kept as the first and last leaf of the members.
    """

    def __init__(self, records: Records, seeds: Int64Array) -> None:
        self.records, axes = records, records.table.axes
        self._line = np.array([axis.on_a_line for axis in axes])
        self._widths = [heights(axis) for axis in axes]
        self._places = [axis.positions for axis in axes]
        self.low, self.high = records.codes[:, seeds].copy(), records.codes[:, seeds].copy()
        self.sums = np.stack([self._place(i, seeds) for i in range(len(axes))])
        self.sizes = np.ones(len(seeds), dtype=np.int64)
        self.labels = np.full(records.n, -1, dtype=np.int64)
        self.labels[seeds] = np.arange(len(seeds))
        self.evaluations = 0

    def closest(self, record: int, among: BoolArray | None = None) -> int:
        """The cluster with the least size times distance; of equal ones the first."""
        chosen = np.arange(len(self.sizes)) if among is None else np.flatnonzero(among)
        self.evaluations += len(chosen)
        far = self.sizes[chosen] * self._distances(np.array([record]), chosen)
        return int(chosen[far.argmin()])

    def add(self, cluster: int, record: int) -> None:
        codes = self.records.codes[:, record]
        self.low[:, cluster] = np.minimum(self.low[:, cluster], codes)
        self.high[:, cluster] = np.maximum(self.high[:, cluster], codes)
        for i in range(len(codes)):
            self.sums[i, cluster] += self._place(i, np.array([record]))[0]
        self.sizes[cluster] += 1
        self.labels[record] = cluster

    def trim(self, k: int) -> Int64Array:
        """Remove what is furthest from its centroid beyond k; gives the removed records."""
        removed = []
        for cluster in np.flatnonzero(self.sizes > k):
            members = np.flatnonzero(self.labels == cluster)
            self.evaluations += len(members)
            far = self._distances(members, np.array([cluster]))
            gone = members[np.argsort(far, kind="stable")[k:]]
            self.labels[gone] = -1
            removed.append(gone)
            self._again(int(cluster))
        return np.sort(np.concatenate([np.empty(0, np.int64), *removed]))

    def _again(self, cluster: int) -> None:
        members = np.flatnonzero(self.labels == cluster)
        codes = self.records.codes[:, members]
        self.low[:, cluster], self.high[:, cluster] = codes.min(axis=1), codes.max(axis=1)
        self.sums[:, cluster] = [self._place(i, members).sum() for i in range(len(codes))]
        self.sizes[cluster] = len(members)

    def _distances(self, records: Int64Array, clusters: Int64Array) -> FloatArray:
        """D of a record and a centroid: one record and many clusters, or the other way."""
        total = np.zeros(max(len(records), len(clusters)))
        for i, width in enumerate(self._widths):
            if self._line[i]:
                means = self.sums[i, clusters] / self.sizes[clusters]
                total += np.abs(self._place(i, records) - means)
            else:
                codes = self.records.codes[i][records]
                low = np.minimum(self.low[i, clusters], codes)
                total += width(low, np.maximum(self.high[i, clusters], codes))
        return total

    def _place(self, i: int, records: Int64Array) -> FloatArray:
        found: FloatArray = self._places[i][self.records.codes[i][records]]
        return found
