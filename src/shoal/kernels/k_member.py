"""Growing clusters of k records, each time by the record that widens the cluster least.

That record is found by branch and bound in a kd-tree (`tree.py`).
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tree import furthest, grow_tree, nearest, take

SEED_TO_SEED, OKA_TEXT, LAST_ADDED = 0, 1, 2  # where the next seed is looked for


class Members(NamedTuple):
    """Records of rows, and the cluster they are in, in the order in which they were added."""

    rows: np.ndarray  # int64
    counts: np.ndarray  # int64
    clusters: np.ndarray  # int64


@kernel
def grow_clusters(codes, counts, ruler, k, start, seeding, pulse):
    """Byun et al.'s greedy k-member on rows of equal records: -> Members, number of clusters.

    IN  codes int32[n,q], counts int64[n], k: records of a cluster, start: the row of the random
        record. Equal records are taken together. Fewer than k are left over: cluster -1.
    """
    tree = grow_tree(codes, counts, ruler, pulse)
    n_free = np.sum(counts)
    most = 2 * len(counts) + n_free // k  # an entry empties a row or fills a cluster
    members = Members(np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64))
    low = np.empty(codes.shape[1], dtype=np.int32)
    high = np.empty(codes.shape[1], dtype=np.int32)
    furthest_from = np.full(len(counts), -1)
    n_members, n_clusters = 0, 0
    reference = np.argmax(tree.rows == start)
    while n_free >= k and not pulse.stop[0]:
        seed = reference
        if seeding != OKA_TEXT or n_clusters > 0:
            # What was furthest from here before is so still, as long as it has records.
            if furthest_from[reference] < 0 or tree.left[furthest_from[reference]] == 0:
                furthest_from[reference] = furthest(tree, ruler, tree.codes[reference])
            seed = furthest_from[reference]
        low[:] = tree.codes[seed]
        high[:] = tree.codes[seed]
        position, missing = seed, k
        while True:
            n_taken = min(missing, tree.left[position])
            members.rows[n_members] = tree.rows[position]
            members.counts[n_members] = n_taken
            members.clusters[n_members] = n_clusters
            n_members += 1
            missing -= n_taken
            widen(low, high, tree.codes[position])
            take(tree, position, n_taken)
            pulse.done[0] += n_taken
            if missing == 0 or pulse.stop[0]:
                break
            position, _ = nearest(tree, ruler, low, high, seed)
        reference = position if seeding == LAST_ADDED else seed
        n_free -= k
        n_clusters += 1
    for position in range(len(tree.rows)):
        if tree.left[position] > 0:
            members.rows[n_members] = tree.rows[position]
            members.counts[n_members] = tree.left[position]
            members.clusters[n_members] = -1
            n_members += 1
    return Members(
        members.rows[:n_members].copy(),
        members.counts[:n_members].copy(),
        members.clusters[:n_members].copy(),
    ), n_clusters


@kernel
def widen(low, high, row):
    """Let a box cover a row of codes."""
    for column in range(len(row)):
        low[column] = min(low[column], row[column])
        high[column] = max(high[column], row[column])
