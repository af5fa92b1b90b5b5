"""Clusters by their centroids, and a tree of bounding boxes in which the closest is found.

The distance of a record from a cluster is the cluster's size times what the pair of the record and
the centroid costs. A centroid is, in a column on a line, the mean; otherwise the lowest common
ancestor of all members, which the first and the last of their codes determine.

The closest cluster is found by branch and bound: a branch of the tree stores the smallest size and
the span of the centroids below it, which give a lower bound (floor) of their distances. The bound
also holds in floating point: both add the same columns in the same order, and each term of a floor
is at most that of a distance.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tree import DEEP, LEAF, cell_cost, halved_runs

FULL = np.int64(2**62)  # the size of a suppressed cluster: nothing is added to it
ON_A_LINE, LONG = -1, -2  # columns without a table of what pairs cost
MOST_REACHED = 256  # codes that a column with such a table may have
MIXED = -2.0  # the mean of missing and other values: 1 away from all of them, as the root is


class Clusters(NamedTuple):
    """Clusters and, numbered as in a heap, the branches over them."""

    sizes: np.ndarray  # int64[K]
    totals: np.ndarray  # float64[K,q], positions on the line added up
    n_missing: np.ndarray  # int64[K,q]
    means: np.ndarray  # float64[K,q], of columns on a line
    low: np.ndarray  # int32[K,q], the box around the members
    high: np.ndarray  # int32[K,q]
    costs: np.ndarray  # float64[K,q], of the centroid's own cell: 0 on a line
    begins: np.ndarray  # int64[branches], the first cluster
    ends: np.ndarray  # int64[branches], after the last one
    least_size: np.ndarray  # int64[branches]
    least_mean: np.ndarray  # float64[branches,q]
    most_mean: np.ndarray  # float64[branches,q]
    least_low: np.ndarray  # int32[branches,q]
    most_high: np.ndarray  # int32[branches,q]
    least_cost: np.ndarray  # float64[branches,q]


class Query(NamedTuple):
    """The record whose closest cluster is looked for, and how far it is from every code."""

    row: np.ndarray  # int32[q]
    marks: np.ndarray  # float64[q], its positions on lines
    reach: np.ndarray  # float64[codes], what the pair with each code costs, column by column
    begins: np.ndarray  # int64[q], where in `reach` a column begins, or ON_A_LINE, or LONG


@kernel
def no_query(ruler):
    """A query that asks for nothing yet."""
    n_columns = len(ruler.n_codes)
    begins = np.full(n_columns, ON_A_LINE, dtype=np.int64)
    n_reached = 0
    for column in range(n_columns):
        if ruler.has_levels[column]:
            begins[column] = LONG
            if ruler.n_codes[column] <= MOST_REACHED:
                begins[column] = n_reached
                n_reached += ruler.n_codes[column]
    row = np.full(n_columns, -1, dtype=np.int32)
    return Query(row, np.empty(n_columns), np.empty(n_reached), begins)


@kernel
def ask(query, row, ruler):
    """Ask for another row; sorted rows have most codes in common with the one before."""
    for column in range(len(row)):
        code = row[column]
        if code == query.row[column]:
            continue
        query.row[column] = code
        query.marks[column] = ruler.widths[ruler.begins[column] + code]
        begin = query.begins[column]
        if begin >= 0:
            for other in range(ruler.n_codes[column]):
                low, high = min(code, other), max(code, other)
                query.reach[begin + other] = cell_cost(ruler, column, low, high)


@kernel
def clusters_of(codes, row_of, ruler, labels, n_clusters, room):
    """The clusters of some labels, records added in their order; one without records is full.

    Branches cover only the clusters with fewer than `room` records.
    """
    clusters = no_clusters(n_clusters, codes.shape[1])
    for record in range(len(labels)):
        if labels[record] >= 0:
            add(codes[row_of[record]], clusters, ruler, labels[record])
    for cluster in range(n_clusters):
        if clusters.sizes[cluster] == 0:
            clusters.sizes[cluster] = FULL
            clusters.low[cluster] = clusters.high[cluster] = 0  # codes that can be looked up
    look_everywhere(clusters, room)
    return clusters


@kernel
def look_everywhere(clusters, room):
    for branch in range(len(clusters.begins) - 1, 0, -1):
        look_below(clusters, branch, room)


@kernel
def no_clusters(n_clusters, n_columns):
    """Empty clusters, and the branches over them."""
    begins, ends = halved_runs(n_clusters, LEAF)
    of_clusters, of_branches = (n_clusters, n_columns), (len(begins), n_columns)
    return Clusters(
        np.zeros(n_clusters, dtype=np.int64),
        np.zeros(of_clusters),
        np.zeros(of_clusters, dtype=np.int64),
        np.zeros(of_clusters),
        np.full(of_clusters, 2**31 - 1, dtype=np.int32),
        np.full(of_clusters, -1, dtype=np.int32),
        np.zeros(of_clusters),
        begins,
        ends,
        np.zeros(len(begins), dtype=np.int64),
        np.zeros(of_branches),
        np.zeros(of_branches),
        np.zeros(of_branches, dtype=np.int32),
        np.zeros(of_branches, dtype=np.int32),
        np.zeros(of_branches),
    )


@kernel
def add(row, clusters, ruler, cluster):
    """A row joins a cluster, whose centroid moves."""
    clusters.sizes[cluster] += 1
    cover(clusters, cluster, row)
    for column in range(len(row)):
        if ruler.has_levels[column]:
            clusters.costs[cluster, column] = cell_cost(
                ruler, column, clusters.low[cluster, column], clusters.high[cluster, column]
            )
            continue
        position = ruler.widths[ruler.begins[column] + row[column]]
        if row[column] == ruler.n_codes[column] - 1:
            clusters.n_missing[cluster, column] += 1
        else:
            clusters.totals[cluster, column] += position
        n_missing = clusters.n_missing[cluster, column]
        n_present = clusters.sizes[cluster] - n_missing
        if n_missing == 0:
            clusters.means[cluster, column] = clusters.totals[cluster, column] / n_present
        else:
            clusters.means[cluster, column] = position if n_present == 0 else MIXED


@kernel
def cover(clusters, cluster, row):
    for column in range(len(row)):
        code = row[column]
        clusters.low[cluster, column] = min(clusters.low[cluster, column], code)
        clusters.high[cluster, column] = max(clusters.high[cluster, column], code)


@kernel
def distance(query, clusters, ruler, cluster):
    """The cluster's size times what the pair of the record and the centroid costs."""
    gap = 0.0
    for column in range(len(query.row)):
        if ruler.has_levels[column]:
            low = min(query.row[column], clusters.low[cluster, column])
            high = max(query.row[column], clusters.high[cluster, column])
            gap += cell_cost(ruler, column, low, high)
        else:
            width = abs(query.marks[column] - clusters.means[cluster, column])
            gap += ruler.weights[column] * min(1.0, width)
    return clusters.sizes[cluster] * gap


