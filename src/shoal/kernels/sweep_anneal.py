"""Annealing: random moves, of which those are taken that cost less than a falling threshold."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.sweep_moves import (
    try_close,
    try_merge,
    try_open,
    try_shift,
    try_swap,
)
from shoal.kernels.sweep_space import (
    DEEP,
    ONE,
    SET,
    TABLE,
    box_cost,
    join_row,
    pair_cost,
    rows_in,
    set_to_row,
    sift,
)
from shoal.kernels.sweep_state import (
    NONE,
    UNDER,
    apply_move,
    can_apply,
    cheapest_cover,
)

WIDER, FURTHER = 1.3, 0.05  # how far rows are looked for, by what a row pays
SHARE_OF_CLOSING, SHARE_OF_EXCHANGE, SHARE_OF_MERGING = 0.02, 0.3, 0.1
SHARE_OF_CHEAPEST = 0.5  # of shifts go to the cheapest group that covers the row
MOST_JOINS = 8
MOST_MEASURED = 2048  # codes of a column whose costs are written down for a row
BIT53 = 2.0**-53
NONE_LEAVES = -2  # a mark that no group has
LEAST_GAIN = -1e-9  # smaller ones are errors of rounding
ROUNDING = 1e-6  # of costs that are kept with few digits


class Near(NamedTuple):
    """For each row the rows near it, by what the smallest box costs that covers both, ascending."""

    rows: np.ndarray  # int32[n,most]
    costs: np.ndarray  # float32[n,most]
    n: np.ndarray  # int32[n]
    asked: np.ndarray  # float64[n] how far rows were looked for, -1: not yet
    radius: np.ndarray  # float64[n] all rows nearer than this are listed
    room: np.ndarray  # int32[more than most]
    room_costs: np.ndarray  # float64
    from_row: np.ndarray  # float64, what cells cost with the codes of one row
    offsets: np.ndarray  # int64[q] where each column begins there
    masks: np.ndarray  # uint64[n,most] where two rows meet, or empty: see `mask_of`


@kernel
def random_number(chance):
    """splitmix64: a number from 0 to 1, without 1."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    z = chance[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * BIT53


@kernel
def measure_from(space, near, row):
    """Write what a cell costs with a row's code and any other to `from_row`, column by column."""
    at = 0
    for column in range(space.codes.shape[1]):
        near.offsets[column] = at
        code, n = space.codes[row, column], space.n_codes[column]
        if space.kinds[column] == TABLE:
            begin = space.begins[column]
            for other in range(code):
                near.from_row[at + other] = space.costs[begin + other * n + code]
            for other in range(code, n):
                near.from_row[at + other] = space.costs[begin + code * n + other]
        elif n <= MOST_MEASURED:
            for other in range(n):
                near.from_row[at + other] = pair_cost(space, column, code, other)
        else:
            near.offsets[column] = NONE
            continue
        at += n


@kernel
def far_cost(space, row, column, other):
    """Of a column that has too many codes to be written down."""
    return pair_cost(space, column, space.codes[row, column], other)


@kernel
def floor_to_node(space, near, row, node):
    """The least that a box costs with a row and any row of a node of the tree."""
    cost = 0.0
    for column in range(space.codes.shape[1]):
        code = space.codes[row, column]
        low, high = space.tree_low[node, column], space.tree_high[node, column]
        if low <= code <= high:
            continue
        end, at = (low if code < low else high), near.offsets[column]
        if space.kinds[column] == SET:
            cost += space.steps[column]
        elif at == NONE:
            cost += far_cost(space, row, column, end)
        else:
            cost += near.from_row[at + end]
    return cost


