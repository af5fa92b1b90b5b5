"""The moves of the local search, each with what it would cost before anything is changed.

A change that is returned is an upper bound of the true one: groups that lose records may get a
smaller box besides. Nothing but the room of the move is written to, so several threads can price
moves of one state.
"""

import numpy as np

from shoal.kernels._compile import inner
from shoal.kernels.sweep_space import box_cost, join_box, join_row
from shoal.kernels.sweep_state import (
    CANDIDATES,
    FIRST,
    NONE,
    OPENS,
    ROOM_LEFT,
    TOUCHED,
    TRANSFERS,
    UNDER,
    box_without,
    cheapest,
    copy_box,
    fresh_mark,
    surplus,
)

# Numbers that functions are called with are int64: a literal would compile the function once more.
NO, YES = np.int64(0), np.int64(1)
NOBODY = np.int64(NONE)


@inner
def begin_move(move, opens):
    move.numbers[TRANSFERS] = move.numbers[FIRST]
    move.numbers[TOUCHED], move.numbers[OPENS] = 0, opens


@inner
def add_transfer(state, move, part, count, target):
    """Note a transfer; too many for the room make the move impossible, see `is_possible`."""
    i = move.numbers[TRANSFERS]
    if i < len(move.transfers):
        noted = move.transfers[i]
        noted.part, noted.count, noted.target = part, count, target
        noted.source = state.parts[part].group
    move.numbers[TRANSFERS] = i + 1


@inner
def is_possible(state, move):
    """Whether all transfers were noted, and no more are suppressed than may be."""
    if move.numbers[TRANSFERS] > len(move.transfers):
        return False
    n_suppressed = 0
    for i in range(move.numbers[FIRST], move.numbers[TRANSFERS]):
        if move.transfers[i].target == 0:
            n_suppressed += move.transfers[i].count
    return n_suppressed == 0 or n_suppressed <= state.numbers[ROOM_LEFT]


@inner
def keep_move(move, change):
    """Note that a move is worth making; False if there is no room for more of them."""
    n = move.numbers[CANDIDATES]
    candidate = move.candidates[n]
    candidate.change, candidate.opens = change, move.numbers[OPENS]
    candidate.first, candidate.end = move.numbers[FIRST], move.numbers[TRANSFERS]
    copy_box(move.box, move.boxes[n])
    move.numbers[FIRST] = move.numbers[TRANSFERS]
    move.numbers[CANDIDATES] = n + 1
    return n + 1 < len(move.candidates)


@inner
def touch_groups(state, move, mark):
    """Which groups hold records of the rows in `under`, and how many: -> all of their records."""
    total, n_touched = 0, 0
    for i in range(move.numbers[UNDER]):
        row = move.under[i]
        move.row_mark[row] = mark
        part = np.int64(state.links[row].first)
        while part != NONE:
            group, count = state.parts[part].group, state.parts[part].count
            tried = move.tried[group]
            if tried.mark != mark:
                tried.mark, tried.n_inside, tried.n_taken = mark, 0, 0
                move.touched[n_touched] = group
                n_touched += 1
            tried.n_inside += count
            total += count
            part = np.int64(state.parts[part].next_of_row)
    move.numbers[TOUCHED] = n_touched
    return total


@inner
def cost_to_dissolve(state, move, group, cost, mark, enough):
    """What changes if a group gives all it has under the box, and others take in the rest.

    Infinity if somebody has nowhere to go, or if it is more than enough.
    """
    paid = state.groups[group].cost
    change = (cost - paid) * move.tried[group].n_inside
    if group == 0:
        return np.inf
    part = state.groups[group].first
    while part != NONE and change < enough:
        row = np.int64(state.parts[part].row)
        if move.row_mark[row] != mark:
            other = cheapest(state, move, row, group, mark)
            if other == NONE:
                return np.inf
            change += (state.groups[other].cost - paid) * state.parts[part].count
        part = np.int64(state.parts[part].next_of_group)
    return change if change < enough else np.inf


@inner
def dissolve(state, move, group, mark):
    """Decide that a group ends; who takes in its records must stay."""
    tried = move.tried[group]
    tried.leaving, tried.n_taken = mark, tried.n_inside
    part = state.groups[group].first
    while part != NONE:
        row = np.int64(state.parts[part].row)
        if move.row_mark[row] != mark:
            move.tried[cheapest(state, move, row, group, mark)].pinned = mark
        part = np.int64(state.parts[part].next_of_group)


