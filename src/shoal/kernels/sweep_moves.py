"""The moves of the local search, each with what it would cost before anything is changed.

A change that is returned is an upper bound of the true one: groups that lose records may get a
smaller box besides.
"""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.sweep_space import box_cost, copy_box, join_box, join_row
from shoal.kernels.sweep_state import (
    NONE,
    OPENS,
    ROOM_LEFT,
    TOUCHED,
    TRANSFERS,
    UNDER,
    box_of,
    box_without,
    cheapest,
    cheapest_cover,
    fresh_mark,
    surplus,
)


@kernel
def begin_move(move, opens):
    move.n[TRANSFERS], move.n[TOUCHED], move.n[OPENS] = 0, 0, opens


@kernel
def add_transfer(move, part, count, target):
    """Note a transfer; too many for the room make the move impossible, see `is_possible`."""
    if move.n[TRANSFERS] < len(move.parts):
        i = move.n[TRANSFERS]
        move.parts[i], move.counts[i], move.targets[i] = part, count, target
    move.n[TRANSFERS] += 1


@kernel
def is_possible(state, move):
    """Whether all transfers were noted, and no more are suppressed than may be."""
    if move.n[TRANSFERS] > len(move.parts):
        return False
    n_suppressed = 0
    for i in range(move.n[TRANSFERS]):
        if move.targets[i] == 0:
            n_suppressed += move.counts[i]
    return n_suppressed == 0 or n_suppressed <= state.numbers[ROOM_LEFT]


@kernel
def touch_groups(state, move, mark):
    """Which groups hold records of the rows in `under`, and how many; returns their number."""
    total, n_touched = 0, 0
    for i in range(move.n[UNDER]):
        row = move.under[i]
        move.row_mark[row] = mark
        part = state.first_of_row[row]
        while part != NONE:
            group, count = state.group_of[part], state.count_of[part]
            if move.group_mark[group] != mark:
                move.group_mark[group] = mark
                move.n_inside[group] = 0
                move.n_taken[group] = 0
                move.touched[n_touched] = group
                n_touched += 1
            move.n_inside[group] += count
            total += count
            part = state.next_of_row[part]
    move.n[TOUCHED] = n_touched
    return total


@kernel
def cost_to_dissolve(state, move, group, cost, mark, enough):
    """What changes if a group gives all it has under the box, and others take in the rest.

    Infinity if somebody has nowhere to go, or if it is more than enough.
    """
    change = (cost - state.costs[group]) * move.n_inside[group]
    if group == 0:
        return np.inf
    move.leaving[group] = mark
    room = state.numbers[ROOM_LEFT]
    part = state.first_of_group[group]
    while part != NONE:
        row = state.row_of[part]
        if move.row_mark[row] != mark:
            other = cheapest(
                state.cover[row], state.n_cover[row], state.costs, move.leaving, group, mark, room
            )
            if other == NONE:
                change = np.inf
            else:
                change += (state.costs[other] - state.costs[group]) * state.count_of[part]
            if change >= enough:
                break
        part = state.next_of_group[part]
    move.leaving[group] = NONE
    return change if change < enough else np.inf


@kernel
def dissolve(state, move, group, mark):
    """Decide that a group ends; who takes in its records must stay."""
    move.leaving[group] = mark
    move.n_taken[group] = move.n_inside[group]
    part = state.first_of_group[group]
    while part != NONE:
        row = state.row_of[part]
        if move.row_mark[row] != mark:
            move.pinned[cheapest_cover(state, move, row, group, mark)] = mark
        part = state.next_of_group[part]


@kernel
def try_open(state, move, cost, enough):
    """What it would change to open a group with the box of the move, whose rows are in `under`.

    The new group takes records that pay more where they are: from groups that keep enough, or
    all of a group, whose other records go to the cheapest open groups that cover them. If these
    are too few, records are added that pay less where they are. Returns infinity if it cannot be
    done for less than `enough`.
    """
    mark = fresh_mark(state)
    begin_move(move, 1)
    if touch_groups(state, move, mark) < state.least:
        return np.inf
    most = 0.0
    for i in range(move.n[TOUCHED]):
        group = move.touched[i]
        most += max(state.costs[group] - cost, 0.0) * move.n_inside[group]
    if -most >= enough:
        return np.inf
    change, n_gathered = gather(state, move, cost, mark)
    if n_gathered < state.least:
        change += pad(state, move, cost, mark, state.least - n_gathered, enough - change)
    if change >= enough:
        return np.inf
    list_transfers(state, move, mark)
    return change if is_possible(state, move) else np.inf


