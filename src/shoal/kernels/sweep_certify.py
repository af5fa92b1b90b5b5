"""Every single move, tried: what a certificate of local optimality needs.

Each kernel looks at the items from `begin` to `end`, lists the moves that would lower the loss, and
returns where it ended: earlier if the room is full. No column may be a set.

To merge two groups never helps: a box that covers two others costs as much as each.
"""

import numpy as np

from shoal.kernels._compile import inner, kernel
from shoal.kernels.sweep_anneal import LEAST_GAIN, dearest_part
from shoal.kernels.sweep_divide import try_specialise, try_split
from shoal.kernels.sweep_moves import keep_move, try_close, try_open, try_shift, try_swap
from shoal.kernels.sweep_space import TABLE, box_cost, pair_cost, rows_in
from shoal.kernels.sweep_state import (
    CANDIDATES,
    FIRST,
    NONE,
    ROOM_LEFT,
    UNDER,
    box_without,
    surplus,
)

GIVEN_UP = -1


@inner
def begin_list(move):
    move.numbers[CANDIDATES], move.numbers[FIRST] = 0, 0


@inner
def joined_cost(space, box, row, limit):
    """What a box costs that covers another and a row; some number above the limit if it is more."""
    cost = 0.0
    for column in range(len(space.columns)):
        about, code = space.columns[column], np.int64(space.codes[row, column])
        low, high = min(np.int64(box[about.at]), code), max(np.int64(box[about.at + 1]), code)
        if about.kind == TABLE:
            cost += space.cells[about.begin + low * about.n_codes + high].cost
        else:
            cost += pair_cost(space, column, low, high)
        if cost > limit:
            break
    return cost


@kernel
def all_closings(state, move, begin, end):
    """Of groups: to end one."""
    begin_list(move)
    for group in range(begin, end):
        if group == 0 or state.groups[group].n_records == 0:
            continue
        change = try_close(state, move, group, LEAST_GAIN)
        if change < LEAST_GAIN and not keep_move(move, change):
            return group + 1
    return end


@kernel
def all_shifts(space, state, move, begin, end, pulse):
    """Of parts: to move one record, or as many as can be spared, to any other group.

    What changes is linear in their number, but for the last one, so these two are the best.
    """
    begin_list(move)
    for part in range(begin, end):
        if pulse.stop[0]:
            return part
        group, most = np.int64(state.parts[part].group), state.parts[part].count
        n_spare = min(most, surplus(state, group)) if most > 0 else np.int64(0)
        if n_spare == 0:
            continue
        paid, row, gain = state.groups[group].cost, np.int64(state.parts[part].row), 0.0
        if group != 0 and n_spare == most and box_without(space, state, group, part, move.third):
            left = state.groups[group].n_records - n_spare
            gain = (paid - box_cost(space, move.third)) * left
        for target in range(len(state.groups)):
            of_target = state.groups[target]
            is_there = of_target.n_records > 0 if target > 0 else state.numbers[ROOM_LEFT] > 0
            if target == group or not is_there:
                continue
            for turn in range(2):
                count = n_spare if turn == 0 else np.int64(1)
                if turn == 1 and n_spare == 1:
                    continue
                most_paid = of_target.cost * of_target.n_records + paid * count + gain * (turn == 0)
                limit = most_paid / (of_target.n_records + count)  # the box may cost so much
                if of_target.cost > limit or (
                    target > 0 and joined_cost(space, state.boxes[target], row, limit) > limit
                ):
                    continue
                change = try_shift(space, state, move, np.int64(part), count, np.int64(target))
                if change < LEAST_GAIN and not keep_move(move, change):
                    return part + 1
    return end


@kernel
def all_swaps(space, state, move, begin, end, pulse):
    """Of parts: to exchange one record with one of any other group.

    One of the two groups must get a smaller box, so it gives the last record of a row.
    """
    begin_list(move)
    for part in range(begin, end):
        if pulse.stop[0]:
            return part
        group = np.int64(state.parts[part].group)
        if state.parts[part].count != 1 or group == 0:
            continue
        paid = state.groups[group].cost
        if not box_without(space, state, group, part, move.third):
            continue
        if box_cost(space, move.third) >= paid + LEAST_GAIN:
            continue
        for row in range(len(space.rows)):
            if joined_cost(space, move.third, row, paid) >= paid:
                continue
            other = np.int64(state.links[row].first)
            while other != NONE:
                of_other = state.parts[other].group
                if of_other != group and of_other != 0:
                    change = try_swap(space, state, move, np.int64(part), other)
                    if change < LEAST_GAIN and not keep_move(move, change):
                        return part + 1
                other = np.int64(state.parts[other].next_of_row)
    return end


