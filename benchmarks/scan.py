"""k-member as everybody writes it, compiled: every step looks at all free records.

The same greedy choices with the same ties as `shoal.kernels.k_member`, so that the two can be
compared in one run and must give the same clusters.
"""

from __future__ import annotations

import numba
import numpy as np

from shoal.kernels.tree import cell_cost


@numba.njit(nogil=True, error_model="numpy")
def grow_clusters_by_scan(codes, positions, ruler, k, start):
    """Clusters of records: int32[n,q] by record, int64[n] their positions -> int64[n], -1: left."""
    n_records = len(codes)
    clusters = np.full(n_records, -1)
    free = np.arange(n_records)
    n_free, n_clusters, reference = n_records, 0, start
    while n_free >= k:
        seed = furthest_by_scan(codes, positions, free[:n_free], ruler, codes[reference])
        low, high = codes[seed].copy(), codes[seed].copy()
        chosen, missing = seed, k
        while True:
            n_kept = 0
            for i in range(n_free):  # the chosen record and its equals, as many as are missing
                record = free[i]
                if missing > 0 and positions[record] == positions[chosen]:
                    clusters[record] = n_clusters
                    missing -= 1
                else:
                    free[n_kept] = record
                    n_kept += 1
            n_free = n_kept
            if missing == 0:
                break
            chosen = nearest_by_scan(
                codes, positions, free[:n_free], ruler, low, high, positions[seed]
            )
            low, high = np.minimum(low, codes[chosen]), np.maximum(high, codes[chosen])
        reference = seed
        n_clusters += 1
    return clusters


@numba.njit(nogil=True, error_model="numpy")
def furthest_by_scan(codes, positions, free, ruler, row):
    best, most = -1, -1.0
    for record in free:
        distance = 0.0
        for column in range(len(row)):
            code, other = row[column], codes[record, column]
            distance += cell_cost(ruler, column, min(code, other), max(code, other))
        if distance > most or (distance == most and positions[record] < positions[best]):
            best, most = record, distance
    return best


@numba.njit(nogil=True, error_model="numpy")
def nearest_by_scan(codes, positions, free, ruler, low, high, home):
    best, least, best_gap = -1, np.inf, 0
    for record in free:
        cost = 0.0
        for column in range(len(low)):
            code = codes[record, column]
            cost += cell_cost(ruler, column, min(code, low[column]), max(code, high[column]))
            if cost > least:
                break
        gap = abs(positions[record] - home)
        if cost < least or (
            cost == least
            and (gap < best_gap or (gap == best_gap and positions[record] < positions[best]))
        ):
            best, least, best_gap = record, cost, gap
    return best
