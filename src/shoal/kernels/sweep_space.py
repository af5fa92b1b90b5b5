"""Boxes of cells for the local search: what they cost, what they cover, which rows lie in them.

Every column is one of four kinds. A *table* has the cost and the ends of the cell for each pair of
codes; a *ladder* has them level by level, where a table would be too large; a *line* has numbers;
a *set* lists values. Costs are what the measure `loss` says, times the weight of the column.

A box is one array of words: of a set, a bit for each value; of other columns, the first code and
the last one. What belongs together is one array of records, because a call copies every array that
it is given, and code that is called with many takes long to compile.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import inner, kernel

TABLE, LADDER, LINE, SET = 0, 1, 2, 3  # kinds of columns
BITS = 31  # values in a word of a set
DEEP = 128  # more nodes of the tree than ever wait to be looked at

COLUMN = np.dtype(
    [
        ("weight", np.float64),  # what the widest cell costs
        ("step", np.float64),  # what each further value of a set costs
        ("kind", np.int64),
        ("n_codes", np.int64),  # with missing, which is the last
        ("begin", np.int64),  # its first cell in `cells`
        ("at", np.int64),  # its first word in boxes
        ("n_words", np.int64),
        ("hidden", np.int64),  # from this code on, a set with another value is the root
        ("height", np.int64),  # the levels above the leaves
    ],
    align=True,
)
CELL = np.dtype(
    [
        ("cost", np.float64),
        ("node", np.int32),  # the node above a code (ladder), the level of a pair (table)
        ("low", np.int32),  # the first code that the cell covers
        ("high", np.int32),  # the last one
    ],
    align=True,
)
ROW = np.dtype([("count", np.int64), ("own", np.float64)], align=True)  # records; its cost alone
RUN = np.dtype([("begin", np.int64), ("end", np.int64)], align=True)  # rows below a tree's node


class Space(NamedTuple):
    """Rows in the order of a halved tree, and the cells of each column.

    `cells` hold a block for each column, by pairs of codes (table), by levels and codes (ladder),
    or by codes (line, whose costs are where the cells of codes begin and, in a second block, end).
    """

    codes: np.ndarray  # int32[n,q]
    rows: np.recarray  # ROW[n]
    columns: np.recarray  # COLUMN[q]
    cells: np.recarray  # CELL
    tree: np.recarray  # RUN[nodes]
    boxes: np.ndarray  # int32[nodes,words] around the rows of each node of the tree


@inner
def ladder_at(space, column, low, high):
    """Where in a ladder the level of the lowest node above two codes has its entry of `low`."""
    at, n = space.columns[column].begin, space.columns[column].n_codes
    while space.cells[at + low].node != space.cells[at + high].node:
        at += n
    return at + low


@inner
def pair_cost(space, column, one, other):
    """What the smallest cell costs that covers two codes of a column."""
    about = space.columns[column]
    low, high = min(one, other), max(one, other)
    if about.kind == TABLE:
        return space.cells[about.begin + low * about.n_codes + high].cost
    if about.kind == SET:
        if low == high:
            return 0.0
        return about.weight if high >= about.hidden else about.step
    if about.kind == LADDER:
        return space.cells[ladder_at(space, column, low, high)].cost
    if high == about.n_codes - 1:
        return 0.0 if low == high else about.weight
    end = space.cells[about.begin + about.n_codes + high].cost
    return min(about.weight, end - space.cells[about.begin + low].cost)


@inner
def set_cost(space, column, box):
    """By the number of values; a rare or missing one among others makes it the root."""
    about = space.columns[column]
    n_values, hides = 0, False
    for word in range(about.n_words):
        left, first = np.int64(box[about.at + word]), word * BITS
        if first + BITS > about.hidden and left >> max(about.hidden - first, 0) != 0:
            hides = True
        while left != 0:
            n_values += 1
            left &= left - 1
    if n_values <= 1:
        return 0.0
    return about.weight if hides else about.step * (n_values - 1)


@inner
def box_cost(space, box):
    cost = 0.0
    for column in range(len(space.columns)):
        about = space.columns[column]
        if about.kind == SET:
            cost += set_cost(space, column, box)
            continue
        low, high = np.int64(box[about.at]), np.int64(box[about.at + 1])
        if about.kind == TABLE:
            cost += space.cells[about.begin + low * about.n_codes + high].cost
        else:
            cost += pair_cost(space, column, low, high)
    return cost


@inner
def empty_box(space, box):
    for column in range(len(space.columns)):
        about = space.columns[column]
        if about.kind == SET:
            for word in range(about.at, about.at + about.n_words):
                box[word] = 0
        else:
            box[about.at], box[about.at + 1] = 2**31 - 1, -1


@inner
def add_row(space, box, row):
    """Let a box cover a row, without closing it."""
    for column in range(len(space.columns)):
        about, code = space.columns[column], np.int64(space.codes[row, column])
        if about.kind == SET:
            box[about.at + code // BITS] |= 1 << (code % BITS)
        else:
            box[about.at] = min(np.int64(box[about.at]), code)
            box[about.at + 1] = max(np.int64(box[about.at + 1]), code)


@inner
def join_row(space, box, row):
    """Let a box cover a row."""
    add_row(space, box, row)
    close_box(space, box)


@inner
def join_box(space, box, other):
    """Let a box cover another."""
    for column in range(len(space.columns)):
        about = space.columns[column]
        if about.kind == SET:
            for word in range(about.at, about.at + about.n_words):
                box[word] |= other[word]
        else:
            box[about.at] = min(box[about.at], other[about.at])
            box[about.at + 1] = max(box[about.at + 1], other[about.at + 1])
    close_box(space, box)


@inner
def close_box(space, box):
    """Let each cell cover all that it covers as it is published."""
    for column in range(len(space.columns)):
        about = space.columns[column]
        if about.kind == SET:
            close_set(space, column, box)
            continue
        low, high = np.int64(box[about.at]), np.int64(box[about.at + 1])
        at = about.begin
        if about.kind == TABLE:
            at += low * about.n_codes + high
        elif about.kind == LADDER:
            at = ladder_at(space, column, low, high)
        elif high == about.n_codes - 1 and low < high:
            box[about.at] = 0
            continue
        else:
            box[about.at] = space.cells[at + low].low
            box[about.at + 1] = space.cells[at + high].high
            continue
        box[about.at], box[about.at + 1] = space.cells[at].low, space.cells[at].high


@inner
def close_set(space, column, box):
    """A set that is published as the root covers all values."""
    about = space.columns[column]
    if about.hidden < about.n_codes and set_cost(space, column, box) >= about.weight:
        for word in range(about.n_words):
            n_values = min(about.n_codes - word * BITS, BITS)
            box[about.at + word] = (1 << n_values) - 1


@inner
def covers(space, box, row):
    """Whether a row lies in a box."""
    for column in range(len(space.columns)):
        about, code = space.columns[column], np.int64(space.codes[row, column])
        if about.kind == SET:
            if (np.int64(box[about.at + code // BITS]) >> (code % BITS)) & 1 == 0:
                return False
        elif code < box[about.at] or code > box[about.at + 1]:
            return False
    return True


@inner
def touches(space, box, node):
    """Whether rows of a node of the tree can lie in a box."""
    for column in range(len(space.columns)):
        about = space.columns[column]
        at = about.at
        if about.kind == SET:
            is_shared = False
            for word in range(at, at + about.n_words):
                is_shared = is_shared or box[word] & space.boxes[node, word] != 0
            if not is_shared:
                return False
        elif space.boxes[node, at] > box[at + 1] or space.boxes[node, at + 1] < box[at]:
            return False
    return True


@inner
def rows_in(space, box, found):
    """Write the rows that lie in a box to `found`, ascending; return their number."""
    n_found, n_waiting = 0, 1
    waiting = np.empty(DEEP, dtype=np.int64)
    waiting[0] = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if not touches(space, box, node):
            continue
        if 2 * node < len(space.tree):
            waiting[n_waiting], waiting[n_waiting + 1] = 2 * node + 1, 2 * node
            n_waiting += 2
            continue
        for row in range(space.tree[node].begin, space.tree[node].end):
            if covers(space, box, row):
                found[n_found] = row
                n_found += 1
    return n_found


@inner
def sift(space, box, rows, n_rows):
    """Bring the rows of a list that lie in a box to its front; return their number."""
    n_inside = 0
    for i in range(n_rows):
        row = np.int64(rows[i])
        if covers(space, box, row):
            rows[i], rows[n_inside] = rows[n_inside], row
            n_inside += 1
    return n_inside


@kernel
def measure_space(space):
    """What each row costs alone, and the boxes of the tree: fills `own` and `boxes`."""
    for row in range(len(space.rows)):
        cost = 0.0
        for column in range(len(space.columns)):
            code = np.int64(space.codes[row, column])
            cost += pair_cost(space, column, code, code)
        space.rows[row].own = cost
    for node in range(len(space.tree) - 1, 0, -1):
        box = space.boxes[node]
        empty_box(space, box)
        if 2 * node >= len(space.tree):
            for row in range(space.tree[node].begin, space.tree[node].end):
                add_row(space, box, row)
            continue
        for column in range(len(space.columns)):
            about = space.columns[column]
            one, other = space.boxes[2 * node], space.boxes[2 * node + 1]
            if about.kind == SET:
                for word in range(about.at, about.at + about.n_words):
                    box[word] = one[word] | other[word]
            else:
                box[about.at] = min(one[about.at], other[about.at])
                box[about.at + 1] = max(one[about.at + 1], other[about.at + 1])
