"""The people of a population that boxes match: range counting in a kd-tree.

Rows of the population are halved at medians, again and again, so that a node of the tree covers a
run of rows that are near each other. Most nodes are skipped or counted as a whole.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tree import DEEP, halved_runs, part_at

LEAF = 16  # rows, about
ANY = 2**31 - 1  # the highest code: a box up to it is that of a root, which has every value


class People(NamedTuple):
    """Different rows of a population; nodes are numbered as in a heap, 1 being the root."""

    codes: np.ndarray  # int32[rows,q]
    weights: np.ndarray  # int64[rows]
    begins: np.ndarray  # int64[nodes], first row
    ends: np.ndarray  # int64[nodes], after the last one
    low: np.ndarray  # int32[nodes,q], the box around the rows
    high: np.ndarray  # int32[nodes,q]
    totals: np.ndarray  # int64[nodes]


class Boxes(NamedTuple):
    """From low to high in every column; in columns with a list, only the values listed."""

    low: np.ndarray  # int32[boxes,q]
    high: np.ndarray  # int32[boxes,q]
    lists: np.ndarray  # int64[q], the number of a column's list, or -1
    starts: np.ndarray  # int64[lists,boxes+1], where the values of each box begin
    values: np.ndarray  # int32, ascending within a box


@kernel
def order_people(codes, weights):
    """int32[rows,q], int64[rows] -> People."""
    n_rows, n_columns = codes.shape
    begins, ends = halved_runs(n_rows, LEAF)
    n_leaves = len(begins) // 2
    rows = np.arange(n_rows)
    room = np.empty(n_rows, dtype=np.int64)
    low = np.zeros((2 * n_leaves, n_columns), dtype=np.int32)
    high = np.zeros((2 * n_leaves, n_columns), dtype=np.int32)
    totals = np.zeros(2 * n_leaves, dtype=np.int64)
    for node in range(1, 2 * n_leaves):
        begin, end = begins[node], ends[node]
        low[node], high[node] = codes[rows[begin]], codes[rows[begin]]
        for i in range(begin, end):
            totals[node] += weights[rows[i]]
            for column in range(n_columns):
                low[node, column] = min(low[node, column], codes[rows[i], column])
                high[node, column] = max(high[node, column], codes[rows[i], column])
        if node < n_leaves:
            widest = widest_column(low, high, node)
            part_at(codes[:, widest], rows, begin, begins[2 * node + 1], end, room)
    return People(codes[rows], weights[rows], begins, ends, low, high, totals)


@kernel
def widest_column(low, high, node):
    """The column in which a node covers most of what the root covers."""
    widest, most = 0, -1.0
    for column in range(low.shape[1]):
        span = high[1, column] - low[1, column] + 1
        width = (high[node, column] - low[node, column]) / span
        if width > most:
            widest, most = column, width
    return widest


@kernel
def count_matches(people, boxes, sizes):
    """How many people each box matches: to sizes, int64[boxes]."""
    no_rows = np.empty(0, dtype=np.float64)
    for box in range(len(sizes)):
        sizes[box] = visit(people, boxes, box, 0.0, no_rows, no_rows)[0]


@kernel
def add_presence(people, boxes, shares, presence):
    """Add to every row, float64[rows], the shares of the boxes that match it."""
    for box in range(len(shares)):
        visit(people, boxes, box, shares[box], presence, presence[:0])


@kernel
def range_of_presence(people, boxes, presence, lowest, highest):
    """The least and the largest presence of the rows that each box matches."""
    for box in range(len(lowest)):
        _, lowest[box], highest[box] = visit(people, boxes, box, 0.0, presence[:0], presence)


@kernel
def visit(people, boxes, box, share, to_add, to_look_up):
    """Go through the rows that a box matches: how many people, least and largest looked up."""
    n_people, least, largest = 0, np.inf, -np.inf
    only_counts = len(to_add) == 0 and len(to_look_up) == 0
    waiting = np.empty(DEEP, dtype=np.int64)
    waiting[0], n_waiting = 1, 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        touch = overlap(boxes, box, people.low[node], people.high[node])
        if touch == 0:
            continue
        if touch == 2 and only_counts:
            n_people += people.totals[node]
            continue
        if touch == 1 and 2 * node < len(people.begins):
            waiting[n_waiting], waiting[n_waiting + 1] = 2 * node, 2 * node + 1
            n_waiting += 2
            continue
        for row in range(people.begins[node], people.ends[node]):
            if touch == 2 or overlap(boxes, box, people.codes[row], people.codes[row]) == 2:
                n_people += people.weights[row]
                if len(to_add) > 0:
                    to_add[row] += share
                if len(to_look_up) > 0:
                    least = min(least, to_look_up[row])
                    largest = max(largest, to_look_up[row])
    return n_people, least, largest


@kernel
def overlap(boxes, box, low, high):
    """Whether a box has nothing (0), something perhaps (1) or all (2) of what is in low..high."""
    result = 2
    for column in range(len(low)):
        if low[column] > boxes.high[box, column] or high[column] < boxes.low[box, column]:
            return 0
        if low[column] < boxes.low[box, column] or high[column] > boxes.high[box, column]:
            result = 1
        elif boxes.lists[column] >= 0 and boxes.high[box, column] != ANY:
            if low[column] != high[column]:
                result = 1  # a list has gaps
            elif not is_listed(boxes, box, boxes.lists[column], low[column]):
                return 0
    return result


@kernel
def is_listed(boxes, box, which, value):
    begin, end = boxes.starts[which, box], boxes.starts[which, box + 1]
    at = begin + np.searchsorted(boxes.values[begin:end], value)
    return at < end and boxes.values[at] == value
