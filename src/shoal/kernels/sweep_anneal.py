"""Annealing: random moves, of which those are found that cost less than a falling threshold."""

import numpy as np

from shoal.kernels._compile import inner, kernel
from shoal.kernels.sweep_divide import propose_division
from shoal.kernels.sweep_moves import (
    keep_move,
    try_close,
    try_merge,
    try_open,
    try_shift,
    try_swap,
)
from shoal.kernels.sweep_near import ROUNDING, number_nearer
from shoal.kernels.sweep_space import add_row, box_cost, close_box, empty_box, rows_in, sift
from shoal.kernels.sweep_state import CANDIDATES, FIRST, NONE, UNDER, WANTED, cheapest, surplus

SHARE_OF_CLOSING, SHARE_OF_EXCHANGE, SHARE_OF_MERGING = 0.02, 0.3, 0.1
SHARE_OF_DIVIDING = 0.1
SHARE_OF_CHEAPEST = 0.5  # of shifts go to the cheapest group that covers the row
MOST_JOINS = 8
BIT53 = 2.0**-53
NONE_LEAVES = np.int64(-2)  # a mark that no group has
LEAST_GAIN = -1e-9  # smaller ones are errors of rounding


@inner
def random_number(chance):
    """splitmix64: a number from 0 to 1, without 1."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    z = chance[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * BIT53


@inner
def one_of(chance, n):
    """One of the first n, the first ones more often."""
    return int(n * random_number(chance) ** 1.5)


@inner
def list_masked(near, move, row, cost, mask):
    """The same as `list_under`, by masks."""
    move.under[0] = row
    n_under, outside = 1, ~mask
    for i in range(near.lists[row].n):
        listed = near.listed[row, i]
        if listed.mask & outside == np.uint64(0):
            move.under[n_under] = listed.row
            n_under += 1
        elif listed.cost > cost + ROUNDING:
            break
    move.numbers[UNDER] = n_under


@inner
def list_under(space, near, move, row, cost):
    """Write the rows under the box of the move, which covers a row, to `under`."""
    if cost + ROUNDING >= near.lists[row].radius:
        move.numbers[UNDER] = rows_in(space, move.box, move.under)
        return
    move.under[0] = row
    n_listed = np.int64(1)
    for i in range(near.lists[row].n):
        listed = near.listed[row, i]
        if listed.cost > cost + ROUNDING:
            break
        move.under[n_listed] = listed.row
        n_listed += 1
    move.numbers[UNDER] = sift(space, move.box, move.under, n_listed)


@inner
def dearest_part(state, row):
    part = np.int64(state.links[row].first)
    best, best_cost = part, -1.0
    while part != NONE:
        cost = state.groups[state.parts[part].group].cost
        if cost > best_cost:
            best, best_cost = part, cost
        part = np.int64(state.parts[part].next_of_row)
    return best


@inner
def propose_open(space, state, near, move, row, paid, enough, chance):
    """Draw a box around a row from rows near it, and see what it would change to open it."""
    n_nearer = number_nearer(near, row, paid)
    if n_nearer == 0:
        return np.inf
    empty_box(space, move.box)
    add_row(space, move.box, row)
    mask = np.uint64(0)
    n_joins = 1 + (random_number(chance) < 0.5)
    for turn in range(MOST_JOINS):
        i = one_of(chance, n_nearer)
        add_row(space, move.box, np.int64(near.listed[row, i].row))
        mask |= near.listed[row, i].mask
        if turn + 1 < n_joins:
            continue
        close_box(space, move.box)
        cost = box_cost(space, move.box)
        if cost >= paid:
            return np.inf
        if near.has_masks and cost + ROUNDING < near.lists[row].radius:
            list_masked(near, move, row, cost, mask)
        else:
            list_under(space, near, move, row, cost)
        n_records = 0
        for place in range(move.numbers[UNDER]):
            n_records += space.rows[move.under[place]].count
        if n_records >= state.least:
            return try_open(state, move, cost, enough)
    return np.inf


@inner
def propose_exchange(space, state, near, move, row, part, paid, chance):
    """Draw another group near a row, and see what a shift, a swap or a merger would change."""
    n_nearer = number_nearer(near, row, paid)
    group = np.int64(state.parts[part].group)
    if n_nearer == 0 or group == 0:
        return np.inf
    other_row = near.listed[row, one_of(chance, n_nearer)].row
    other_part = np.int64(state.links[other_row].first)
    while other_part != NONE and (
        state.parts[other_part].group == group or random_number(chance) < 0.3
    ):
        other_part = np.int64(state.parts[other_part].next_of_row)
    if other_part == NONE:
        return np.inf
    other, n_spare = np.int64(state.parts[other_part].group), surplus(state, group)
    if n_spare > 0:
        if random_number(chance) < SHARE_OF_CHEAPEST:
            cheap = cheapest(state, move, row, group, NONE_LEAVES)
            other = cheap if cheap > 0 else other
        n_spare = min(n_spare, state.parts[part].count)
        return try_shift(space, state, move, part, n_spare, other)
    if other == 0:
        return np.inf
    if random_number(chance) < SHARE_OF_MERGING:
        return try_merge(space, state, move, group, other)
    return try_swap(space, state, move, part, other_part)


@inner
def propose_to_divide(space, state, move, part, chance):
    """Draw a column, and a member of a part's group whose value stays together with others."""
    group = np.int64(state.parts[part].group)
    if group == 0:
        return np.inf
    column = int(random_number(chance) * len(space.columns))
    member = part
    for _ in range(int(random_number(chance) * MOST_JOINS)):
        member = np.int64(state.parts[member].next_of_group)
        if member == NONE:
            member = state.groups[group].first
    code = np.int64(space.codes[state.parts[member].row, column])
    return propose_division(space, state, move, group, column, code)