@kernel
def gather(state, move, cost, mark):
    """Decide group by group what it gives to a cheaper box: -> change, number of records."""
    change, n_gathered = 0.0, 0
    for i in range(move.n[TOUCHED]):
        group = move.touched[i]
        gain = state.costs[group] - cost
        n_inside = move.n_inside[group]
        is_free = group != 0 and move.pinned[group] != mark
        if is_free and gain >= 0 and n_inside == state.sizes[group]:
            move.leaving[group] = mark
            move.n_taken[group] = n_inside
            change -= gain * n_inside
        elif gain > 0:
            n_surplus = min(n_inside, surplus(state, group))
            by_giving = -gain * n_surplus
            by_ending = np.inf
            if is_free and n_surplus < n_inside:
                by_ending = cost_to_dissolve(state, move, group, cost, mark, by_giving)
            if by_ending < by_giving:
                dissolve(state, move, group, mark)
                change += by_ending
            else:
                move.n_taken[group] = n_surplus
                change += by_giving
        n_gathered += move.n_taken[group]
    return change, n_gathered


@kernel
def pad(state, move, cost, mark, n_missing, enough):
    """Decide who gives the records that are missing: -> change, infinity if not below enough."""
    by_surplus = add_surplus(state, move, cost, n_missing, False, NONE)
    best, best_change = NONE, np.inf
    for i in range(move.n[TOUCHED]):
        group = move.touched[i]
        n_more = move.n_inside[group] - move.n_taken[group]
        if group == 0 or n_more == 0 or move.pinned[group] == mark or move.leaving[group] == mark:
            continue
        undone = (state.costs[group] - cost) * move.n_taken[group]  # what it gives already
        limit = min(best_change, by_surplus, enough) - undone
        ending = cost_to_dissolve(state, move, group, cost, mark, limit)
        if ending + undone >= min(best_change, by_surplus, enough):
            continue
        rest = 0.0
        if n_more < n_missing:
            rest = add_surplus(state, move, cost, n_missing - n_more, False, group)
        if ending + undone + rest < best_change:
            best, best_change = group, ending + undone + rest
    if best_change < by_surplus:
        if best_change >= enough:
            return np.inf
        n_more = move.n_inside[best] - move.n_taken[best]
        dissolve(state, move, best, mark)
        if n_more < n_missing:
            add_surplus(state, move, cost, n_missing - n_more, True, best)
        return best_change
    if by_surplus < enough:
        add_surplus(state, move, cost, n_missing, True, NONE)
    return by_surplus


@kernel
def add_surplus(state, move, cost, n_missing, decides, left_out):
    """What it costs to add records that can be spared, of the dearest groups first."""
    change = 0.0
    previous, previous_group = np.inf, NONE
    while n_missing > 0:
        best, best_cost = NONE, -1.0
        for i in range(move.n[TOUCHED]):  # the next in the order of cost, then of number
            group = move.touched[i]
            its_cost = state.costs[group]
            if (
                its_cost > cost
                or its_cost < best_cost
                or (its_cost == best_cost and group > best)
                or its_cost > previous
                or (its_cost == previous and group <= previous_group)
                or group == left_out
                or move.leaving[group] == state.numbers[2]
            ):
                continue
            best, best_cost = group, its_cost
        if best == NONE:
            return np.inf
        previous, previous_group = best_cost, best
        n_spare = min(move.n_inside[best], surplus(state, best)) - move.n_taken[best]
        n_taken = min(n_missing, n_spare)
        if n_taken > 0:
            n_missing -= n_taken
            change += (cost - best_cost) * n_taken
            if decides:
                move.n_taken[best] += n_taken
    return change


@kernel
def list_transfers(state, move, mark):
    """Write down who goes where, as it was decided."""
    for i in range(move.n[TOUCHED]):
        group = move.touched[i]
        n_left = move.n_taken[group]
        ends = move.leaving[group] == mark
        if n_left == 0 and not ends:
            continue
        part = state.first_of_group[group]
        while part != NONE and (ends or n_left > 0):
            row, count = state.row_of[part], state.count_of[part]
            if move.row_mark[row] == mark:
                n_taken = min(count, n_left)
                n_left -= n_taken
                add_transfer(move, part, n_taken, NONE)
            elif ends:
                add_transfer(move, part, count, cheapest_cover(state, move, row, group, mark))
            part = state.next_of_group[part]