@kernel
def all_divisions(space, state, move, begin, end):
    """Of groups: to give a cell to some members, those under a smaller one in a column.

    The others leave for the cheapest groups that cover them (the cell is specialised), or those
    under it become a group of their own (the group is split).
    """
    begin_list(move)
    for group in range(begin, end):
        if group == 0 or state.groups[group].n_records == 0:
            continue
        for column in range(len(space.columns)):
            about = space.columns[column]
            low = np.int64(state.boxes[group, about.at])
            high = np.int64(state.boxes[group, about.at + 1])
            below = low
            while below <= high and low < high:
                last = widest_below(space, column, low, high, below)
                for turn in range(2):
                    if turn == 0:
                        change = try_specialise(space, state, move, group, column, below, last)
                    else:
                        change = try_split(space, state, move, group, column, below, last)
                    if change < LEAST_GAIN and not keep_move(move, change):
                        return group + 1
                below = last + 1 if last >= below else below + 1
    return end


@inner
def widest_below(space, column, low, high, first):
    """The last code of the widest cell from `first` on that is smaller than low..high."""
    about, last = space.columns[column], first
    for code in range(first, high + 1):
        if about.kind == TABLE:
            cell = space.cells[about.begin + first * about.n_codes + code]
            begin, end = np.int64(cell.low), np.int64(cell.high)
        else:
            begin, end = first, code
        if begin == first and end <= high and (begin != low or end != high):
            last = max(last, end)
    return last


@kernel
def all_openings(space, state, move, ladders, steps, n_boxes, begin, end, pulse):
    """Of rows: to open any box around one that is cheaper than what the row pays.

    IN ladders int32[rungs,2], steps int64[q,codes+1]: the cells that cover a code of a column, by
    rising cost, are ladders[steps[column, code]:steps[column, code + 1]].
    A box is tried from the first of the rows under it that pay more than it costs. Returns GIVEN_UP
    where there are more than `n_boxes`.
    """
    begin_list(move)
    n_columns = len(space.columns)
    at, costs = np.zeros(n_columns + 1, dtype=np.int64), np.zeros(n_columns + 1)
    for row in range(begin, end):
        if pulse.stop[0]:
            return row
        part = dearest_part(state, row)
        if part == NONE:
            continue
        paid = state.groups[state.parts[part].group].cost
        column, is_full = 0, False
        at[0], costs[0] = steps[0, space.codes[row, 0]], 0.0
        while column >= 0:
            code = space.codes[row, column]
            if at[column] == steps[column, code + 1]:
                column -= 1
                at[max(column, 0)] += 1
                continue
            about, rung = space.columns[column], at[column]
            low, high = np.int64(ladders[rung, 0]), np.int64(ladders[rung, 1])
            cost = costs[column] + pair_cost(space, column, low, high)
            if cost >= paid:  # and so do the wider ones
                column -= 1
                at[max(column, 0)] += 1
                continue
            move.box[about.at], move.box[about.at + 1] = low, high
            if column + 1 < n_columns:
                column += 1
                at[column] = steps[column, space.codes[row, column]]
                costs[column] = cost
                continue
            at[column] += 1
            n_boxes -= 1
            if n_boxes < 0:
                return GIVEN_UP
            change = try_box(space, state, move, row, cost)
            if change < LEAST_GAIN and not keep_move(move, change):
                is_full = True
                break
        if is_full:
            return row + 1
    return end


@inner
def try_box(space, state, move, row, cost):
    """Open the box of a move, if the row is the first under it that pays more."""
    move.numbers[UNDER] = rows_in(space, move.box, move.under)
    n_records = 0
    for i in range(move.numbers[UNDER]):
        n_records += space.rows[move.under[i]].count
    if n_records < state.least:
        return np.inf
    for i in range(move.numbers[UNDER]):
        part = dearest_part(state, np.int64(move.under[i]))
        if part != NONE and state.groups[state.parts[part].group].cost > cost:
            if move.under[i] != row:
                return np.inf
            break
    return try_open(state, move, cost, LEAST_GAIN)
