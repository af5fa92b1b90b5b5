"""Finding the group that a group, or a record, is merged with at the least cost.

A group costs its number of records times the cost of its box. Merging two groups costs the cost of
their union less their own costs.
"""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tree import DEEP, cell_cost, floor_of, grow_box_tree, tell_above

NONE_FOUND = -1


@kernel
def locality_order(low, high, sizes, ruler, pulse):
    """Groups in an order that keeps near boxes together, that of a kd-tree: int64[g]."""
    return grow_box_tree(low, high, np.ones(len(sizes), dtype=np.int64), ruler, pulse).rows


@kernel
def near_partners(low, high, sizes, costs, ruler, order, place, n_near, found, found_costs, chosen):
    """For each chosen group the one that it is merged with at the least cost, and that cost.

    Only groups at most `n_near` places from it in an order are looked at. Equal ones: the first of
    the order.  IN  low, high int32[g,q], sizes int64[g], costs float64[g] of their boxes, order
    int64[o], place int64[g] in it.  OUT found int64[g], found_costs float64[g], at the chosen.
    """
    n_columns = low.shape[1]
    for group in chosen:
        best, best_cost = NONE_FOUND, np.inf
        begin, end = max(place[group] - n_near, 0), min(place[group] + n_near + 1, len(order))
        for position in range(begin, end):
            other = order[position]
            if other == group:
                continue
            union, cost = 0.0, 0.0
            for column in range(n_columns):
                lowest = min(low[group, column], low[other, column])
                highest = max(high[group, column], high[other, column])
                union += cell_cost(ruler, column, lowest, highest)
                own, its_own = union - costs[group], union - costs[other]
                cost = sizes[group] * own + sizes[other] * its_own
                if cost > best_cost:  # the columns that are left only add to it
                    break
            if cost < best_cost:
                best, best_cost = other, cost
        found[group], found_costs[group] = best, best_cost


@kernel
def join_groups(codes, rows, counts, low, high, sizes, ruler, pulse):
    """Put records into groups, one after another, each into the one where it costs least.

    IN  codes int32[n,q], rows, counts int64[m]: the records.  IN/OUT low, high int32[g,q],
        sizes int64[g].  -> the row and the group of every record, int64[records] both.
    """
    tree = grow_box_tree(low, high, np.ones(len(sizes), dtype=np.int64), ruler, pulse)
    costs = box_costs(low, high, ruler)
    n_records = np.sum(counts)
    of_row = np.empty(n_records, dtype=np.int64)
    groups = np.empty(n_records, dtype=np.int64)
    n_placed = 0
    for i in range(len(rows)):
        row = codes[rows[i]]
        for _ in range(counts[i]):
            if pulse.stop[0]:
                return of_row, groups
            position, _cost = cheapest(tree, ruler, row, row, 1, sizes, costs, NONE_FOUND)
            group = tree.rows[position]
            for column in range(len(row)):
                low[group, column] = min(low[group, column], row[column])
                high[group, column] = max(high[group, column], row[column])
            tree.codes[position] = low[group]
            tree.ends_of[position] = high[group]
            tell_above(tree, position, 0)
            sizes[group] += 1
            costs[group] = box_costs(low[group : group + 1], high[group : group + 1], ruler)[0]
            of_row[n_placed] = rows[i]
            groups[n_placed] = group
            n_placed += 1
            pulse.done[0] += 1
    return of_row, groups


@kernel
def box_costs(low, high, ruler):
    """What each box costs: int32[g,q], int32[g,q] -> float64[g]."""
    costs = np.zeros(len(low))
    for group in range(len(low)):
        for column in range(low.shape[1]):
            costs[group] += cell_cost(ruler, column, low[group, column], high[group, column])
    return costs


@kernel
def cheapest(tree, ruler, low, high, size, sizes, costs, itself):
    """The position of the group with which the box low..high of `size` records costs least more.

    `itself` is a position that is left out. Equal ones: the first position.
    """
    n_columns = len(low)
    widths = np.empty(n_columns)
    own = 0.0
    for column in range(n_columns):
        widths[column] = cell_cost(ruler, column, low[column], high[column])
        own += widths[column]
    best, best_cost = NONE_FOUND, np.inf
    nodes = np.empty(DEEP, dtype=np.int64)
    floors = np.empty(DEEP, dtype=np.float64)
    nodes[0], floors[0], n_waiting = 1, 0.0, 1
    while n_waiting > 0:
        n_waiting -= 1
        node, floor = nodes[n_waiting], floors[n_waiting]
        if floor > best_cost or (floor == best_cost and tree.begins[node] > best):
            continue
        if 2 * node < len(tree.begins):
            first, second = 2 * node, 2 * node + 1
            # At least the box itself becomes as wide as it takes to touch the node.
            first_floor = size * (floor_of(tree, ruler, low, high, widths, first) - own)
            second_floor = size * (floor_of(tree, ruler, low, high, widths, second) - own)
            if second_floor < first_floor:
                first, second = second, first
                first_floor, second_floor = second_floor, first_floor
            for child, child_floor in ((second, second_floor), (first, first_floor)):
                if child_floor <= best_cost and tree.n_left[child] > 0:
                    nodes[n_waiting], floors[n_waiting] = child, child_floor
                    n_waiting += 1
            continue
        for position in range(tree.begins[node], tree.ends[node]):
            if position == itself or tree.left[position] == 0:
                continue
            group = tree.rows[position]
            union = 0.0
            for column in range(n_columns):
                union += cell_cost(
                    ruler,
                    column,
                    min(low[column], tree.codes[position, column]),
                    max(high[column], tree.ends_of[position, column]),
                )
            cost = size * (union - own) + sizes[group] * (union - costs[group])
            if cost < best_cost or (cost == best_cost and position < best):
                best, best_cost = position, cost
    return best, best_cost
