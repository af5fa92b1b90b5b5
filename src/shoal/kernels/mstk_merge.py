"""Merging classes that are too small, always the two that are closest: agglomerative clustering.

A class costs its number of records times the cost of its box. The distance of two classes is the
cost of their union less their own costs. A class is named by its first row; of pairs that are
equally close the one with the smaller first name goes first, and then the smaller second name.

Pairs wait in a priority queue. The closest class is found by branch and bound in a kd-tree of
boxes.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_table import tabulate
from shoal.kernels.heap import drop_top, empty_heap, push
from shoal.kernels.merge import box_costs
from shoal.kernels.mstk_levels import HALF
from shoal.kernels.tree import DEEP, cell_cost, grow_box_tree, refresh

NONE_FOUND = -1
BEYOND = 2**62


class Classes(NamedTuple):
    """Classes at the positions of a tree of boxes. One that was merged is at one of the two.

    A pair is found from the side of the class with the larger stamp: of the first classes the one
    with the smaller name, later the newer one. So a class whose partner is gone looks only for
    others that it answers for, and few classes wait for the same partner.
    """

    names: np.ndarray  # int64[n], the first row
    sizes: np.ndarray  # int64[n]
    costs: np.ndarray  # float64[n]
    stamps: np.ndarray  # int64[n]
    is_small: np.ndarray  # bool[n], those that must be merged
    partners: np.ndarray  # int64[n], the position of the closest that was found
    partner_stamps: np.ndarray  # int64[n], to see whether it is the same class still
    distances: np.ndarray  # float64[n]
    node_name: np.ndarray  # int64[nodes], the smallest
    node_cost: np.ndarray  # float64[nodes], the largest
    node_stamp: np.ndarray  # int64[nodes], the smallest
    node_small: np.ndarray  # int64[nodes], how many


@kernel
def lay_out(low, high, sizes, names, k, ruler, pulse):
    """Classes in a tree: int32[g,q], int32[g,q], int64[g], int64[g] -> Tree, Classes, Cells."""
    tree = grow_box_tree(low, high, np.ones(len(sizes), dtype=np.int64), ruler, pulse)
    n, n_nodes = len(sizes), len(tree.begins)
    is_small = sizes[tree.rows] < k
    # Names count down, so that of two first classes the smaller name answers; large ones never do.
    stamps = np.where(is_small, np.max(names) + 1 - names[tree.rows], 0)
    classes = Classes(
        names[tree.rows],
        sizes[tree.rows],
        box_costs(tree.codes, tree.ends_of, ruler),
        stamps,
        is_small,
        np.full(n, NONE_FOUND),
        np.full(n, np.int64(-1)),
        np.full(n, np.inf),
        np.empty(n_nodes, dtype=np.int64),
        np.empty(n_nodes, dtype=np.float64),
        np.empty(n_nodes, dtype=np.int64),
        np.empty(n_nodes, dtype=np.int64),
    )
    for node in range(n_nodes - 1, 0, -1):
        describe(tree, classes, node)
    return tree, classes, tabulate(ruler)


@kernel
def describe(tree, classes, node):
    """What the classes below a node have in common."""
    name, cost, stamp, n_small = BEYOND, 0.0, BEYOND, 0
    if 2 * node >= len(tree.begins):
        for position in range(tree.begins[node], tree.ends[node]):
            if tree.left[position] > 0:
                name = min(name, classes.names[position])
                cost = max(cost, classes.costs[position])
                stamp = min(stamp, classes.stamps[position])
                n_small += classes.is_small[position]
    else:
        for child in (2 * node, 2 * node + 1):
            name = min(name, classes.node_name[child])
            cost = max(cost, classes.node_cost[child])
            stamp = min(stamp, classes.node_stamp[child])
            n_small += classes.node_small[child]
    classes.node_name[node], classes.node_cost[node] = name, cost
    classes.node_stamp[node], classes.node_small[node] = stamp, n_small


@kernel
def look_from(tree, classes, cells, positions, pulse):
    """Find the closest class for each of some positions. Writes to their places only."""
    for position in positions:
        if pulse.stop[0]:
            return
        find_closest(tree, classes, cells, position)


@kernel
def merge_small(tree, classes, cells, k, large_ones_stay, pulse):
    """Merge until no class is small, or one is left with no other: -> where each went, int64[n].

    Positions are those of the tree; a class that was not merged went to itself. Without
    `large_ones_stay` a class that has become large enough can no longer be a partner.
    """
    into = np.arange(len(classes.names))
    heap = empty_heap(2 * len(classes.names) + 1)
    stamp = np.max(classes.stamps)
    for position in range(len(classes.names)):
        enter(heap, classes, position)
    while heap.size[0] > 0 and not pulse.stop[0]:
        one, one_stamp = heap.items[0], heap.third[0]
        drop_top(heap)
        if tree.left[one] == 0 or classes.stamps[one] != one_stamp:
            continue
        other = classes.partners[one]
        if tree.left[other] == 0 or classes.stamps[other] != classes.partner_stamps[one]:
            find_closest(tree, classes, cells, one)
            enter(heap, classes, one)
            continue
        if classes.names[other] < classes.names[one]:
            one, other = other, one
        stamp += 1
        unite(tree, classes, cells, one, other, stamp, k, large_ones_stay)
        into[other] = one
        pulse.done[0] += 1
        if tree.left[one] > 0:
            find_closest(tree, classes, cells, one)
            enter(heap, classes, one)
    for position in range(len(into) - 1, -1, -1):
        while into[into[position]] != into[position]:
            into[position] = into[into[position]]
    return into


@kernel
def enter(heap, classes, position):
    """Put a class into the heap, with the pair of names that goes first among equally close."""
    other = classes.partners[position]
    if other >= 0:
        name, other_name = classes.names[position], classes.names[other]
        pair = (min(name, other_name) << HALF) | max(name, other_name)
        push(heap, classes.distances[position], pair, classes.stamps[position], position)


@kernel
def unite(tree, classes, cells, one, other, stamp, k, large_ones_stay):
    """Let the class at `one` take in the other."""
    for column in range(tree.codes.shape[1]):
        tree.codes[one, column] = min(tree.codes[one, column], tree.codes[other, column])
        tree.ends_of[one, column] = max(tree.ends_of[one, column], tree.ends_of[other, column])
    classes.sizes[one] += classes.sizes[other]
    classes.costs[one] = box_costs(
        tree.codes[one : one + 1], tree.ends_of[one : one + 1], cells.ruler
    )[0]
    classes.stamps[one] = stamp
    classes.is_small[one] = classes.sizes[one] < k
    tree.left[other] = 0
    if not classes.is_small[one] and not large_ones_stay:
        tree.left[one] = 0
    n_leaves = len(tree.begins) // 2
    for position in (other, one):
        node = n_leaves + ((position + 1) * n_leaves - 1) // len(tree.rows)
        while node > 0:
            refresh(tree, node)
            describe(tree, classes, node)
            node //= 2


@kernel
def find_closest(tree, classes, cells, home):
    """Look for the closest class that `home` answers for; a large one looks for small ones only.

    Of equally close ones the smallest name. One long function: calls would double the time.
    """
    costs, begins, n_codes = cells.costs, cells.begins, cells.n_codes
    n_nodes, n_columns = tree.low.shape
    low, high = tree.codes[home].copy(), tree.ends_of[home].copy()
    size, own, stamp = classes.sizes[home], classes.costs[home], classes.stamps[home]
    for_small = not classes.is_small[home]
    best, best_cost, best_name = NONE_FOUND, np.inf, BEYOND
    nodes = np.empty(DEEP, dtype=np.int64)
    floors = np.empty(DEEP, dtype=np.float64)
    nodes[0], floors[0], n_waiting = 1, 0.0, 1
    while n_waiting > 0:
        n_waiting -= 1
        node, floor = nodes[n_waiting], floors[n_waiting]
        if floor > best_cost or (floor == best_cost and classes.node_name[node] > best_name):
            continue
        if 2 * node >= n_nodes:
            for position in range(tree.begins[node], tree.ends[node]):
                if tree.left[position] == 0 or classes.stamps[position] >= stamp:
                    continue
                if for_small and not classes.is_small[position]:
                    continue
                union = 0.0
                for column in range(n_columns):
                    begin = min(low[column], tree.codes[position, column])
                    end = max(high[column], tree.ends_of[position, column])
                    if begins[column] >= 0:
                        union += costs[begins[column] + begin * n_codes[column] + end]
                    else:
                        union += cell_cost(cells.ruler, column, begin, end)
                cost = size * (union - own)
                cost += classes.sizes[position] * (union - classes.costs[position])
                name = classes.names[position]
                if cost < best_cost or (cost == best_cost and name < best_name):
                    best, best_cost, best_name = position, cost, name
            continue
        for child in (2 * node, 2 * node + 1):
            if tree.n_left[child] == 0 or classes.node_stamp[child] >= stamp:
                continue
            if for_small and classes.node_small[child] == 0:
                continue
            union = 0.0
            for column in range(n_columns):  # the box becomes at least as wide as to touch the node
                begin = min(low[column], tree.high[child, column])
                end = max(high[column], tree.low[child, column])
                if begins[column] >= 0:
                    union += costs[begins[column] + begin * n_codes[column] + end]
                else:
                    union += cell_cost(cells.ruler, column, begin, end)
            # The other class has at least one record, and costs no more than the dearest there.
            floor = size * (union - own) + max(0.0, union - classes.node_cost[child])
            name = classes.node_name[child]
            if floor > best_cost or (floor == best_cost and name > best_name):
                continue
            nodes[n_waiting], floors[n_waiting] = child, floor
            n_waiting += 1
            if child > 2 * node and n_waiting > 1 and nodes[n_waiting - 2] == child - 1:
                other = floors[n_waiting - 2]
                if floor > other or (floor == other and name > classes.node_name[child - 1]):
                    nodes[n_waiting - 1], floors[n_waiting - 1] = child - 1, other
                    nodes[n_waiting - 2], floors[n_waiting - 2] = child, floor
    classes.partners[home], classes.distances[home] = best, best_cost
    if best >= 0:
        classes.partner_stamps[home] = classes.stamps[best]
