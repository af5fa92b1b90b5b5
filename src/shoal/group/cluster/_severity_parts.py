"""Parts of a table in which severity is balanced, as the kernels take and give them."""

from __future__ import annotations

import numpy as np

from shoal.group.cluster._clusterer import Members, Task
from shoal.group.cluster._severity import Balanced, severities_of
from shoal.group.parts.joining import add_up
from shoal.group.parts.pre_partition import AtLeast, cut_at_medians
from shoal.group.parts.threads import Spread
from shoal.kernels.even_halves import halve_parts
from shoal.kernels.severity_balance import Found, Parts, Space
from shoal.types.arrays import Int64Array, IntArray

OF_T = 0.5  # so much of t may be used up by a part; the rest is for its clusters
OF_T_HALVED = 0.75  # the same where plain cuts find no way


def balanced_parts(size: int, t: float, space: Space, task: Task, spread: Spread) -> Parts:
    """Halve the table at medians while both halves have `size` records and are balanced.

    What can be cut no further but is large is halved within strata of about equal severity, so
    that parts stay small however unevenly grave cases are spread.
    """
    models = (AtLeast(size), Balanced(severities_of(task.table), OF_T * t))
    cut = cut_at_medians(task.table, models, spread)
    parts = parts_of(cut.rows, cut.counts, np.repeat(np.arange(cut.n_parts), cut.sizes), task)
    found = no_members(parts)

    def work(share: Int64Array) -> None:
        limit, pulse = OF_T_HALVED * t, spread.watch.pulse()
        halve_parts(space, task.ruler, parts, size, limit, share, found, pulse)

    spread.watch.begin("records", task.table.n_records)
    spread(work, np.arange(len(parts.first)), np.diff(parts.places))
    halved = members_of(parts, found)
    return parts_of(halved.rows, halved.counts, halved.clusters, task)


def parts_of(rows: IntArray, counts: Int64Array, part_of: IntArray, task: Task) -> Parts:
    """Records as parts, the rows of each ascending and none of them twice."""
    part_of, rows, counts = add_up(part_of, rows, counts)
    starts = np.searchsorted(part_of, np.arange(part_of[-1] + 2))
    places = np.append(0, np.cumsum(counts))[starts]
    first = np.random.default_rng(task.limits.seed).integers(0, np.diff(places))
    return Parts(rows.astype(np.int32), counts, starts, places, first)


def no_members(parts: Parts) -> Found:
    """Room for what a kernel finds: there are never more entries than records."""
    n_records, n_parts = int(parts.places[-1]), len(parts.first)
    rows, counts, clusters = np.empty((3, n_records), dtype=np.int32)
    n_entries, n_clusters = np.zeros((2, n_parts), dtype=np.int64)
    return Found(rows, counts, clusters, n_entries, n_clusters)


def members_of(parts: Parts, found: Found) -> Members:
    """What a kernel found in all parts, clusters numbered through."""
    n = found.n_entries
    part_of = np.repeat(np.arange(len(n)), n)
    entries = np.arange(len(part_of)) + np.repeat(parts.places[:-1] - np.cumsum(n) + n, n)
    is_used = found.counts[entries] > 0
    entries, part_of = entries[is_used], part_of[is_used]
    before = np.cumsum(found.n_clusters) - found.n_clusters
    clusters = found.clusters[entries].astype(np.int64)
    is_placed = clusters >= 0
    clusters[is_placed] += before[part_of[is_placed]]
    is_cluster = np.zeros(found.n_clusters.sum(), dtype=np.bool_)  # those merged away are none
    is_cluster[clusters[is_placed]] = True
    clusters[is_placed] = (np.cumsum(is_cluster) - 1)[clusters[is_placed]]
    return Members(found.rows[entries], found.counts[entries].astype(np.int64), clusters)