@inner
def try_open(state, move, cost, enough):
    """What it would change to open a group with the box of the move, whose rows are in `under`.

    The new group takes records that pay more where they are: from groups that keep enough, or
    all of a group, whose other records go to the cheapest open groups that cover them. If these
    are too few, records are added that pay less where they are. Returns infinity if it cannot be
    done for less than `enough`.
    """
    mark = fresh_mark(move)
    begin_move(move, 1)
    if touch_groups(state, move, mark) < state.least:
        return np.inf
    most = 0.0
    for i in range(move.numbers[TOUCHED]):
        group = move.touched[i]
        most += max(state.groups[group].cost - cost, 0.0) * move.tried[group].n_inside
    if -most >= enough:
        return np.inf
    change, n_gathered = gather(state, move, cost, mark)
    if n_gathered < state.least:
        change += pad(state, move, cost, mark, state.least - n_gathered, enough - change)
    if change >= enough:
        return np.inf
    list_transfers(state, move, mark)
    return change if is_possible(state, move) else np.inf


@inner
def gather(state, move, cost, mark):
    """Decide group by group what it gives to a cheaper box: -> change, number of records."""
    change, n_gathered = 0.0, 0
    for i in range(move.numbers[TOUCHED]):
        group = np.int64(move.touched[i])
        tried, gain = move.tried[group], state.groups[group].cost - cost
        is_free = group != 0 and tried.pinned != mark
        if is_free and gain >= 0 and tried.n_inside == state.groups[group].n_records:
            tried.leaving, tried.n_taken = mark, tried.n_inside
            change -= gain * tried.n_inside
        elif gain > 0:
            n_surplus = min(tried.n_inside, surplus(state, group))
            by_giving, by_ending = -gain * n_surplus, np.inf
            if is_free and n_surplus < tried.n_inside:
                by_ending = cost_to_dissolve(state, move, group, cost, mark, by_giving)
            if by_ending < by_giving:
                dissolve(state, move, group, mark)
                change += by_ending
            else:
                tried.n_taken = n_surplus
                change += by_giving
        n_gathered += tried.n_taken
    return change, n_gathered


@inner
def pad(state, move, cost, mark, n_missing, enough):
    """Decide who gives the records that are missing: -> change, infinity if not below enough.

    The cheaper of what can be spared, and all of one group with what can be spared besides.
    """
    by_surplus = add_surplus(state, move, cost, mark, n_missing, NO, NOBODY)
    best, best_change, best_more = np.int64(NONE), min(by_surplus, enough), 0
    for i in range(move.numbers[TOUCHED]):
        group = np.int64(move.touched[i])
        tried = move.tried[group]
        n_more = tried.n_inside - tried.n_taken
        if group == 0 or n_more == 0 or tried.pinned == mark or tried.leaving == mark:
            continue
        undone = (state.groups[group].cost - cost) * tried.n_taken  # what it gives already
        ending = cost_to_dissolve(state, move, group, cost, mark, best_change - undone) + undone
        if ending < best_change and n_more < n_missing:
            ending += add_surplus(state, move, cost, mark, n_missing - n_more, NO, group)
        if ending < best_change:
            best, best_change, best_more = group, ending, n_more
    if best != NONE:
        dissolve(state, move, best, mark)
        if best_more < n_missing:
            add_surplus(state, move, cost, mark, n_missing - best_more, YES, best)
        return best_change
    if by_surplus < enough:
        add_surplus(state, move, cost, mark, n_missing, YES, NOBODY)
        return by_surplus
    return np.inf


@inner
def add_surplus(state, move, cost, mark, n_missing, decides, left_out):
    """What it costs to add records that can be spared, of the dearest groups first."""
    change, previous, previous_group = 0.0, np.inf, np.int64(NONE)
    while n_missing > 0:
        best, best_cost = np.int64(NONE), -1.0
        for i in range(move.numbers[TOUCHED]):  # the next in the order of cost, then of number
            group = np.int64(move.touched[i])
            its_cost = state.groups[group].cost
            if (
                its_cost > cost
                or its_cost < best_cost
                or (its_cost == best_cost and group > best)
                or its_cost > previous
                or (its_cost == previous and group <= previous_group)
                or group == left_out
                or move.tried[group].leaving == mark
            ):
                continue
            best, best_cost = group, its_cost
        if best == NONE:
            return np.inf
        previous, previous_group = best_cost, best
        tried = move.tried[best]
        n_taken = min(n_missing, min(tried.n_inside, surplus(state, best)) - tried.n_taken)
        if n_taken > 0:
            n_missing -= n_taken
            change += (cost - best_cost) * n_taken
            if decides == YES:
                tried.n_taken += n_taken
    return change


