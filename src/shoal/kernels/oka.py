"""One-pass k-means: every record to the closest cluster, then records moved to give each cluster k.

Records are numbered in the order in which they are assigned; `row_of` are their rows of codes.
A label is the number of a cluster, or one of the two below.
"""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.centroids import (
    FULL,
    add,
    ask,
    closest,
    clusters_of,
    cover,
    distance,
    look_everywhere,
    no_query,
    tell_branches,
)
from shoal.kernels.merge import NONE_FOUND, box_costs, cheapest
from shoal.kernels.tree import Tree, refresh, tell_above

REMOVED = -1  # in no cluster for now
DROPPED = -2  # of a cluster that is suppressed


@kernel
def assign(codes, row_of, ruler, seeds, order, pulse):
    """The clustering stage: int32[n,q], int64[r] -> the cluster of each record, int64[r].

    `seeds` int64[K] are the records that clusters begin with, `order` int64[r] those that are
    assigned, one after another.
    """
    labels = np.full(len(row_of), REMOVED, dtype=np.int64)
    for cluster in range(len(seeds)):
        labels[seeds[cluster]] = cluster
    clusters = clusters_of(codes, row_of, ruler, labels, len(seeds), FULL)
    query, previous = no_query(ruler), np.int64(0)
    for record in order:
        pulse.done[0] += 1
        if pulse.stop[0]:
            return labels
        if labels[record] == REMOVED:
            row = codes[row_of[record]]
            ask(query, row, ruler)
            previous = closest(query, clusters, ruler, FULL, previous)
            labels[record] = previous
            add(row, clusters, ruler, previous)
            tell_branches(clusters, previous, FULL)
    return labels


@kernel
def trim(codes, row_of, ruler, labels, n_clusters, k):
    """The records of each cluster beyond k that are furthest from its centroid leave it.

    IN/OUT labels int64[r]. Of equally far ones, the later record leaves first.
    """
    clusters = clusters_of(codes, row_of, ruler, labels, n_clusters, FULL)
    starts = np.zeros(n_clusters + 1, dtype=np.int64)
    for label in labels:
        if label >= 0:
            starts[label + 1] += 1
    starts = np.cumsum(starts)
    members = np.empty(starts[-1], dtype=np.int64)
    filled = starts[:-1].copy()
    for record in range(len(labels)):
        label = labels[record]
        if label >= 0:
            members[filled[label]] = record
            filled[label] += 1
    query = no_query(ruler)
    for cluster in range(n_clusters):
        own = members[starts[cluster] : starts[cluster + 1]]
        if len(own) > k:
            distances = np.empty(len(own))
            for i in range(len(own)):
                ask(query, codes[row_of[own[i]]], ruler)
                distances[i] = distance(query, clusters, ruler, cluster)
            for i in np.argsort(distances, kind="mergesort")[k:]:
                labels[own[i]] = REMOVED


@kernel
def place_by_distance(codes, row_of, ruler, labels, n_clusters, k, order, pulse):
    """The adjustment stage: removed records to the closest cluster below k, then to the closest.

    IN/OUT labels int64[r]; order int64[m], the removed records in the order of their turns.
    """
    clusters = clusters_of(codes, row_of, ruler, labels, n_clusters, k)
    n_short, room = shortage(clusters.sizes, k), np.int64(k)
    query, previous = no_query(ruler), np.int64(0)
    for record in order:
        if pulse.stop[0]:
            return
        if n_short == 0:  # all clusters have k: from now on any may grow
            room = FULL
            look_everywhere(clusters, room)
        n_short -= 1
        row = codes[row_of[record]]
        ask(query, row, ruler)
        previous = closest(query, clusters, ruler, room, previous)
        labels[record] = previous
        add(row, clusters, ruler, previous)
        tell_branches(clusters, previous, room)


