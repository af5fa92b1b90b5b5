"""Records of rejected clusters join the cluster whose total cost rises least.

The cluster is found by branch and bound in a kd-tree over the boxes of the clusters. A node has a
lower bound of what a record costs in any of its clusters: the cost of reaching the node's box from
the record, plus the least protection that its clusters lose by a value like the record's. Most
clusters are never visited.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.s_diversity import alike
from shoal.kernels.tgc import CLOSE, look_up
from shoal.kernels.tgc_clusters import (
    Clusters,
    cost_of,
    grown_set,
    in_order,
    join,
    measure_cells,
    put_back,
)
from shoal.kernels.tree import DEEP, Tree, grow_box_tree, tell_above

LISTED = 16  # clusters that equal records look at before they search again


class Buckets(NamedTuple):
    """Sensitive values in runs of near ones, at most so many for each column.

    The likeness of a value to those of a run is least at one of the run's ends.
    """

    of_code: np.ndarray  # int64, the bucket of each code, column after column
    codes: np.ndarray  # int64[a+1], where the codes of each column begin
    firsts: np.ndarray  # int32[b], the ends of each bucket
    lasts: np.ndarray  # int32[b]
    begins: np.ndarray  # int64[a+1], the first bucket of each column
    least: np.ndarray  # float64, for each code: its likeness to each bucket of its column
    least_at: np.ndarray  # int64, where in `least` those of each code begin
    is_tabulated: bool  # `least` is there; of very many values it is computed when needed
    is_exact: bool  # every value has a bucket of its own


class Floors(NamedTuple):
    """Lower bounds for each cluster, and for all clusters below each node of the tree."""

    near: np.ndarray  # float64[b,g], a value of a bucket is that much like all records, or more
    pairs: np.ndarray  # float64[b,nodes], the least that a value of a bucket adds to protection
    costs: np.ndarray  # float64[nodes,q], the most that a cell costs
    sizes: np.ndarray  # float64[nodes], the fewest records


class State(NamedTuple):
    """Clusters in the order of a tree over their boxes: those looked at together lie together."""

    clusters: Clusters
    tree: Tree
    floors: Floors


class Best(NamedTuple):
    """The best clusters for a record, the best first; all others come after the last of these."""

    positions: np.ndarray  # int64, in the tree
    numbers: np.ndarray  # int64, of the clusters
    costs: np.ndarray  # float64


@kernel
def join_clusters(codes, values, rows, counts, scale, given, buckets, pulse):
    """Step 9: records join, one after another, the cluster whose cost × records rises least.

    IN  codes int32[n,q], values int32[n,a]; rows, counts int64[m]: so many records of each row.
    IN/OUT given: clusters, with room for these records.
    -> int64[records], their clusters. Of equal ones the first.
    """
    state = prepare(codes, values, scale, given, buckets, pulse)
    joined = np.empty(np.sum(counts), np.int64)
    n_members = len(given.rows) - len(joined)
    best = Best(np.empty(LISTED, np.int64), np.empty(LISTED, np.int64), np.empty(LISTED))
    n_joined = 0
    for i in range(len(rows)):
        n_left = counts[i]
        while n_left > 0:
            if pulse.stop[0]:
                return joined
            n_listed = min(n_left, LISTED, len(given.sizes))
            search(codes, values, rows[i], scale, buckets, state, best, n_listed)
            n_more = join_listed(
                codes, values, rows[i], scale, buckets, state, best, n_listed,
                joined[n_joined : n_joined + n_left], n_members + n_joined,
            )  # fmt: skip
            n_joined += n_more
            n_left -= n_more
            pulse.done[0] += n_more
    put_back(given, state.clusters, state.tree.rows)
    return joined


@kernel
def prepare(codes, values, scale, given, buckets, pulse):
    """Clusters, as they are given, so that the best for a record is found quickly: -> State."""
    measure_cells(codes, scale, given)
    ones = np.ones(len(given.sizes), np.int64)
    tree = grow_box_tree(given.low, given.high, ones, scale.ruler, pulse)
    clusters = in_order(given, tree.rows)
    floors = first_floors(values, clusters, scale.likeness, buckets, tree, codes.shape[1])
    return State(clusters, tree, floors)


@kernel
def join_listed(
    codes, values, row, scale, buckets, state, best, n_listed, joined, n_members
):  # fmt: skip
    """Records of a row join clusters of a list, as long as the best of all is among them.

    Only clusters that were joined change, and all others come after the last of the list; so that
    is until the best of it comes after what was the last. OUT joined. -> how many records joined.
    """
    clusters, tree = state.clusters, state.tree
    last_cost, last_number = best.costs[n_listed - 1], best.numbers[n_listed - 1]
    has_grown = np.zeros(n_listed, np.bool_)
    n_joined = 0
    while n_joined < len(joined):
        first = first_of(best, n_listed)
        if comes_before(last_cost, last_number, best.costs[first], best.numbers[first]):
            break
        position = best.positions[first]
        close = likeness_to(values, row, scale, buckets, state, position)
        join(codes, row, scale, clusters, position, n_members + n_joined)
        clusters.sums[position] += 2.0 * close + values.shape[1]
        come_near(state.floors, values[row], scale.likeness, buckets, position)
        close = likeness_to(values, row, scale, buckets, state, position)
        cost = cost_of(codes, row, scale, clusters, position, 2.0 * close + values.shape[1])
        best.costs[first] = cost
        joined[n_joined] = best.numbers[first]
        has_grown[first] = True
        n_joined += 1
    for i in range(n_listed):
        if has_grown[i]:
            position = best.positions[i]
            tree.codes[position] = clusters.low[position]
            tree.ends_of[position] = clusters.high[position]
            tell_above(tree, position, 0)
            refresh_above(state.floors, tree, clusters, values.shape[1], position)
    return n_joined


@kernel
def first_of(best, n_listed):
    first = 0
    for i in range(1, n_listed):
        if comes_before(best.costs[i], best.numbers[i], best.costs[first], best.numbers[first]):
            first = i
    return first


@kernel
def comes_before(cost, number, other_cost, other_number):
    if cost < other_cost - CLOSE:
        return True
    return cost <= other_cost + CLOSE and number < other_number


@kernel
def bucket_of(buckets, column, value):
    return buckets.of_code[buckets.codes[column] + value]


@kernel
def likeness_to(values, row, scale, buckets, state, position):
    """How alike a row is to the records of a cluster, added up over them and all columns."""
    total = 0.0
    if buckets.is_exact:
        for column in range(values.shape[1]):
            bucket = bucket_of(buckets, column, values[row, column])
            total += state.floors.near[bucket, position]
        return total
    clusters = state.clusters
    record = clusters.heads[position]
    while record >= 0:
        for column in range(values.shape[1]):
            other = values[clusters.rows[record], column]
            total += alike(scale.likeness, column, values[row, column], other)
        record = clusters.following[record]
    return total


@kernel
def least_likeness(likeness, codes, firsts, lasts, begins):
    """How alike each code is at least to the values of each bucket of its column.

    The arrays are those of Buckets.  -> float64, and where in it those of each code begin.
    """
    n_least = 0
    least_at = np.empty(codes[-1], np.int64)
    for column in range(len(begins) - 1):
        for at in range(codes[column], codes[column + 1]):
            least_at[at] = n_least
            n_least += begins[column + 1] - begins[column]
    least = np.empty(n_least)
    for column in range(len(begins) - 1):
        for code in range(codes[column + 1] - codes[column]):
            at = least_at[codes[column] + code] - begins[column]
            for bucket in range(begins[column], begins[column + 1]):
                to_first = alike(likeness, column, firsts[bucket], code)
                to_last = alike(likeness, column, lasts[bucket], code)
                least[at + bucket] = min(to_first, to_last)
    return least, least_at


@kernel
def first_floors(values, clusters, likeness, buckets, tree, n_columns):
    n_values, n_buckets, n_nodes = values.shape[1], len(buckets.firsts), len(tree.begins)
    floors = Floors(
        np.zeros((n_buckets, len(clusters.sizes))),
        np.empty((n_buckets, n_nodes)),
        np.empty((n_nodes, n_columns)),
        np.empty(n_nodes),
    )
    for group in range(len(clusters.sizes)):
        record = clusters.heads[group]
        while record >= 0:
            come_near(floors, values[clusters.rows[record]], likeness, buckets, group)
            record = clusters.following[record]
    for node in range(n_nodes - 1, 0, -1):
        if node >= n_nodes // 2:
            measure_leaf(floors, tree, clusters, n_values, node)
        else:
            combine(floors.pairs, floors.costs, floors.sizes, node)
    return floors


@kernel
def come_near(floors, value, likeness, buckets, group):
    """A record has joined: values are that much more like those of the cluster."""
    for column in range(len(value)):
        first = buckets.begins[column]
        if not buckets.is_tabulated:
            for bucket in range(first, buckets.begins[column + 1]):
                to_first = alike(likeness, column, buckets.firsts[bucket], value[column])
                to_last = alike(likeness, column, buckets.lasts[bucket], value[column])
                floors.near[bucket, group] += min(to_first, to_last)
            continue
        at = buckets.least_at[buckets.codes[column] + value[column]] - first
        for bucket in range(first, buckets.begins[column + 1]):
            floors.near[bucket, group] += buckets.least[at + bucket]


@kernel
def refresh_above(floors, tree, clusters, n_values, position):
    """Bring the nodes above a position up to date."""
    n_leaves = len(tree.begins) // 2
    node = n_leaves + ((position + 1) * n_leaves - 1) // len(tree.rows)
    measure_leaf(floors, tree, clusters, n_values, node)
    while node > 1:
        node //= 2
        combine(floors.pairs, floors.costs, floors.sizes, node)


@kernel
def combine(pairs, costs, sizes, node):
    """What is known of the clusters of a node, from its children."""
    first, second = 2 * node, 2 * node + 1
    for bucket in range(len(pairs)):
        pairs[bucket, node] = min(pairs[bucket, first], pairs[bucket, second])
    for column in range(costs.shape[1]):
        costs[node, column] = max(costs[first, column], costs[second, column])
    sizes[node] = min(sizes[first], sizes[second])


@kernel
def measure_leaf(floors, tree, clusters, n_values, node):
    """The same of a node that has no children, from its clusters."""
    pairs, costs, near = floors.pairs, floors.costs, floors.near
    pairs[:, node], costs[node], floors.sizes[node] = np.inf, 0.0, np.inf
    for position in range(tree.begins[node], tree.ends[node]):
        size = float(clusters.sizes[position])
        paid = clusters.sums[position] / (max(n_values, 1) * size)
        for bucket in range(len(pairs)):
            added = (2.0 * near[bucket, position] + 1.0 - paid) / (size + 1.0)
            pairs[bucket, node] = min(pairs[bucket, node], added)
        for column in range(costs.shape[1]):
            costs[node, column] = max(costs[node, column], clusters.costs[position, column])
        floors.sizes[node] = min(floors.sizes[node], size)


@kernel
def search(codes, values, row, scale, buckets, state, best, n_listed):
    """OUT best: the first `n_listed` of all clusters for a record of a row."""
    clusters, tree, floors, cells = state.clusters, state.tree, state.floors, scale.cells
    steer, protection = scale.steer, scale.protection
    own, n_values = codes[row], values.shape[1]
    here = np.empty(n_values, np.int64)
    for column in range(n_values):
        here[column] = bucket_of(buckets, column, values[row, column])
    best.costs[:n_listed], best.numbers[:n_listed] = np.inf, len(clusters.sizes)
    last = n_listed - 1
    nodes = np.empty(DEEP, dtype=np.int64)
    bounds = np.empty(DEEP, dtype=np.float64)
    nodes[0], bounds[0], n_waiting = 1, -np.inf, 1
    while n_waiting > 0:
        n_waiting -= 1
        node, enough = nodes[n_waiting], best.costs[last] + CLOSE
        if bounds[n_waiting] > enough:
            continue
        if 2 * node < len(tree.begins):
            for child in (2 * node, 2 * node + 1):
                # Lower bound: the cell must at least reach from the record to the node's box. If
                # that costs more than the node's most expensive cell, every record there pays more.
                bound = 0.0
                for bucket in here:
                    bound += protection * floors.pairs[bucket, child]
                for column in range(len(own)):
                    code = own[column]
                    low, high = tree.low[child, column], tree.high[child, column]
                    if code < low:
                        touching = look_up(cells, column, code, low)
                    elif code > high:
                        touching = look_up(cells, column, high, code)
                    else:
                        continue
                    more = max(0.0, touching - floors.costs[child, column])
                    bound += steer * (touching + floors.sizes[child] * more)
                    if bound > enough:
                        break
                if bound <= enough:
                    nodes[n_waiting], bounds[n_waiting] = child, bound
                    n_waiting += 1
                    if child & 1 and n_waiting > 1 and nodes[n_waiting - 2] == child - 1:
                        if bounds[n_waiting - 2] < bound:  # the lower one is looked at first
                            nodes[n_waiting - 1] = child - 1
                            bounds[n_waiting - 1] = bounds[n_waiting - 2]
                            nodes[n_waiting - 2], bounds[n_waiting - 2] = child, bound
            continue
        for position in range(tree.begins[node], tree.ends[node]):
            size = float(clusters.sizes[position])
            pairs = float(n_values)
            for bucket in here:
                pairs += 2.0 * floors.near[bucket, position]
            cost = protection * (pairs - clusters.sums[position] / size) / (size + 1.0)  # or more
            enough = best.costs[last] + CLOSE
            for column in range(len(own)):
                if cost > enough:
                    break
                code = own[column]
                after = before = clusters.costs[position, column]
                if scale.is_set[column]:
                    after = grown_set(codes, row, column, scale, clusters, position)
                elif code < tree.codes[position, column]:
                    after = look_up(cells, column, code, tree.ends_of[position, column])
                elif code > tree.ends_of[position, column]:
                    after = look_up(cells, column, tree.codes[position, column], code)
                cost += steer * (after + size * (after - before))
            if cost > enough:
                continue
            if not buckets.is_exact:
                close = likeness_to(values, row, scale, buckets, state, position)
                cost = cost_of(codes, row, scale, clusters, position, 2.0 * close + n_values)
            number = tree.rows[position]
            if comes_before(cost, number, best.costs[last], best.numbers[last]):
                insert(best, last, position, number, cost)


@kernel
def insert(best, last, position, number, cost):
    """Put a cluster in its place of the list; the last one falls out."""
    at = last
    while at > 0 and comes_before(cost, number, best.costs[at - 1], best.numbers[at - 1]):
        best.positions[at] = best.positions[at - 1]
        best.numbers[at] = best.numbers[at - 1]
        best.costs[at] = best.costs[at - 1]
        at -= 1
    best.positions[at], best.numbers[at], best.costs[at] = position, number, cost