@inner
def list_transfers(state, move, mark):
    """Write down who goes where, as it was decided."""
    for i in range(move.numbers[TOUCHED]):
        group = np.int64(move.touched[i])
        n_left, ends = move.tried[group].n_taken, move.tried[group].leaving == mark
        part = state.groups[group].first
        while part != NONE and (ends or n_left > 0):
            row, count = np.int64(state.parts[part].row), state.parts[part].count
            if move.row_mark[row] == mark:
                n_taken = min(count, n_left)
                n_left -= n_taken
                add_transfer(state, move, part, n_taken, np.int64(NONE))
            elif ends:
                add_transfer(state, move, part, count, cheapest(state, move, row, group, mark))
            part = np.int64(state.parts[part].next_of_group)


@inner
def try_close(state, move, group, enough):
    """What it would change to end a group, its records going to the cheapest that cover them."""
    mark = fresh_mark(move)
    begin_move(move, 0)
    change, paid = 0.0, state.groups[group].cost
    part = state.groups[group].first
    while part != NONE:
        row, count = np.int64(state.parts[part].row), state.parts[part].count
        other = cheapest(state, move, row, group, mark)
        if other == NONE:
            return np.inf
        change += (state.groups[other].cost - paid) * count
        if change >= enough:
            return np.inf
        add_transfer(state, move, part, count, other)
        part = np.int64(state.parts[part].next_of_group)
    return change if is_possible(state, move) else np.inf


@inner
def try_shift(space, state, move, part, count, target):
    """What it would change to move records of a part to another group."""
    begin_move(move, 0)
    group = np.int64(state.parts[part].group)
    add_transfer(state, move, part, count, target)
    paid = state.groups[group].cost
    change = -paid * count
    if (
        group != 0
        and count == state.parts[part].count
        and box_without(space, state, group, part, move.other)
    ):
        change += (box_cost(space, move.other) - paid) * (state.groups[group].n_records - count)
    grown = state.groups[target].cost
    if target != 0:
        copy_box(state.boxes[target], move.other)
        join_row(space, move.other, np.int64(state.parts[part].row))
        grown = box_cost(space, move.other)
    change += (grown - state.groups[target].cost) * state.groups[target].n_records + grown * count
    return change if is_possible(state, move) else np.inf


@inner
def try_swap(space, state, move, part, other_part):
    """What it would change to exchange a record of a part with one of a part elsewhere."""
    begin_move(move, 0)
    group, other = np.int64(state.parts[part].group), np.int64(state.parts[other_part].group)
    add_transfer(state, move, part, np.int64(1), other)
    add_transfer(state, move, other_part, np.int64(1), group)
    change = change_of_exchange(space, state, move, group, part, other_part)
    return change + change_of_exchange(space, state, move, other, other_part, part)


@inner
def change_of_exchange(space, state, move, group, leaves, comes):
    """What changes in a group that gives a record of one part and gets one of another."""
    left_out = leaves if state.parts[leaves].count == 1 else np.int64(NONE)
    if not box_without(space, state, group, left_out, move.other):
        return np.inf
    join_row(space, move.other, np.int64(state.parts[comes].row))
    return (box_cost(space, move.other) - state.groups[group].cost) * state.groups[group].n_records


@inner
def try_merge(space, state, move, group, other):
    """What it would change to make one of two groups."""
    begin_move(move, 0)
    copy_box(state.boxes[group], move.other)
    join_box(space, move.other, state.boxes[other])
    cost = box_cost(space, move.other)
    one, two = state.groups[group], state.groups[other]
    change = (cost - one.cost) * one.n_records + (cost - two.cost) * two.n_records
    part = one.first
    while part != NONE:
        add_transfer(state, move, part, state.parts[part].count, other)
        part = np.int64(state.parts[part].next_of_group)
    return change if is_possible(state, move) else np.inf