@inner
def step(space, state, near, move, enough, chance):
    """Propose one move; returns what it would change, infinity if it is none."""
    if random_number(chance) < SHARE_OF_CLOSING:
        group = 1 + int(random_number(chance) * (len(state.groups) - 1))
        if state.groups[group].n_records == 0:
            return np.inf
        return try_close(state, move, group, enough)
    row, part, paid = np.int64(0), np.int64(NONE), -1.0
    for _ in range(2):  # of two rows, the one that pays more
        rival = int(random_number(chance) * len(space.rows))
        of_rival = dearest_part(state, rival)
        if of_rival != NONE:
            cost = state.groups[state.parts[of_rival].group].cost
            if cost > paid:
                row, part, paid = rival, of_rival, cost
    if part == NONE or paid <= space.rows[row].own:
        return np.inf
    if random_number(chance) < SHARE_OF_DIVIDING:
        return propose_to_divide(space, state, move, part, chance)
    if near.lists[row].asked < paid:
        if move.numbers[WANTED] < len(move.wanted):
            move.wanted[move.numbers[WANTED]] = row
            move.numbers[WANTED] += 1
        return np.inf
    if random_number(chance) < SHARE_OF_EXCHANGE:
        return propose_exchange(space, state, near, move, row, part, paid, chance)
    return propose_open(space, state, near, move, row, paid, enough, chance)


@inner
def threshold(temperature, chance):
    """Below this, a change is taken: the rule of Metropolis, drawn before the change is known."""
    if temperature == 0.0:
        return LEAST_GAIN
    return -temperature * np.log(1.0 - random_number(chance))


@kernel
def propose(space, state, near, move, temperature, n_steps, chance, pulse):
    """So many steps at a temperature, all from one state: lists candidates in the room of the move.

    A row whose list is too short for what it pays now is written to `wanted` instead.
    """
    move.numbers[CANDIDATES], move.numbers[FIRST], move.numbers[WANTED] = 0, 0, 0
    for _ in range(n_steps):
        if pulse.stop[0]:
            break
        enough = threshold(temperature, chance)
        change = step(space, state, near, move, enough, chance)
        pulse.done[0] += 1
        if change < enough and not keep_move(move, change):
            break


@kernel
def payments(state, n_rows):
    """What the dearest record of each row pays: float64[n], -1 for a row without records."""
    paid = np.full(n_rows, -1.0)
    for row in range(n_rows):
        part = dearest_part(state, row)
        if part != NONE:
            paid[row] = state.groups[state.parts[part].group].cost
    return paid