@kernel
def closest(query, clusters, ruler, room, guess):
    """The cluster below `room` records at the least distance, of equal ones the first.

    The branch of the cluster `guess` is visited first; a good guess saves visiting many others.
    Distances and floors are computed in place: calls would take most of the time.
    """
    n_columns, n_branches = len(query.row), len(clusters.begins)
    best, best_distance = np.int64(-1), np.inf
    waiting = np.empty(DEEP, dtype=np.int64)
    floors = np.empty(DEEP, dtype=np.float64)
    waiting[0], floors[0] = 1, 0.0
    waiting[1], floors[1], n_waiting = leaf_of(clusters, guess), 0.0, 2
    while n_waiting > 0:
        n_waiting -= 1
        branch, floor = waiting[n_waiting], floors[n_waiting]
        if floor > best_distance or (floor == best_distance and clusters.begins[branch] > best):
            continue
        if 2 * branch < n_branches:
            first_floor = np.inf
            for child in range(2 * branch, 2 * branch + 2):
                size = clusters.least_size[child]
                if size >= room:
                    continue
                gap = 0.0
                for column in range(n_columns):
                    begin = query.begins[column]
                    if begin == ON_A_LINE:
                        before = clusters.least_mean[child, column] - query.marks[column]
                        after = query.marks[column] - clusters.most_mean[child, column]
                        gap += ruler.weights[column] * min(1.0, max(before, after, 0.0))
                        continue
                    code, least = query.row[column], clusters.least_cost[child, column]
                    low = clusters.least_low[child, column]
                    high = clusters.most_high[child, column]
                    nearer = min(max(code, low), high)
                    if begin >= 0 and nearer >= 0:
                        gap += max(least, query.reach[begin + nearer])
                    elif nearer != code:
                        ends = min(code, nearer), max(code, nearer)
                        gap += max(least, cell_cost(ruler, column, ends[0], ends[1]))
                    else:
                        gap += least
                floor = size * gap
                if floor > best_distance:
                    continue
                waiting[n_waiting], floors[n_waiting] = child, floor
                if floor > first_floor:  # the nearer branch on top, to be looked at next
                    waiting[n_waiting], floors[n_waiting] = child - 1, first_floor
                    waiting[n_waiting - 1], floors[n_waiting - 1] = child, floor
                first_floor = floor
                n_waiting += 1
            continue
        for cluster in range(clusters.begins[branch], clusters.ends[branch]):
            size = clusters.sizes[cluster]
            if size >= room:
                continue
            gap = 0.0
            for column in range(n_columns):
                begin = query.begins[column]
                low, high = clusters.low[cluster, column], clusters.high[cluster, column]
                if begin == ON_A_LINE:
                    width = abs(query.marks[column] - clusters.means[cluster, column])
                    gap += ruler.weights[column] * min(1.0, width)
                elif begin >= 0 and low >= 0 and high >= 0:
                    # The lowest node above three codes is above one of the two pairs.
                    gap += max(query.reach[begin + low], query.reach[begin + high])
                else:
                    code = query.row[column]
                    gap += cell_cost(ruler, column, min(code, low), max(code, high))
            found = size * gap
            if found < best_distance or (found == best_distance and cluster < best):
                best, best_distance = np.int64(cluster), found
    return best


