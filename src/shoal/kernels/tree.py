"""A kd-tree over rows, in which the nearest and the furthest are found by branch and bound.

Rows are halved at the median of the column in which they are widest, again and again, so that near
rows are near each other. A place in that order is a *position*. A node covers a run of positions
and stores the bounding box of its rows that are left. The cost of widening a cluster's box until
it touches the node's box is a lower bound (floor) of the cost of taking any of the node's rows.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_widths import cell_width

LEAF = 8  # rows, about
DEEP = 128  # more nodes than ever wait to be looked at


class Tree(NamedTuple):
    """Nodes are numbered as in a heap: 1 is the root, 2i and 2i + 1 are below i."""

    rows: np.ndarray  # int64[n], the row at each position
    codes: np.ndarray  # int32[n,q], by position
    ends_of: np.ndarray  # int32[n,q], where boxes stand instead of rows: from codes to these
    left: np.ndarray  # int64[n], records left at each position
    begins: np.ndarray  # int64[nodes], first position
    ends: np.ndarray  # int64[nodes], after the last one
    low: np.ndarray  # int32[nodes,q], the box around what is left
    high: np.ndarray  # int32[nodes,q]
    n_left: np.ndarray  # int64[nodes], positions that have records left


@kernel
def cell_cost(ruler, column, low, high):
    """What a cell costs of the whole: its weighted width, at most 1 where missing is mixed in."""
    return ruler.weights[column] * min(1.0, cell_width(ruler, column, low, high))


@kernel
def grow_tree(codes, counts, ruler, pulse):
    """Order rows and build the tree: int32[n,q], int64[n] -> Tree."""
    return grow_box_tree(codes, codes, counts, ruler, pulse)


@kernel
def grow_box_tree(codes, ends_of, counts, ruler, pulse):
    """The same for boxes, from `codes` to `ends_of`: int32[n,q], int32[n,q], int64[n] -> Tree."""
    n_rows, n_columns = codes.shape
    begins, ends = halved_runs(n_rows, LEAF)
    n_leaves = len(begins) // 2
    rows = np.arange(n_rows)
    low = np.zeros((2 * n_leaves, n_columns), dtype=np.int32)
    high = np.zeros((2 * n_leaves, n_columns), dtype=np.int32)
    room = np.empty(n_rows, dtype=np.int64)
    n_halved = np.zeros(n_columns, dtype=np.int64)  # rows, by the column that they were halved by
    for node in range(1, n_leaves):
        if pulse.stop[0]:
            break
        begin, end = begins[node], ends[node]
        widest = measure(codes, rows, begin, end, ruler, n_halved, low[node], high[node])
        if low[node, widest] < high[node, widest]:
            part_at(codes[:, widest], rows, begin, begins[2 * node + 1], end, room)
            n_halved[widest] += end - begin
    n_left = np.zeros(2 * n_leaves, dtype=np.int64)
    tree = Tree(rows, codes[rows], ends_of[rows], counts[rows], begins, ends, low, high, n_left)
    for node in range(2 * n_leaves - 1, 0, -1):
        refresh(tree, node)
    return tree


@kernel
def halved_runs(n, size):
    """Runs of 0..n halved until none is longer than `size`: int64[nodes] begins, and ends.

    Nodes are numbered as in a heap; those from half of them on are the leaves.
    """
    n_leaves = 1
    while n_leaves * size < n:
        n_leaves *= 2
    begins = np.zeros(2 * n_leaves, dtype=np.int64)
    ends = np.zeros(2 * n_leaves, dtype=np.int64)
    for leaf in range(n_leaves):
        begins[n_leaves + leaf] = leaf * n // n_leaves
        ends[n_leaves + leaf] = (leaf + 1) * n // n_leaves
    for node in range(n_leaves - 1, 0, -1):
        begins[node], ends[node] = begins[2 * node], ends[2 * node + 1]
    return begins, ends


@kernel
def measure(codes, rows, begin, end, ruler, n_halved, low, high):
    """Write the box of a run of rows to low, high; return the column in which it is widest.

    Equally wide ones take turns: the one by which fewest rows were halved, then the one whose codes
    are most evenly spread over its box. So their places in the file decide only between copies.
    """
    low[:] = codes[rows[begin]]
    high[:] = codes[rows[begin]]
    for i in range(begin, end):
        for column in range(codes.shape[1]):
            code = codes[rows[i], column]
            low[column] = min(low[column], code)
            high[column] = max(high[column], code)
    widest, most, evenness = 0, -1.0, -1
    for column in range(codes.shape[1]):
        width = cell_cost(ruler, column, low[column], high[column])
        if width < most or (width == most and n_halved[column] > n_halved[widest]):
            continue
        own = -1
        if width == most and n_halved[column] == n_halved[widest]:
            if evenness < 0:
                evenness = smaller_side(codes[:, widest], rows, begin, end, low, high, widest)
            own = smaller_side(codes[:, column], rows, begin, end, low, high, column)
            if own <= evenness:
                continue
        widest, most, evenness = column, width, own
    return widest


@kernel
def smaller_side(codes, rows, begin, end, low, high, column):
    """Rows of a run in the half of its box, by codes, that has fewer of them."""
    middle = (low[column] + high[column]) // 2
    n_low = 0
    for i in range(begin, end):
        n_low += codes[rows[i]] <= middle
    return min(n_low, end - begin - n_low)


@kernel
def part_at(column, rows, begin, middle, end, room):
    """Bring the rows with the smaller codes before `middle`; equal ones stay in their order."""
    codes = np.empty(end - begin, dtype=np.int32)
    for i in range(begin, end):
        codes[i - begin] = column[rows[i]]
    pivot = np.partition(codes, middle - begin)[middle - begin]
    n_smaller = 0
    for code in codes:
        n_smaller += code < pivot
    n_equal = middle - begin - n_smaller  # of those equal to the pivot, so many go to the left
    to_left, to_right = begin, 0
    for i in range(begin, end):
        code = column[rows[i]]
        goes_left = code < pivot
        if code == pivot and n_equal > 0:
            goes_left = True
            n_equal -= 1
        if goes_left:
            rows[to_left] = rows[i]
            to_left += 1
        else:
            room[to_right] = rows[i]
            to_right += 1
    rows[middle:end] = room[:to_right]


@kernel
def refresh(tree, node):
    """The box of a node anew, from what is left below it. Returns whether it changed."""
    n_columns = tree.codes.shape[1]
    is_leaf = 2 * node >= len(tree.begins)
    n_left = np.int64(0)
    changed = False
    for column in range(n_columns):
        low, high = np.int32(2**31 - 1), np.int32(-1)
        n_left = 0
        if is_leaf:
            for position in range(tree.begins[node], tree.ends[node]):
                if tree.left[position] > 0:
                    n_left += 1
                    low = min(low, tree.codes[position, column])
                    high = max(high, tree.ends_of[position, column])
        else:
            for child in (2 * node, 2 * node + 1):
                if tree.n_left[child] > 0:
                    n_left += tree.n_left[child]
                    low = min(low, tree.low[child, column])
                    high = max(high, tree.high[child, column])
        changed |= low != tree.low[node, column] or high != tree.high[node, column]
        tree.low[node, column], tree.high[node, column] = low, high
    tree.n_left[node] = n_left
    return changed


@kernel
def take(tree, position, n_records):
    """Take records away; boxes shrink when a position is empty."""
    tree.left[position] -= n_records
    if tree.left[position] == 0:
        tell_above(tree, position, 1)


@kernel
def tell_above(tree, position, n_fewer):
    """Bring the nodes above a position up to date: its box changed, or it is empty."""
    n_leaves = len(tree.begins) // 2
    node = n_leaves + ((position + 1) * n_leaves - 1) // len(tree.rows)
    changed = True
    while node > 0:
        if changed:
            changed = refresh(tree, node)
        else:
            tree.n_left[node] -= n_fewer
        node //= 2


@kernel
def nearest(tree, ruler, low, high, home):
    """The position whose row widens the box low..high least, and what the box costs then.

    Equal ones: the nearest to the position `home`, then the first.
    """
    n_columns = len(low)
    widths = np.empty(n_columns)
    for column in range(n_columns):
        widths[column] = cell_cost(ruler, column, low[column], high[column])
    best, best_cost, best_gap = -1, np.inf, len(tree.rows)
    nodes = np.empty(DEEP, dtype=np.int64)
    floors = np.empty(DEEP, dtype=np.float64)
    nodes[0], floors[0], n_waiting = 1, 0.0, 1
    while n_waiting > 0:
        n_waiting -= 1
        node, floor = nodes[n_waiting], floors[n_waiting]
        gap = max(tree.begins[node] - home, home - tree.ends[node] + 1, 0)
        if floor > best_cost or (floor == best_cost and gap > best_gap):
            continue
        if 2 * node < len(tree.begins):
            first, second = 2 * node, 2 * node + 1
            first_floor = floor_of(tree, ruler, low, high, widths, first)
            second_floor = floor_of(tree, ruler, low, high, widths, second)
            is_later = home >= tree.begins[second]
            if second_floor < first_floor or (second_floor == first_floor and is_later):
                first, second = second, first
                first_floor, second_floor = second_floor, first_floor
            for child, child_floor in ((second, second_floor), (first, first_floor)):
                if child_floor <= best_cost and tree.n_left[child] > 0:
                    nodes[n_waiting], floors[n_waiting] = child, child_floor
                    n_waiting += 1
            continue
        for position in range(tree.begins[node], tree.ends[node]):
            if tree.left[position] == 0:
                continue
            cost = grown_cost(tree, ruler, low, high, widths, position, best_cost)
            gap = abs(position - home)
            if cost < best_cost or (
                cost == best_cost and (gap < best_gap or (gap == best_gap and position < best))
            ):
                best, best_cost, best_gap = position, cost, gap
    return best, best_cost


@kernel
def floor_of(tree, ruler, low, high, widths, node):
    """Lower bound of the box's cost with any row of a node; infinity if none is left."""
    if tree.n_left[node] == 0:
        return np.inf
    cost = 0.0
    for column in range(len(low)):
        if tree.low[node, column] > high[column]:
            cost += cell_cost(ruler, column, low[column], tree.low[node, column])
        elif tree.high[node, column] < low[column]:
            cost += cell_cost(ruler, column, tree.high[node, column], high[column])
        else:
            cost += widths[column]
    return cost