@kernel
def find_near(space, near, row, asked):
    """List the rows nearer than asked, or the nearest of them if there are too many."""
    n_found, radius, n_columns = 0, asked, space.codes.shape[1]
    most = near.rows.shape[1]
    measure_from(space, near, row)
    waiting = np.empty(DEEP, dtype=np.int64)
    floors = np.empty(DEEP, dtype=np.float64)
    waiting[0], floors[0], n_waiting = 1, 0.0, 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if floors[n_waiting] >= radius:
            continue
        if (
            2 * node < len(space.tree_begins)
            and space.tree_ends[node] - space.tree_begins[node] > 64
        ):
            first, second = 2 * node, 2 * node + 1
            first_floor = floor_to_node(space, near, row, first)
            second_floor = floor_to_node(space, near, row, second)
            if second_floor < first_floor:
                first, second = second, first
                first_floor, second_floor = second_floor, first_floor
            waiting[n_waiting], floors[n_waiting] = second, second_floor
            waiting[n_waiting + 1], floors[n_waiting + 1] = first, first_floor
            n_waiting += 2
            continue
        for other in range(space.tree_begins[node], space.tree_ends[node]):
            cost = 0.0
            for column in range(n_columns):
                at = near.offsets[column]
                if at == NONE:
                    cost += far_cost(space, row, column, space.codes[other, column])
                else:
                    cost += near.from_row[at + space.codes[other, column]]
                if cost >= radius:
                    break
            if cost < radius and other != row:
                near.room[n_found], near.room_costs[n_found] = other, cost
                n_found += 1
                if n_found == len(near.room):
                    n_found, radius = keep_nearest(
                        near.room, near.room_costs, n_found, most, radius
                    )
    n_found, radius = keep_nearest(near.room, near.room_costs, n_found, most, radius)
    order = np.argsort(near.room_costs[:n_found], kind="mergesort")
    for i in range(n_found):
        near.rows[row, i] = near.room[order[i]]
        near.costs[row, i] = near.room_costs[order[i]]
    near.n[row], near.asked[row], near.radius[row] = n_found, asked, radius
    if len(near.masks) > 0:
        write_masks(space, near, row)


@kernel
def keep_nearest(room, costs, n_found, most, radius):
    """Keep at most so many of the rows found: -> their number, and how near all others are not."""
    if n_found <= most:
        return n_found, radius
    radius = np.partition(costs[:n_found], most)[most]
    n_nearer = 0
    for i in range(n_found):
        n_nearer += costs[i] < radius
    n_equal, n_kept = most - n_nearer, 0  # of those at the radius, so many are kept
    for i in range(n_found):
        cost = costs[i]
        if cost < radius or (cost == radius and n_equal > 0):
            n_equal -= cost == radius
            room[n_kept], costs[n_kept] = room[i], cost
            n_kept += 1
    return n_kept, radius


@kernel
def write_masks(space, near, row):
    """The levels at which a row meets those near it, as bits: of a column, as many as the level.

    The levels of a box around the row are one such mask, and it covers another row if their mask
    has no other bit.
    """
    for i in range(near.n[row]):
        other = near.rows[row, i]
        mask, shift = np.uint64(0), 0
        for column in range(space.codes.shape[1]):
            low = min(space.codes[row, column], space.codes[other, column])
            high = max(space.codes[row, column], space.codes[other, column])
            level = space.nodes[space.begins[column] + low * space.n_codes[column] + high]
            mask |= ((ONE << np.uint64(level)) - ONE) << np.uint64(shift)
            shift += space.heights[column]
        near.masks[row, i] = mask


@kernel
def list_masked(near, move, row, cost, mask):
    """The same as `list_under`, by masks."""
    move.under[0] = row
    n_under, outside = 1, ~mask
    for i in range(near.n[row]):
        if near.masks[row, i] & outside == np.uint64(0):
            move.under[n_under] = near.rows[row, i]
            n_under += 1
        elif near.costs[row, i] > cost + ROUNDING:
            break
    move.n[UNDER] = n_under


@kernel
def list_under(space, near, move, row, cost):
    """Write the rows under the box of the move, which covers a row, to `under`."""
    if cost + ROUNDING >= near.radius[row]:
        move.n[UNDER] = rows_in(space, move.box, move.under)
        return
    move.under[0] = row
    n_listed = 1
    for i in range(near.n[row]):
        if near.costs[row, i] > cost + ROUNDING:
            break
        move.under[n_listed] = near.rows[row, i]
        n_listed += 1
    move.n[UNDER] = sift(space, move.box, move.under, n_listed)


@kernel
def records_under(space, move):
    total = 0
    for i in range(move.n[UNDER]):
        total += space.counts[move.under[i]]
    return total


@kernel
def dearest_part(state, row):
    best, part = NONE, state.first_of_row[row]
    while part != NONE:
        if best == NONE or state.costs[state.group_of[part]] > state.costs[state.group_of[best]]:
            best = part
        part = state.next_of_row[part]
    return best


@kernel
def number_nearer(near, row, cost):
    """How many of the rows near a row are nearer than a cost."""
    low, high = 0, near.n[row]
    while low < high:
        middle = (low + high) // 2
        if near.costs[row, middle] < cost:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def one_of(chance, n):
    """One of the first n, the first ones more often."""
    return int(n * random_number(chance) ** 1.5)


