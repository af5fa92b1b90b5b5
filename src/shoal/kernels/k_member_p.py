"""Growing clusters of k records, each time by the one that discloses sensitive values least."""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tgc import Box, approach, cover, least_diverse
from shoal.kernels.tree import cell_cost


@kernel
def grow_clusters(codes, values, counts, scale, ruler, k, start, pulse):
    """Greedy k-member with S-diversity for its cost: -> int64[records] rows and clusters of them.

    IN  codes int32[n,q], values int32[n,a], counts int64[n], k: records of a cluster, start: a
        row from which the first seed is the furthest, as each seed is from the one before.
    Fewer than k records are left over: cluster -1.
    """
    n_columns, n_values = codes.shape[1], values.shape[1]
    left = counts.copy()
    n_left, n_taken, n_clusters = np.sum(left), 0, 0
    rows = np.empty(n_left, np.int64)
    clusters = np.full(n_left, -1, np.int64)
    box = Box(
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.float64),
        np.full(scale.marks[n_columns], -1, np.int64),
    )
    near = np.empty(len(counts), np.float64)
    seed = start
    while n_left >= k and not pulse.stop[0]:
        seed = furthest(codes, left, ruler, seed)
        row, sum_of_pairs = seed, 0.0
        near[:] = 0.0
        for size in range(1, k + 1):
            sum_of_pairs += 2.0 * near[row] + n_values
            rows[n_taken], clusters[n_taken] = row, n_clusters
            n_taken += 1
            left[row] -= 1
            pulse.done[0] += 1
            if pulse.stop[0]:
                break
            cover(box, codes[row], scale, n_clusters, size == 1)
            if size < k:
                approach(near, left, values, row, scale.likeness)
                row, _spread = least_diverse(
                    codes, left, near, box, scale, n_clusters, sum_of_pairs, size + 1, n_values
                )
        n_left -= k
        n_clusters += 1
    for row in range(len(left)):
        for _ in range(left[row]):
            rows[n_taken] = row
            n_taken += 1
    return rows, clusters


@kernel
def furthest(codes, left, ruler, row):
    """The row with records left that is furthest from a row; of equal ones the first."""
    best, most = -1, -1.0
    for other in range(len(left)):
        if left[other] == 0:
            continue
        distance = 0.0
        for column in range(codes.shape[1]):
            low = min(codes[row, column], codes[other, column])
            high = max(codes[row, column], codes[other, column])
            distance += cell_cost(ruler, column, low, high)
        if distance > most + 1e-12:
            best, most = other, distance
    return best
