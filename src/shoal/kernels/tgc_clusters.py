"""Clusters that records join, and what they cost (Loukides and Shao 2008)."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tgc import look_up

NONE_FOUND = -1


class Clusters(NamedTuple):
    """Clusters and their records, those of one chained: heads, then following, until -1."""

    low: np.ndarray  # int32[g,q]
    high: np.ndarray  # int32[g,q]
    sizes: np.ndarray  # int64[g]
    sums: np.ndarray  # float64[g], likeness over ordered pairs, all sensitive columns
    costs: np.ndarray  # float64[g,q], what each cell costs
    heads: np.ndarray  # int64[g]
    following: np.ndarray  # int64[records]
    rows: np.ndarray  # int32[records]


@kernel
def chain_records(rows, labels, n_clusters, n_more):
    """Records of clusters as chains, with room for more: -> heads, following, rows."""
    heads = np.full(n_clusters, NONE_FOUND, np.int64)
    following = np.empty(len(rows) + n_more, np.int64)
    room = np.empty(len(rows) + n_more, np.int32)
    for record in range(len(rows)):
        room[record] = rows[record]
        following[record] = heads[labels[record]]
        heads[labels[record]] = record
    return heads, following, room


@kernel
def measure_cells(codes, scale, clusters):
    """OUT clusters.costs."""
    n_columns = codes.shape[1]
    marks = np.full(scale.marks[n_columns], -1, np.int64)
    for group in range(len(clusters.sizes)):
        for column in range(n_columns):
            low, high = clusters.low[group, column], clusters.high[group, column]
            if not scale.is_set[column]:
                clusters.costs[group, column] = look_up(scale.cells, column, low, high)
            elif low < high and high >= scale.hidden[column]:
                clusters.costs[group, column] = scale.whole[column]
            else:
                n_values = 0
                record = clusters.heads[group]
                while record >= 0:
                    at = scale.marks[column] + codes[clusters.rows[record], column]
                    n_values += marks[at] != group
                    marks[at] = group
                    record = clusters.following[record]
                clusters.costs[group, column] = scale.ruler.weights[column] * (n_values - 1)


@kernel
def in_order(clusters, order):
    """The same clusters in another order; their chains share one store."""
    return Clusters(
        clusters.low[order],
        clusters.high[order],
        clusters.sizes[order],
        clusters.sums[order],
        clusters.costs[order],
        clusters.heads[order],
        clusters.following,
        clusters.rows,
    )


@kernel
def put_back(clusters, ordered, order):
    for position in range(len(order)):
        number = order[position]
        clusters.low[number] = ordered.low[position]
        clusters.high[number] = ordered.high[position]
        clusters.sizes[number] = ordered.sizes[position]
        clusters.sums[number] = ordered.sums[position]
        clusters.costs[number] = ordered.costs[position]
        clusters.heads[number] = ordered.heads[position]


@kernel
def join(codes, row, scale, clusters, group, record):
    """A record of a row becomes a member of a cluster; its likeness to others is not added."""
    for column in range(codes.shape[1]):
        code = codes[row, column]
        low, high = clusters.low[group, column], clusters.high[group, column]
        if scale.is_set[column]:
            clusters.costs[group, column] = grown_set(codes, row, column, scale, clusters, group)
        elif code < low or code > high:
            cost = look_up(scale.cells, column, min(code, low), max(code, high))
            clusters.costs[group, column] = cost
        clusters.low[group, column], clusters.high[group, column] = min(code, low), max(code, high)
    clusters.rows[record] = row
    clusters.following[record] = clusters.heads[group]
    clusters.heads[group] = record
    clusters.sizes[group] += 1


@kernel
def cost_of(codes, row, scale, clusters, group, pairs):
    """By how much cost × records rises when a record of a row joins.

    `pairs`: the likeness of all ordered pairs that it is one of.
    """
    size, total = float(clusters.sizes[group]), clusters.sums[group]
    growth = 0.0
    for column in range(codes.shape[1]):
        code, low, high = (
            codes[row, column],
            clusters.low[group, column],
            clusters.high[group, column],
        )
        after = before = clusters.costs[group, column]
        if scale.is_set[column]:
            after = grown_set(codes, row, column, scale, clusters, group)
        elif code < low or code > high:
            after = look_up(scale.cells, column, min(code, low), max(code, high))
        growth += after + size * (after - before)
    return scale.steer * growth + scale.protection * (pairs - total / size) / (size + 1.0)


@kernel
def grown_set(codes, row, column, scale, clusters, group):
    """What a set of values of a cluster costs with the code of a row in it."""
    code, cost = codes[row, column], clusters.costs[group, column]
    low, high = clusters.low[group, column], clusters.high[group, column]
    if low == high and code == low:
        return cost
    if max(high, code) >= scale.hidden[column]:
        return scale.whole[column]
    if code < low or code > high:
        return cost + scale.ruler.weights[column]
    record = clusters.heads[group]
    while record >= 0:
        if codes[clusters.rows[record], column] == code:
            return cost
        record = clusters.following[record]
    return cost + scale.ruler.weights[column]