@kernel
def grown_cost(tree, ruler, low, high, widths, position, enough):
    """What the box costs with one more row; any number above `enough` if it is more than that."""
    cost = 0.0
    for column in range(len(low)):
        code = tree.codes[position, column]
        if code > high[column]:
            cost += cell_cost(ruler, column, low[column], code)
        elif code < low[column]:
            cost += cell_cost(ruler, column, code, high[column])
        else:
            cost += widths[column]
        if cost > enough:
            return np.inf
    return cost


@kernel
def furthest(tree, ruler, row):
    """The position whose row is furthest from a row of codes; of equal ones the first."""
    best, best_distance = -1, -1.0
    nodes = np.empty(DEEP, dtype=np.int64)
    ceilings = np.empty(DEEP, dtype=np.float64)
    nodes[0], ceilings[0], n_waiting = 1, np.inf, 1
    while n_waiting > 0:
        n_waiting -= 1
        node, ceiling = nodes[n_waiting], ceilings[n_waiting]
        if ceiling < best_distance or (ceiling == best_distance and tree.begins[node] > best):
            continue
        if 2 * node < len(tree.begins):
            first, second = 2 * node, 2 * node + 1
            first_ceiling = ceiling_of(tree, ruler, row, first)
            second_ceiling = ceiling_of(tree, ruler, row, second)
            if second_ceiling > first_ceiling:
                first, second = second, first
                first_ceiling, second_ceiling = second_ceiling, first_ceiling
            for child, child_ceiling in ((second, second_ceiling), (first, first_ceiling)):
                if tree.n_left[child] > 0 and child_ceiling >= best_distance:
                    nodes[n_waiting], ceilings[n_waiting] = child, child_ceiling
                    n_waiting += 1
            continue
        for position in range(tree.begins[node], tree.ends[node]):
            if tree.left[position] == 0:
                continue
            distance = distance_to(tree, ruler, row, position)
            if distance > best_distance or (distance == best_distance and position < best):
                best, best_distance = position, distance
    return best


@kernel
def ceiling_of(tree, ruler, row, node):
    """Upper bound of the distance to a row of a node, by the further ends of its box; or -1."""
    if tree.n_left[node] == 0:
        return -1.0
    distance = 0.0
    for column in range(len(row)):
        code, low, high = row[column], tree.low[node, column], tree.high[node, column]
        to_low = cell_cost(ruler, column, min(low, code), max(low, code))
        to_high = cell_cost(ruler, column, min(high, code), max(high, code))
        distance += max(to_low, to_high)
    return distance


@kernel
def distance_to(tree, ruler, row, position):
    distance = 0.0
    for column in range(len(row)):
        code, other = row[column], tree.codes[position, column]
        distance += cell_cost(ruler, column, min(other, code), max(other, code))
    return distance