@kernel
def propose_open(space, state, near, move, row, paid, enough, chance):
    """Draw a box around a row from rows near it, and see what it would change to open it."""
    n_nearer = number_nearer(near, row, paid)
    if n_nearer == 0:
        return np.inf
    has_masks = len(near.masks) > 0
    set_to_row(space, move.box, row)
    mask = np.uint64(0)
    n_joins = 1 + (random_number(chance) < 0.5)
    for turn in range(MOST_JOINS):
        i = one_of(chance, n_nearer)
        join_row(space, move.box, near.rows[row, i])
        if has_masks:
            mask |= near.masks[row, i]
        if turn + 1 < n_joins:
            continue
        cost = box_cost(space, move.box)
        if cost >= paid:
            return np.inf
        if has_masks and cost + ROUNDING < near.radius[row]:
            list_masked(near, move, row, cost, mask)
        else:
            list_under(space, near, move, row, cost)
        if records_under(space, move) >= state.least:
            return try_open(state, move, cost, enough)
    return np.inf


@kernel
def propose_exchange(space, state, near, move, row, part, paid, chance):
    """Draw another group near a row, and see what a shift, a swap or a merger would change."""
    n_nearer = number_nearer(near, row, paid)
    if n_nearer == 0:
        return np.inf
    group = state.group_of[part]
    other_row = near.rows[row, one_of(chance, n_nearer)]
    other_part = state.first_of_row[other_row]
    while other_part != NONE and (
        state.group_of[other_part] == group or random_number(chance) < 0.3
    ):
        other_part = state.next_of_row[other_part]
    if other_part == NONE or group == 0:
        return np.inf
    other = state.group_of[other_part]
    if state.sizes[group] > state.least:
        if random_number(chance) < SHARE_OF_CHEAPEST:
            cheap = cheapest_cover(state, move, row, group, NONE_LEAVES)
            if cheap > 0:
                return try_shift(space, state, move, part, cheap)
        return try_shift(space, state, move, part, np.int64(other))
    if other == 0:
        return np.inf
    if random_number(chance) < SHARE_OF_MERGING:
        return try_merge(space, state, move, group, other)
    return try_swap(space, state, move, part, other_part)


@kernel
def step(space, state, near, move, enough, chance):
    """Propose one move; returns what it would change, infinity if it is none."""
    if random_number(chance) < SHARE_OF_CLOSING:
        group = 1 + int(random_number(chance) * (len(state.sizes) - 1))
        return try_close(state, move, group, enough) if state.sizes[group] > 0 else np.inf
    row = int(random_number(chance) * len(space.counts))
    part = dearest_part(state, row)
    rival = int(random_number(chance) * len(space.counts))  # of two rows, the one that pays more
    other = dearest_part(state, rival)
    if other != NONE and (
        part == NONE or state.costs[state.group_of[other]] > state.costs[state.group_of[part]]
    ):
        row, part = rival, other
    if part == NONE:
        return np.inf
    paid = state.costs[state.group_of[part]]
    if paid <= space.own[row]:
        return np.inf
    if near.asked[row] < paid:  # as wide as what it pays now, and a little more
        find_near(space, near, row, WIDER * paid + FURTHER)
    if random_number(chance) < SHARE_OF_EXCHANGE:
        return propose_exchange(space, state, near, move, row, part, paid, chance)
    return propose_open(space, state, near, move, row, paid, enough, chance)


@kernel
def threshold(temperature, chance):
    """Below this, a change is taken: the rule of Metropolis, drawn before the change is known."""
    if temperature == 0.0:
        return LEAST_GAIN
    return -temperature * np.log(1.0 - random_number(chance))


@kernel
def anneal(space, state, near, move, temperature, n_steps, chance, pulse):
    """So many steps at a temperature: -> the change of all costs, and how many moves were taken."""
    total, n_taken = 0.0, 0
    for _ in range(n_steps):
        if pulse.stop[0]:
            break
        enough = threshold(temperature, chance)
        change = step(space, state, near, move, enough, chance)
        if change < enough and can_apply(state, move):
            total += apply_move(space, state, move)
            n_taken += 1
        pulse.done[0] += 1
    return total, n_taken


@kernel
def next_candidate(space, state, near, move, temperature, n_steps, chance, pulse):
    """Steps until one proposes a move that would be taken: -> how many were left, or NONE."""
    for done in range(n_steps):
        if pulse.stop[0]:
            break
        enough = threshold(temperature, chance)
        pulse.done[0] += 1
        change = step(space, state, near, move, enough, chance)
        if change < enough and can_apply(state, move):
            return n_steps - done - 1
    return NONE