@kernel
def leaf_of(clusters, cluster):
    """The lowest branch over a cluster."""
    n_leaves = len(clusters.begins) // 2
    return n_leaves + ((cluster + 1) * n_leaves - 1) // len(clusters.sizes)


@kernel
def tell_branches(clusters, cluster, room):
    """Bring the branches over a cluster that changed up to date."""
    branch = leaf_of(clusters, cluster)
    while branch > 0 and look_below(clusters, branch, room):
        branch //= 2


@kernel
def look_below(clusters, branch, room):
    """Compute a branch again from its children. Returns whether it changed."""
    is_leaf = 2 * branch >= len(clusters.begins)
    begin = clusters.begins[branch] if is_leaf else 2 * branch
    end = clusters.ends[branch] if is_leaf else 2 * branch + 2
    sizes = clusters.sizes if is_leaf else clusters.least_size
    least_size = FULL
    for i in range(begin, end):
        if sizes[i] < room:
            least_size = min(least_size, sizes[i])
    changed = least_size != clusters.least_size[branch]
    clusters.least_size[branch] = least_size
    least_means = clusters.means if is_leaf else clusters.least_mean
    most_means = clusters.means if is_leaf else clusters.most_mean
    lows = clusters.low if is_leaf else clusters.least_low
    highs = clusters.high if is_leaf else clusters.most_high
    costs = clusters.costs if is_leaf else clusters.least_cost
    for column in range(clusters.low.shape[1]):
        low, high = np.int32(2**31 - 1), np.int32(-1)
        least_mean, most_mean, cost = np.inf, -np.inf, np.inf
        for i in range(begin, end):
            if sizes[i] >= room:
                continue
            least_mean = min(least_mean, least_means[i, column])
            most_mean = max(most_mean, most_means[i, column])
            low = min(low, lows[i, column])
            high = max(high, highs[i, column])
            cost = min(cost, costs[i, column])
        changed |= low != clusters.least_low[branch, column]
        changed |= high != clusters.most_high[branch, column]
        changed |= least_mean != clusters.least_mean[branch, column]
        changed |= most_mean != clusters.most_mean[branch, column]
        changed |= cost != clusters.least_cost[branch, column]
        clusters.least_low[branch, column], clusters.most_high[branch, column] = low, high
        clusters.least_mean[branch, column] = least_mean
        clusters.most_mean[branch, column] = most_mean
        clusters.least_cost[branch, column] = cost
    return changed
