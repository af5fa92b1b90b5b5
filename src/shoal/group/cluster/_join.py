"""Records that no cluster took join the one whose diversity rises least (step 9 of TGC)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.group.cluster._diversity import Measured
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.threads import Spread
from shoal.kernels.boxes import group_boxes
from shoal.kernels.s_diversity import pair_sums
from shoal.kernels.tgc import Scale
from shoal.kernels.tgc_clusters import Clusters, chain_records
from shoal.kernels.tgc_join import join_clusters
from shoal.kernels.value_counts import count_values
from shoal.types.arrays import FloatArray, Int32Array
from shoal.types.grouping import Grouping
from shoal.types.table import Table


class Joined(NamedTuple):
    """One entry for each record, and what the clusters have become."""

    rows: Int32Array
    labels: Int32Array
    clusters: Clusters

    @property
    def spreads(self) -> FloatArray:
        return np.asarray(self.clusters.costs.sum(axis=1))

    @property
    def s_diversities(self) -> FloatArray:
        """Added up over the sensitive columns."""
        return np.asarray(self.clusters.sums / self.clusters.sizes.astype(np.float64) ** 2)

    def grouping(self) -> Grouping:
        ones = np.ones(len(self.rows), dtype=np.int64)
        low, high = self.clusters.low, self.clusters.high
        return joined_parts(Grouping(self.rows, ones, self.labels, low, high))


def join_left_over(
    measured: Measured, rows: Int32Array, labels: Int32Array, spread: Spread
) -> Joined:
    """Place the records with the label -1, row by row; there must be a cluster."""
    table, scale, buckets = measured
    is_left = labels < 0
    waiting, counts = np.unique(rows[is_left], return_counts=True)
    rows, labels = rows[~is_left], labels[~is_left]
    clusters = _clusters(table, scale, rows, labels, n_more=int(counts.sum()))
    spread.watch.begin("records", int(counts.sum()))
    joined = spread.aside(
        lambda: join_clusters(
            table.codes, table.sensitive, waiting.astype(np.int64), counts, scale, clusters,
            buckets, spread.watch.pulse(),
        )
    )  # fmt: skip
    return Joined(
        np.concatenate([rows, np.repeat(waiting, counts)]),
        np.concatenate([labels, joined.astype(np.int32)]),
        clusters,
    )


def _clusters(
    table: Table, scale: Scale, rows: Int32Array, labels: Int32Array, *, n_more: int
) -> Clusters:
    sizes = np.bincount(labels).astype(np.int64)
    low, high = group_boxes(table.codes, rows, labels, len(sizes))
    heads, following, room = chain_records(rows, labels, len(sizes), n_more)
    return Clusters(
        low=low,
        high=high,
        sizes=sizes,
        sums=_pair_sums(table, scale, rows, labels),
        costs=np.zeros(low.shape),
        heads=heads,
        following=following,
        rows=room,
    )


def _pair_sums(table: Table, scale: Scale, rows: Int32Array, labels: Int32Array) -> FloatArray:
    n_clusters = int(labels.max()) + 1
    total = np.zeros(n_clusters)
    ones = np.ones(len(rows), dtype=np.int64)
    for i, column in enumerate(table.sensitive_columns):
        values = np.ascontiguousarray(table.sensitive[rows, i])
        found = count_values(labels, values, ones, n_clusters, column.n_codes)
        total += pair_sums(*found, scale.likeness, i, np.arange(n_clusters))
    return total
