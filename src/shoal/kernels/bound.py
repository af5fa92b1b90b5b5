"""Nodes that could be groups: walking through them, and what their records may pay together.

A *class* is the rows below a node: `rows[begins[i]:begins[i + 1]]`. Values and costs are whole
numbers, so that sums are exact.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel


class Classes(NamedTuple):
    """The rows below each of some nodes, and what a cell costs there, all columns together."""

    rows: np.ndarray  # int32
    begins: np.ndarray  # int64[classes + 1]
    costs: np.ndarray  # int64[classes]


@kernel
def refine(classes, codes, blocks, block_costs, counts, values, least, n_counted):
    """Divide classes by the blocks of one column, and drop those that cannot matter.

    IN  codes int32[n] of the column, blocks int32: of each code, -1 for none, block_costs int64,
        counts int64[n]: records of rows, values int64[n].
    A class matters if it has `least` records and its `n_counted` largest values may be more than
    its cost, that many times. Neither comes true again further down. -> Classes.
    """
    n_blocks = len(block_costs)
    rows, begins, costs = classes
    new_rows = np.empty(len(rows), dtype=np.int32)
    new_begins = np.zeros(len(rows) + 1, dtype=np.int64)
    new_costs = np.empty(len(rows), dtype=np.int64)
    n_rows = np.zeros(n_blocks, dtype=np.int64)
    n_records = np.zeros(n_blocks, dtype=np.int64)
    largest = np.zeros(n_blocks, dtype=np.int64)
    total = np.zeros(n_blocks, dtype=np.int64)
    place = np.empty(n_blocks, dtype=np.int64)
    seen = np.empty(n_blocks, dtype=np.int64)
    end, n_classes = 0, 0
    for i in range(len(costs)):
        n_seen = 0
        for at in range(begins[i], begins[i + 1]):
            row = rows[at]
            block = blocks[codes[row]]
            if block < 0:
                continue
            if n_rows[block] == 0:
                seen[n_seen] = block
                n_seen += 1
            n_rows[block] += 1
            n_records[block] += counts[row]
            largest[block] = max(largest[block], values[row])
            total[block] += values[row] * counts[row]
        for j in range(n_seen):
            block = seen[j]
            cost = costs[i] + block_costs[block]
            may_pay = min(n_counted * largest[block], total[block])
            place[block] = -1
            if n_records[block] >= least and may_pay > n_counted * cost:
                place[block] = end
                end += n_rows[block]
                new_costs[n_classes] = cost
                n_classes += 1
                new_begins[n_classes] = end
        for at in range(begins[i], begins[i + 1]):
            block = blocks[codes[rows[at]]]
            if block >= 0 and place[block] >= 0:
                new_rows[place[block]] = rows[at]
                place[block] += 1
        for j in range(n_seen):
            block = seen[j]
            n_rows[block] = n_records[block] = largest[block] = total[block] = 0
    return Classes(
        new_rows[:end].copy(), new_begins[: n_classes + 1].copy(), new_costs[:n_classes].copy()
    )


@kernel
def cheapest_costs(classes, cheapest):
    """Lower what each row pays at least to the cost of its classes. OUT cheapest int64[n]."""
    rows, begins, costs = classes
    for i in range(len(costs)):
        for at in range(begins[i], begins[i + 1]):
            cheapest[rows[at]] = min(cheapest[rows[at]], costs[i])


@kernel
def largest_values(rows, counts, values, k, found, taken):
    """The k records with the largest values; a row has several. -> how many rows, their total.

    OUT found int32[k]: their rows, largest value first, taken int64[k]: how many records of each.
    """
    n_found, n_taken = 0, 0
    for row in rows:
        value = values[row]
        if value <= 0 or (n_taken >= k and value <= values[found[n_found - 1]]):
            continue
        if n_found == k:
            n_found -= 1
            n_taken -= taken[n_found]
        at = n_found
        while at > 0 and values[found[at - 1]] < value:
            found[at] = found[at - 1]
            taken[at] = taken[at - 1]
            at -= 1
        found[at] = row
        taken[at] = counts[row]
        n_found += 1
        n_taken += counts[row]
        while n_found > 1 and n_taken - taken[n_found - 1] >= k:
            n_found -= 1
            n_taken -= taken[n_found]
    if n_taken > k:
        taken[n_found - 1] -= n_taken - k
    total = 0
    for i in range(n_found):
        total += taken[i] * values[found[i]]
    return n_found, total


class Broken(NamedTuple):
    """Limits that values exceed: those of some records together are at most `most`."""

    rows: np.ndarray  # int32
    taken: np.ndarray  # int64, how many records of each row
    begins: np.ndarray  # int64[limits + 1]
    most: np.ndarray  # int64[limits]


@kernel
def broken_limits(classes, counts, values, k, n_limits_of, enough):
    """For each class whose k largest values are more than k times its cost, what they may be.

    OUT n_limits_of int64[n]: how many limits each row is in. A limit all of whose rows are in
    `enough` of them is left out: it says little that the others do not. -> Broken.
    """
    rows, begins, costs = classes
    room = min(len(rows), k * len(costs))
    broken = Broken(
        np.empty(room, dtype=np.int32),
        np.empty(room, dtype=np.int64),
        np.zeros(len(costs) + 1, dtype=np.int64),
        np.empty(len(costs), dtype=np.int64),
    )
    found, taken = np.empty(k, dtype=np.int32), np.empty(k, dtype=np.int64)
    n, end = 0, 0
    for i in range(len(costs)):
        below = rows[begins[i] : begins[i + 1]]
        n_found, total = largest_values(below, counts, values, k, found, taken)
        if total <= k * costs[i]:
            continue
        fewest = enough
        for j in range(n_found):
            fewest = min(fewest, n_limits_of[found[j]])
        if fewest >= enough:
            continue
        for j in range(n_found):
            n_limits_of[found[j]] += 1
            broken.rows[end] = found[j]
            broken.taken[end] = taken[j]
            end += 1
        broken.most[n] = k * costs[i]
        n += 1
        broken.begins[n] = end
    return Broken(
        broken.rows[:end].copy(),
        broken.taken[:end].copy(),
        broken.begins[: n + 1].copy(),
        broken.most[:n].copy(),
    )


@kernel
def keep_limits(classes, counts, values, k):
    """Lower values until the k largest of every class are at most k times its cost. OUT values.

    Rounding down lowers each of them by 1 at least, so it ends.
    """
    rows, begins, costs = classes
    found, taken = np.empty(k, dtype=np.int32), np.empty(k, dtype=np.int64)
    for i in range(len(costs)):
        below = rows[begins[i] : begins[i + 1]]
        n_found, total = largest_values(below, counts, values, k, found, taken)
        while total > k * costs[i]:
            factor = k * costs[i] / total
            for j in range(n_found):
                row = found[j]
                values[row] = min(np.int64(values[row] * factor), values[row] - 1)
            n_found, total = largest_values(below, counts, values, k, found, taken)
