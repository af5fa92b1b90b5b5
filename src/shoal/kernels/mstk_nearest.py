"""A minimum spanning tree under any distance: Borůvka's algorithm with a tree search.

In a round every component but one takes the first edge that leaves it, in the order of weight,
smaller row and larger row. As no two edges are equal in that order, the tree is Kruskal's.

The edge is found by branch and bound in a kd-tree: the distance to the box of a node is a lower
bound for its rows, and nodes whose rows are all in the same component are skipped.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_table import tabulate
from shoal.kernels.mstk_levels import HALF, find
from shoal.kernels.tree import DEEP, cell_cost, grow_tree

NONE_FOUND = -1
BEYOND = 2**62
MIXED = -1  # a node with rows of several components


class Edges(NamedTuple):
    """Edge i joins the rows first[i] < second[i]."""

    first: np.ndarray  # int64
    second: np.ndarray  # int64
    weights: np.ndarray  # float64


class Search(NamedTuple):
    """What is known of rows, by position in the tree, and of the tree's nodes."""

    component: np.ndarray  # int64[n], by row
    partner: np.ndarray  # int64[n], the nearest row of another component, or NONE_FOUND
    distance: np.ndarray  # float64[n], to the partner; without one, no row is nearer
    node_component: np.ndarray  # int64[nodes]
    node_first: np.ndarray  # int64[nodes], the smallest row