@kernel
def try_close(state, move, group, enough):
    """What it would change to end a group, its records going to the cheapest that cover them."""
    mark = fresh_mark(state)
    begin_move(move, 0)
    change, room = 0.0, state.numbers[ROOM_LEFT]
    part = state.first_of_group[group]
    while part != NONE:
        row, count = state.row_of[part], state.count_of[part]
        other = cheapest(
            state.cover[row], state.n_cover[row], state.costs, move.leaving, group, mark, room
        )
        if other == NONE:
            return np.inf
        change += (state.costs[other] - state.costs[group]) * count
        if change >= enough:
            return np.inf
        add_transfer(move, part, count, other)
        part = state.next_of_group[part]
    return change if is_possible(state, move) else np.inf


@kernel
def try_shift(space, state, move, part, target):
    """What it would change to move records of a part that can be spared to another group."""
    begin_move(move, 0)
    group, row = state.group_of[part], state.row_of[part]
    count = min(state.count_of[part], surplus(state, group))
    add_transfer(move, part, count, target)
    change = -state.costs[group] * count
    if (
        group != 0
        and count == state.count_of[part]
        and box_without(space, state, group, part, move.other)
    ):
        n_left = state.sizes[group] - count
        change += (box_cost(space, move.other) - state.costs[group]) * n_left
    copy_box(box_of(state, target), move.other)
    if target != 0:
        join_row(space, move.other, row)
    grown = state.costs[0] if target == 0 else box_cost(space, move.other)
    change += (grown - state.costs[target]) * state.sizes[target] + grown * count
    return change if is_possible(state, move) else np.inf


@kernel
def try_swap(space, state, move, part, other_part):
    """What it would change to exchange a record of a part with one of a part elsewhere."""
    begin_move(move, 0)
    group, other = state.group_of[part], state.group_of[other_part]
    add_transfer(move, part, 1, other)
    add_transfer(move, other_part, 1, group)
    change = change_of_exchange(space, state, move, group, part, other_part)
    return change + change_of_exchange(space, state, move, other, other_part, part)


@kernel
def change_of_exchange(space, state, move, group, leaves, comes):
    """What changes in a group that gives a record of one part and gets one of another."""
    left_out = np.int64(leaves) if state.count_of[leaves] == 1 else NONE
    if not box_without(space, state, group, left_out, move.other):
        return np.inf
    join_row(space, move.other, state.row_of[comes])
    return (box_cost(space, move.other) - state.costs[group]) * state.sizes[group]


@kernel
def try_merge(space, state, move, group, other):
    """What it would change to make one of two groups."""
    begin_move(move, 0)
    copy_box(box_of(state, group), move.other)
    join_box(space, move.other, box_of(state, other))
    cost = box_cost(space, move.other)
    change = (cost - state.costs[group]) * state.sizes[group]
    change += (cost - state.costs[other]) * state.sizes[other]
    part = state.first_of_group[group]
    while part != NONE:
        add_transfer(move, part, state.count_of[part], other)
        part = state.next_of_group[part]
    return change if is_possible(state, move) else np.inf


@kernel
def after_move(state, move, rows, counts, groups):
    """The parts of all groups that a move changes, as they would be: -> how many.

    OUT rows, counts, groups: groups are numbered from 0; the number of parts is NONE where there
    is no room for them. Nothing is changed.
    """
    mark = fresh_mark(state)
    n_parts, n_groups = 0, 1 if move.n[OPENS] == 1 else 0
    for i in range(move.n[TRANSFERS]):
        for turn in range(2):
            group = (
                np.int64(state.group_of[move.parts[i]]) if turn == 0 else np.int64(move.targets[i])
            )
            if group <= 0 or move.group_mark[group] == mark:
                continue
            move.group_mark[group] = mark
            move.n_taken[group] = n_groups
            n_groups += 1
            part = state.first_of_group[group]
            while part != NONE:
                if n_parts + move.n[TRANSFERS] >= len(rows):
                    return NONE
                rows[n_parts], counts[n_parts] = state.row_of[part], state.count_of[part]
                groups[n_parts] = move.n_taken[group]
                for j in range(move.n[TRANSFERS]):
                    if move.parts[j] == part:
                        counts[n_parts] -= move.counts[j]
                n_parts += 1
                part = state.next_of_group[part]
    for i in range(move.n[TRANSFERS]):
        target = np.int64(move.targets[i])
        rows[n_parts] = state.row_of[move.parts[i]]
        counts[n_parts] = move.counts[i]
        groups[n_parts] = 0 if target == NONE else move.n_taken[target]
        n_parts += 1
    return n_parts
