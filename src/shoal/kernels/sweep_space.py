"""Boxes of cells for the local search: what they cost, what they cover, which rows lie in them.

Every column is one of four kinds. A *table* has the cost and the ends of the cell for each pair of
codes; a *ladder* has them level by level, where a table would be too large; a *line* has numbers;
a *set* lists values, and its boxes have a bit for each. Costs are what the measure `loss` says,
times the weight of the column.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel

TABLE, LADDER, LINE, SET = 0, 1, 2, 3  # kinds of columns
DEEP = 128  # more nodes of the tree than ever wait to be looked at
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Space(NamedTuple):
    """Rows in the order of a halved tree, and the cells of each column.

    `costs`, `lows`, `highs` hold a block for each column, by pairs of codes (table), by levels and
    codes (ladder), or by codes (line, whose costs are where the cells of codes begin and, in a
    second block, end). The last code of a column is that of missing values.
    """

    codes: np.ndarray  # int32[n,q]
    counts: np.ndarray  # int64[n] records of each row
    own: np.ndarray  # float64[n] what a row costs alone
    kinds: np.ndarray  # int64[q]
    n_codes: np.ndarray  # int64[q] with missing
    weights: np.ndarray  # float64[q] what the widest cell costs
    begins: np.ndarray  # int64[q] blocks in costs, lows and highs; of a set, its first word
    costs: np.ndarray  # float64
    nodes: np.ndarray  # int32 the node above each code (ladder), the level of each pair (table)
    lows: np.ndarray  # int32 the first code of the cell
    highs: np.ndarray  # int32 the last one
    steps: np.ndarray  # float64[q] what each further value of a set costs
    hidden: np.ndarray  # int64[q] from this code on, a set with another value is the root
    heights: np.ndarray  # int64[q] the levels above the leaves
    n_words: int  # of bits, for all sets
    tree_begins: np.ndarray  # int64[nodes] the first row of each node of the tree
    tree_ends: np.ndarray
    tree_low: np.ndarray  # int32[nodes,q]
    tree_high: np.ndarray
    tree_bits: np.ndarray  # uint64[nodes,words]


class Box(NamedTuple):
    """A cell for each column: codes from low to high or, of a set, bits of values."""

    low: np.ndarray  # int32[q]
    high: np.ndarray
    bits: np.ndarray  # uint64[words]


@kernel
def new_box(space):
    n_columns = space.codes.shape[1]
    return Box(
        np.zeros(n_columns, dtype=np.int32),
        np.zeros(n_columns, dtype=np.int32),
        np.zeros(space.n_words, dtype=np.uint64),
    )


@kernel
def ladder_at(space, column, low, high):
    """Where in a ladder the level of the lowest node above two codes has its entry of `low`."""
    at, n = space.begins[column], space.n_codes[column]
    while space.nodes[at + low] != space.nodes[at + high]:
        at += n
    return at + low


@kernel
def pair_cost(space, column, one, other):
    """What the smallest cell costs that covers two codes of a column."""
    low, high = min(one, other), max(one, other)
    kind, begin, n = space.kinds[column], space.begins[column], space.n_codes[column]
    if kind == TABLE:
        return space.costs[begin + low * n + high]
    if kind == SET:
        if low == high:
            return 0.0
        return space.weights[column] if high >= space.hidden[column] else space.steps[column]
    if kind == LADDER:
        return space.costs[ladder_at(space, column, low, high)]
    return line_cost(space, column, low, high)


@kernel
def line_cost(space, column, low, high):
    begin, n = space.begins[column], space.n_codes[column]
    if high == n - 1:
        return 0.0 if low == high else space.weights[column]
    return min(space.weights[column], space.costs[begin + n + high] - space.costs[begin + low])


@kernel
def set_cost(space, column, bits):
    """By the number of values; a rare or missing one among others makes it the root."""
    begin, hidden = space.begins[column], space.hidden[column]
    n_values, hides = 0, False
    for word in range((space.n_codes[column] + 63) // 64):
        left = bits[begin + word]
        while left != np.uint64(0):
            n_values += 1
            left &= left - ONE
        if (word + 1) * 64 > hidden and not hides:
            first = max(hidden - word * 64, 0)
            hides = (bits[begin + word] >> np.uint64(first)) != np.uint64(0)
    if n_values <= 1:
        return 0.0
    return space.weights[column] if hides else space.steps[column] * (n_values - 1)


@kernel
def box_cost(space, box):
    cost = 0.0
    for column in range(len(box.low)):
        kind = space.kinds[column]
        low, high = box.low[column], box.high[column]
        if kind == TABLE:
            cost += space.costs[space.begins[column] + low * space.n_codes[column] + high]
        elif kind == SET:
            cost += set_cost(space, column, box.bits)
        else:
            cost += pair_cost(space, column, low, high)
    return cost


@kernel
def copy_box(source, target):
    target.low[:] = source.low
    target.high[:] = source.high
    target.bits[:] = source.bits


@kernel
def set_to_row(space, box, row):
    """Let a box be the cells of one row."""
    box.bits[:] = 0
    for column in range(len(box.low)):
        code = space.codes[row, column]
        box.low[column], box.high[column] = code, code
        if space.kinds[column] == SET:
            box.bits[space.begins[column] + code // 64] |= ONE << np.uint64(code % 64)
    close_box(space, box)


@kernel
def join_row(space, box, row):
    """Let a box cover a row."""
    for column in range(len(box.low)):
        code = space.codes[row, column]
        box.low[column] = min(box.low[column], code)
        box.high[column] = max(box.high[column], code)
        if space.kinds[column] == SET:
            box.bits[space.begins[column] + code // 64] |= ONE << np.uint64(code % 64)
    close_box(space, box)


@kernel
def join_box(space, box, other):
    """Let a box cover another."""
    for column in range(len(box.low)):
        box.low[column] = min(box.low[column], other.low[column])
        box.high[column] = max(box.high[column], other.high[column])
    for word in range(space.n_words):
        box.bits[word] |= other.bits[word]
    close_box(space, box)


@kernel
def close_box(space, box):
    """Let each cell cover all that it covers as it is published."""
    for column in range(len(box.low)):
        kind, begin, n = space.kinds[column], space.begins[column], space.n_codes[column]
        low, high = box.low[column], box.high[column]
        if kind == TABLE:
            at = begin + low * n + high
            box.low[column], box.high[column] = space.lows[at], space.highs[at]
        elif kind == SET:
            close_set(space, box, column)
        elif kind == LADDER:
            at = ladder_at(space, column, low, high)
            box.low[column], box.high[column] = space.lows[at], space.highs[at]
        elif high == n - 1 and low < high:
            box.low[column], box.high[column] = 0, n - 1
        else:
            box.low[column], box.high[column] = space.lows[begin + low], space.highs[begin + high]


@kernel
def close_set(space, box, column):
    """A set that is published as the root covers all values."""
    n = space.n_codes[column]
    if space.hidden[column] < n and set_cost(space, column, box.bits) >= space.weights[column]:
        begin = space.begins[column]
        for word in range((n + 63) // 64):
            last = min(n - word * 64, 64)
            box.bits[begin + word] = ALL if last == 64 else (ONE << np.uint64(last)) - ONE


@kernel
def same_box(kinds, box, other):
    for column in range(len(box.low)):
        if kinds[column] != SET and (
            box.low[column] != other.low[column] or box.high[column] != other.high[column]
        ):
            return False
    for word in range(len(box.bits)):
        if box.bits[word] != other.bits[word]:
            return False
    return True


@kernel
def may_touch(space, box, node):
    """Whether rows of a node of the tree can lie in a box."""
    for column in range(len(box.low)):
        if space.kinds[column] == SET:
            begin = space.begins[column]
            is_shared = False
            for word in range(begin, begin + (space.n_codes[column] + 63) // 64):
                if box.bits[word] & space.tree_bits[node, word] != np.uint64(0):
                    is_shared = True
            if not is_shared:
                return False
        elif (
            space.tree_low[node, column] > box.high[column]
            or space.tree_high[node, column] < box.low[column]
        ):
            return False
    return True


@kernel
def rows_in(space, box, found):
    """Write the rows that lie in a box to `found`, ascending; return their number.

    Tests of rows and nodes stand here in full: a call copies every array of a `NamedTuple`.
    """
    n_found, n_columns = 0, len(box.low)
    has_sets = space.n_words > 0
    waiting = np.empty(DEEP, dtype=np.int64)
    waiting[0], n_waiting = 1, 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        touches = True
        for column in range(n_columns):
            if (
                space.tree_low[node, column] > box.high[column]
                or space.tree_high[node, column] < box.low[column]
            ) and space.kinds[column] != SET:
                touches = False
                break
        if not touches or (has_sets and not may_touch(space, box, node)):
            continue
        if 2 * node < len(space.tree_begins):
            waiting[n_waiting], waiting[n_waiting + 1] = 2 * node + 1, 2 * node
            n_waiting += 2
            continue
        for row in range(space.tree_begins[node], space.tree_ends[node]):
            is_inside = True
            for column in range(n_columns):
                code = space.codes[row, column]
                if space.kinds[column] == SET:
                    word = box.bits[space.begins[column] + code // 64]
                    is_inside = (word >> np.uint64(code % 64)) & ONE != np.uint64(0)
                else:
                    is_inside = box.low[column] <= code <= box.high[column]
                if not is_inside:
                    break
            if is_inside:
                found[n_found] = row
                n_found += 1
    return n_found


@kernel
def sift(space, box, rows, n_rows):
    """Bring the rows of a list that lie in a box to its front; return their number."""
    n_inside, n_columns = 0, len(box.low)
    for i in range(n_rows):
        row, is_inside = rows[i], True
        for column in range(n_columns):
            code = space.codes[row, column]
            if space.kinds[column] == SET:
                word = box.bits[space.begins[column] + code // 64]
                is_inside = (word >> np.uint64(code % 64)) & ONE != np.uint64(0)
            else:
                is_inside = box.low[column] <= code <= box.high[column]
            if not is_inside:
                break
        if is_inside:
            rows[i], rows[n_inside] = rows[n_inside], row
            n_inside += 1
    return n_inside


@kernel
def own_costs(space):
    """What each row costs alone: fills `own`."""
    for row in range(len(space.own)):
        for column in range(space.codes.shape[1]):
            code = space.codes[row, column]
            space.own[row] += pair_cost(space, column, code, code)


@kernel
def tree_bits(space):
    """The values of sets that occur under each node of the tree: fills `tree_bits`."""
    for node in range(len(space.tree_begins) - 1, 0, -1):
        if 2 * node < len(space.tree_begins):
            for word in range(space.n_words):
                both = space.tree_bits[2 * node, word] | space.tree_bits[2 * node + 1, word]
                space.tree_bits[node, word] = both
            continue
        for row in range(space.tree_begins[node], space.tree_ends[node]):
            for column in range(space.codes.shape[1]):
                if space.kinds[column] == SET:
                    code = space.codes[row, column]
                    bit = ONE << np.uint64(code % 64)
                    space.tree_bits[node, space.begins[column] + code // 64] |= bit