@kernel
def join_nearest(codes, ruler, pulse):
    """The tree: int32[n,q], no two rows equal -> Edges, in no order."""
    n_rows = len(codes)
    tree = grow_tree(codes, np.ones(n_rows, dtype=np.int64), ruler, pulse)
    cells = tabulate(ruler)
    search = Search(
        np.arange(n_rows),
        np.full(n_rows, NONE_FOUND),
        np.zeros(n_rows),
        np.empty(len(tree.begins), dtype=np.int64),
        np.empty(len(tree.begins), dtype=np.int64),
    )
    edges = Edges(
        np.empty(n_rows, dtype=np.int64), np.empty(n_rows, dtype=np.int64), np.empty(n_rows)
    )
    n_edges, n_before = 0, pulse.done[0]
    while n_edges < n_rows - 1:
        describe_nodes(tree, search)
        best, weights = first_edges(tree, cells, search, (n_rows - 1 - n_edges) // 2, pulse)
        if pulse.stop[0]:
            break
        for component in range(n_rows):
            if best[component] < 0:
                continue
            first, second = best[component] >> HALF, best[component] & ((1 << HALF) - 1)
            above_first, above_second = (
                find(search.component, first),
                find(search.component, second),
            )
            if above_first != above_second:  # else the other component took the same edge
                search.component[max(above_first, above_second)] = min(above_first, above_second)
                edges.first[n_edges], edges.second[n_edges] = first, second
                edges.weights[n_edges] = weights[component]
                n_edges += 1
        for row in range(n_rows):
            search.component[row] = search.component[search.component[row]]
        pulse.done[0] = n_before + n_edges
    return Edges(
        edges.first[:n_edges].copy(), edges.second[:n_edges].copy(), edges.weights[:n_edges].copy()
    )


@kernel
def describe_nodes(tree, search):
    """The component that all rows of a node are in, and the first of them."""
    for node in range(len(tree.begins) - 1, 0, -1):
        if 2 * node < len(tree.begins):
            left, right = 2 * node, 2 * node + 1
            is_one = search.node_component[left] == search.node_component[right]
            search.node_component[node] = search.node_component[left] if is_one else MIXED
            search.node_first[node] = min(search.node_first[left], search.node_first[right])
            continue
        search.node_component[node] = search.component[tree.rows[tree.begins[node]]]
        search.node_first[node] = tree.rows[tree.begins[node]]
        for position in range(tree.begins[node], tree.ends[node]):
            row = tree.rows[position]
            search.node_first[node] = min(search.node_first[node], row)
            if search.component[row] != search.node_component[node]:
                search.node_component[node] = MIXED


@kernel
def first_edges(tree, cells, search, at_least, pulse):
    """For each component, by its first row, the edge that leaves it first, and its weight.

    The largest is left out: the others find the edges to it, and most rows need not look any more.
    Rows whose partner is still in another component go first: they tell the others how near one
    must be to matter. So many edges will be taken at least: two components may take the same.
    """
    n_before = pulse.done[0]
    n_rows = len(tree.rows)
    best = np.full(n_rows, np.int64(NONE_FOUND))
    weights = np.full(n_rows, np.inf)
    largest = np.argmax(np.bincount(search.component))
    for position in range(n_rows):
        partner = search.partner[position]
        if partner >= 0:
            if search.component[partner] == search.component[tree.rows[position]]:
                search.partner[position] = NONE_FOUND
            elif search.component[tree.rows[position]] != largest:
                offer(tree, search, position, best, weights)
    for position in range(n_rows):
        component = search.component[tree.rows[position]]
        if component == largest:
            continue
        if search.partner[position] < 0 and search.distance[position] <= weights[component]:
            pulse.done[0] = n_before + at_least * position // n_rows
            if pulse.stop[0]:
                break
            look_around(tree, cells, search, position, weights[component], best[component])
            if search.partner[position] >= 0:
                offer(tree, search, position, best, weights)
    return best, weights


@kernel
def offer(tree, search, position, best, weights):
    """Let a component have the edge from a position to its partner, if it comes first."""
    row, partner = tree.rows[position], search.partner[position]
    edge = (min(row, partner) << HALF) | max(row, partner)
    distance, component = search.distance[position], search.component[row]
    if distance < weights[component] or (distance == weights[component] and edge < best[component]):
        best[component], weights[component] = edge, distance


@kernel
def rows_that_matter(row, edge):
    """A row with a smaller number than this makes, together with `row`, an edge before this one."""
    if edge < 0:
        return BEYOND
    first, second = edge >> HALF, edge & ((1 << HALF) - 1)
    if row < first:
        return BEYOND
    if row == first:
        return second
    return first + 1 if row < second else first


@kernel
def look_around(tree, cells, search, home, enough, edge):
    """Find the nearest row of another component, unless `edge`, so long, comes before it.

    Equal ones: the smallest row, which makes the edge that comes first. One long function: calls
    would double the time.
    """
    costs, begins, n_codes = cells.costs, cells.begins, cells.n_codes
    n_nodes, n_columns = tree.low.shape
    own = tree.codes[home].copy()
    component = search.component[tree.rows[home]]
    best, best_distance = NONE_FOUND, enough
    limit = rows_that_matter(tree.rows[home], edge)  # of rows that are just as far
    nodes = np.empty(DEEP, dtype=np.int64)
    floors = np.empty(DEEP, dtype=np.float64)
    nodes[0], floors[0], n_waiting = 1, 0.0, 1
    while n_waiting > 0:
        n_waiting -= 1
        node, floor = nodes[n_waiting], floors[n_waiting]
        if floor > best_distance or search.node_component[node] == component:
            continue
        if floor == best_distance and search.node_first[node] >= limit:
            continue
        if 2 * node >= n_nodes:
            for position in range(tree.begins[node], tree.ends[node]):
                row = tree.rows[position]
                if search.component[row] == component:
                    continue
                distance = 0.0
                for column in range(n_columns):
                    begin = min(own[column], tree.codes[position, column])
                    end = max(own[column], tree.codes[position, column])
                    if begins[column] >= 0:
                        distance += costs[begins[column] + begin * n_codes[column] + end]
                    else:
                        distance += cell_cost(cells.ruler, column, begin, end)
                if distance < best_distance or (distance == best_distance and row < limit):
                    best, best_distance, limit = row, distance, row
            continue
        for child in (2 * node, 2 * node + 1):
            if search.node_component[child] == component:
                continue
            floor = 0.0
            for column in range(n_columns):
                begin = min(own[column], tree.high[child, column])
                end = max(own[column], tree.low[child, column])
                if begins[column] >= 0:
                    floor += costs[begins[column] + begin * n_codes[column] + end]
                else:
                    floor += cell_cost(cells.ruler, column, begin, end)
            first = search.node_first[child]
            if floor > best_distance or (floor == best_distance and first >= limit):
                continue
            nodes[n_waiting], floors[n_waiting] = child, floor
            n_waiting += 1
            if child > 2 * node and n_waiting > 1 and nodes[n_waiting - 2] == child - 1:
                other = floors[n_waiting - 2]
                if floor > other or (floor == other and first > search.node_first[child - 1]):
                    nodes[n_waiting - 1], floors[n_waiting - 1] = child - 1, other
                    nodes[n_waiting - 2], floors[n_waiting - 2] = child, floor
    search.partner[home] = best
    search.distance[home] = best_distance
