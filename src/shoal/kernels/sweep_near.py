"""The rows near each row: those that a small box covers together with it."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import inner, kernel
from shoal.kernels.sweep_space import BITS, DEEP, SET, pair_cost

MOST_MEASURED = 2048  # codes of a column whose costs are written down for a row
SCANNED = 64  # rows of the tree's nodes that are not looked at more closely
NOT_MEASURED = -1
BINS = 64  # of costs, for finding out which are the nearer ones
ROUNDING = 1e-6  # of costs that are kept with few digits

LISTED = np.dtype([("mask", np.uint64), ("row", np.int32), ("cost", np.float32)], align=True)
LIST = np.dtype([("asked", np.float64), ("radius", np.float64), ("n", np.int64)], align=True)


class Near(NamedTuple):
    """For each row the rows near it, by what the smallest box costs that covers both, ascending.

    `asked`: how far rows were looked for, -1 being not at all; all nearer than `radius` are listed.
    `mask`: the levels at which two rows meet, as bits: of a column, as many as the level. The
    levels of a box around the row are one such mask, and it covers another row if their mask has no
    other bit. Not used where the levels of all columns do not fit.
    """

    listed: np.recarray  # LISTED[n,most]
    lists: np.recarray  # LIST[n]
    has_masks: bool


@kernel
def find_near(space, near, rows, asked, pulse):
    """List the rows nearer than asked to each of some rows, or the nearest of them if too many."""
    most = near.listed.shape[1]
    found, costs = np.empty(4 * most, dtype=np.int64), np.empty(4 * most)
    n_measured = 0
    for column in range(len(space.columns)):
        n_measured += min(space.columns[column].n_codes, MOST_MEASURED)
    from_row = np.empty(n_measured)
    offsets = np.empty(len(space.columns), dtype=np.int64)
    for i in range(len(rows)):
        if pulse.stop[0]:
            return
        row = rows[i]
        measure_from(space, row, from_row, offsets)
        n_found, radius = look_around(space, row, asked[i], from_row, offsets, found, costs, most)
        for place in range(n_found):
            listed = near.listed[row, place]
            listed.row, listed.cost = found[place], costs[place]
            listed.mask = mask_of(space, row, found[place]) if near.has_masks else np.uint64(0)
        of_row = near.lists[row]
        of_row.n, of_row.asked, of_row.radius = n_found, asked[i], radius
        pulse.done[0] += 1


@inner
def measure_from(space, row, from_row, offsets):
    """Write what a cell costs with a row's code and any other to `from_row`, column by column."""
    at = 0
    for column in range(len(space.columns)):
        code, n = np.int64(space.codes[row, column]), space.columns[column].n_codes
        if n > MOST_MEASURED:
            offsets[column] = NOT_MEASURED
            continue
        offsets[column] = at
        for other in range(n):
            from_row[at + other] = pair_cost(space, column, code, other)
        at += n


@inner
def floor_to(space, row, node, from_row, offsets):
    """The least that a box costs with a row and any row of a node of the tree."""
    cost = 0.0
    for column in range(len(space.columns)):
        about, code = space.columns[column], np.int64(space.codes[row, column])
        if about.kind == SET:
            word = np.int64(space.boxes[node, about.at + code // BITS])
            if (word >> (code % BITS)) & 1 == 0:
                cost += about.step
            continue
        low = np.int64(space.boxes[node, about.at])
        high = np.int64(space.boxes[node, about.at + 1])
        if low <= code <= high:
            continue
        end, at = (low if code < low else high), offsets[column]
        if at == NOT_MEASURED:
            cost += pair_cost(space, column, code, end)
        else:
            cost += from_row[at + end]
    return cost


@inner
def look_around(space, row, radius, from_row, offsets, found, costs, most):
    """Rows nearer than a radius, nearest first: -> their number, how near all others are not."""
    n_found, n_columns, n_waiting = np.int64(0), len(space.columns), 1
    waiting, floors = np.empty(DEEP, dtype=np.int64), np.empty(DEEP)
    waiting[0], floors[0] = 1, 0.0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if floors[n_waiting] >= radius:
            continue
        begin, end = space.tree[node].begin, space.tree[node].end
        if 2 * node < len(space.tree) and end - begin > SCANNED:
            first, second = 2 * node, 2 * node + 1
            first_floor = floor_to(space, row, first, from_row, offsets)
            second_floor = floor_to(space, row, second, from_row, offsets)
            if second_floor < first_floor:
                first, second = second, first
                first_floor, second_floor = second_floor, first_floor
            waiting[n_waiting], floors[n_waiting] = second, second_floor
            waiting[n_waiting + 1], floors[n_waiting + 1] = first, first_floor
            n_waiting += 2
            continue
        for other in range(begin, end):
            cost = 0.0
            for column in range(n_columns):
                at, code = offsets[column], np.int64(space.codes[other, column])
                if at == NOT_MEASURED:
                    cost += pair_cost(space, column, np.int64(space.codes[row, column]), code)
                else:
                    cost += from_row[at + code]
                if cost >= radius:
                    break
            if cost < radius and other != row:
                found[n_found], costs[n_found] = other, cost
                n_found += 1
                if n_found == len(found):
                    n_found, radius = keep_nearer(costs, found, most, radius)
    sort_pairs(costs, found, n_found)
    if n_found > most:
        n_found, radius = most, costs[most]
    return n_found, radius


@inner
def keep_nearer(costs, rows, most, radius):
    """Keep the nearer ones of a full list, at least `most`: -> their number, and the new radius."""
    counts = np.zeros(BINS, dtype=np.int64)
    for i in range(len(rows)):
        counts[int(costs[i] / radius * BINS)] += 1
    n_nearer, last = counts[0], 0
    while n_nearer < most:
        last += 1
        n_nearer += counts[last]
    n_kept, end = 0, radius * (last + 1) / BINS
    if n_nearer < len(rows) // 2:
        for i in range(len(rows)):
            if costs[i] < end:
                costs[n_kept], rows[n_kept] = costs[i], rows[i]
                n_kept += 1
        return n_kept, end
    sort_pairs(costs, rows, len(rows))  # many are equally near
    return most, costs[most]


@inner
def sort_pairs(costs, rows, n):
    """Sort by cost, then by row: Shell's method, which compiles in no time."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            cost, row, place = costs[i], rows[i], i
            while place >= gap and (
                costs[place - gap] > cost
                or (costs[place - gap] == cost and rows[place - gap] > row)
            ):
                costs[place], rows[place] = costs[place - gap], rows[place - gap]
                place -= gap
            costs[place], rows[place] = cost, row
        gap //= 3


@inner
def mask_of(space, row, other):
    """The levels at which two rows meet, as bits."""
    mask, shift = np.uint64(0), np.uint64(0)
    for column in range(len(space.columns)):
        about = space.columns[column]
        one, two = np.int64(space.codes[row, column]), np.int64(space.codes[other, column])
        low, high = min(one, two), max(one, two)
        level = space.cells[about.begin + low * about.n_codes + high].node
        mask |= ((np.uint64(1) << np.uint64(level)) - np.uint64(1)) << shift
        shift += np.uint64(about.height)
    return mask


@inner
def number_nearer(near, row, cost):
    """How many of the rows near a row are nearer than a cost."""
    low, high = 0, near.lists[row].n
    while low < high:
        middle = (low + high) // 2
        if near.listed[row, middle].cost < cost:
            low = middle + 1
        else:
            high = middle
    return low