@kernel
def place_by_loss(codes, row_of, ruler, labels, n_clusters, k, order, pulse):
    """The same, but to the cluster that costs least more, as its box tells."""
    clusters = clusters_of(codes, row_of, ruler, labels, n_clusters, FULL)
    n_short = shortage(clusters.sizes, k)
    sizes = clusters.sizes
    tree = box_tree(clusters, np.where(sizes < k if n_short > 0 else sizes < FULL, 1, 0))
    costs = box_costs(clusters.low, clusters.high, ruler)
    for record in order:
        if pulse.stop[0]:
            return
        row = codes[row_of[record]]
        cluster, _cost = cheapest(tree, ruler, row, row, 1, sizes, costs, NONE_FOUND)
        labels[record] = cluster
        sizes[cluster] += 1
        cover(clusters, cluster, row)
        costs[cluster : cluster + 1] = box_costs(
            clusters.low[cluster : cluster + 1], clusters.high[cluster : cluster + 1], ruler
        )
        is_full = n_short > 0 and sizes[cluster] == k
        tree.left[cluster] -= is_full
        tell_above(tree, cluster, is_full)
        if n_short == 1:  # all clusters have k: from now on any may grow
            for other in range(n_clusters):
                tree.left[other] = sizes[other] < FULL
            for node in range(len(tree.begins) - 1, 0, -1):
                refresh(tree, node)
        n_short -= n_short > 0


@kernel
def middles(codes, row_of, ruler, labels, n_clusters):
    """The record of each cluster that is nearest to its centroid, of equal ones the first."""
    clusters = clusters_of(codes, row_of, ruler, labels, n_clusters, FULL)
    found = np.full(n_clusters, -1, dtype=np.int64)
    least = np.full(n_clusters, np.inf)
    query = no_query(ruler)
    for record in range(len(labels)):
        cluster = labels[record]
        ask(query, codes[row_of[record]], ruler)
        to_centroid = distance(query, clusters, ruler, cluster)
        if to_centroid < least[cluster]:
            found[cluster], least[cluster] = record, to_centroid
    return found


@kernel
def total_loss(codes, row_of, ruler, labels, n_clusters, root):
    """The size of each cluster times the cost of its box, added up; a dropped record costs `root`.

    labels int64[r] -> float
    """
    clusters = clusters_of(codes, row_of, ruler, labels, n_clusters, FULL)
    costs = box_costs(clusters.low, clusters.high, ruler)
    total = 0.0
    for cluster in range(n_clusters):
        if clusters.sizes[cluster] < FULL:
            total += clusters.sizes[cluster] * costs[cluster]
    return total + root * np.sum(labels == DROPPED)


@kernel
def gains_of_dropping(codes, row_of, ruler, before, after, n_clusters, root, pulse):
    """What the loss would fall by, about, if a cluster were suppressed: -> float64[K].

    `before`, `after` int64[r]: labels before clusters were filled up, and after. Its own records
    would cost `root` each, and those that filled it up would go where they cost least more.
    """
    clusters = clusters_of(codes, row_of, ruler, after, n_clusters, FULL)
    tree = box_tree(clusters, np.ones(n_clusters, dtype=np.int64))
    costs = box_costs(clusters.low, clusters.high, ruler)
    gains = clusters.sizes * costs
    for record in range(len(before)):
        if pulse.stop[0]:
            return gains
        cluster = after[record]
        if before[record] == cluster:
            gains[cluster] -= root
        elif n_clusters > 1:
            row = codes[row_of[record]]
            _, cost = cheapest(tree, ruler, row, row, 1, clusters.sizes, costs, cluster)
            gains[cluster] -= cost
    return gains


@kernel
def shortage(sizes, k):
    """How many records clusters below k lack."""
    n_short = 0
    for size in sizes:
        n_short += max(k - size, 0)
    return n_short


@kernel
def box_tree(clusters, left):
    """The boxes of clusters as a tree in which the cheapest is found; positions are clusters."""
    n_nodes, n_columns = clusters.least_low.shape
    tree = Tree(
        np.arange(len(clusters.sizes)),
        clusters.low,
        clusters.high,
        left.astype(np.int64),
        clusters.begins,
        clusters.ends,
        np.zeros((n_nodes, n_columns), dtype=np.int32),
        np.zeros((n_nodes, n_columns), dtype=np.int32),
        np.zeros(n_nodes, dtype=np.int64),
    )
    for node in range(n_nodes - 1, 0, -1):
        refresh(tree, node)
    return tree
