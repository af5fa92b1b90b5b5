"""The groups of the local search, and the records in them.

A *part* is some records of one row in one group; parts are linked by row and by group. Every row
lists the open groups whose box covers it, because that is where its records can go at a cost that
is known: a record pays what its box costs, and nothing else.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.sweep_space import (
    ONE,
    SET,
    Box,
    box_cost,
    close_box,
    copy_box,
    rows_in,
    same_box,
    sift,
)

NONE = -1
PARTS_FREE, GROUPS_FREE, MARK, ROOM_LEFT = 0, 1, 2, 3  # places in `numbers`


class State(NamedTuple):
    """Groups and parts. The group 0 stands for suppressed records: all rows may be in it."""

    row_of: np.ndarray  # int32[parts]
    group_of: np.ndarray  # int32[parts]
    count_of: np.ndarray  # int64[parts]
    next_of_row: np.ndarray  # int32[parts]
    back_of_row: np.ndarray
    next_of_group: np.ndarray
    back_of_group: np.ndarray
    first_of_row: np.ndarray  # int32[n]
    first_of_group: np.ndarray  # int32[groups]
    free_parts: np.ndarray  # int32[parts], a stack
    free_groups: np.ndarray  # int32[groups]
    low: np.ndarray  # int32[groups,q]
    high: np.ndarray
    bits: np.ndarray  # uint64[groups,words]
    costs: np.ndarray  # float64[groups] what each record of a group pays
    sizes: np.ndarray  # int64[groups] records
    cover: np.ndarray  # int32[n,most] groups that cover a row
    n_cover: np.ndarray  # int32[n]
    numbers: np.ndarray  # int64[4]: free parts, free groups, last mark, records to suppress
    least: int  # records that a group must have


class Move(NamedTuple):
    """What a move would do, and room for finding that out.

    Transfer i takes `counts[i]` records of the part `parts[i]` to the group `targets[i]`, NONE
    being the new group, whose box is `box`. Marks say what a number is in the present move.
    """

    parts: np.ndarray  # int32[m]
    counts: np.ndarray  # int64[m]
    targets: np.ndarray  # int32[m]
    n: np.ndarray  # int64[4]: transfers, rows in `under`, groups in `touched`, has a new group
    box: Box
    other: Box
    third: Box
    under: np.ndarray  # int32[n] rows under the box
    touched: np.ndarray  # int32[groups] that hold them
    row_mark: np.ndarray  # int64[n] the row is under the box
    group_mark: np.ndarray  # int64[groups] the group holds some of these
    pinned: np.ndarray  # int64[groups] it receives records, so it must stay
    leaving: np.ndarray  # int64[groups] it is dissolved
    n_inside: np.ndarray  # int64[groups] records that it holds of them
    n_taken: np.ndarray  # int64[groups] records that it gives
    changed: np.ndarray  # int32[groups] that a move changed
    old: np.ndarray  # int32[n]


TRANSFERS, UNDER, TOUCHED, OPENS = 0, 1, 2, 3  # places in `n`


@kernel
def box_of(state, group):
    return Box(state.low[group], state.high[group], state.bits[group])


@kernel
def fresh_mark(state):
    state.numbers[MARK] += 1
    return state.numbers[MARK]


@kernel
def surplus(state, group):
    """How many records a group can give and still stand."""
    if group == 0:
        return state.sizes[0]
    return state.sizes[group] - state.least


@kernel
def link(state, part):
    """Put a part into the lists of its row and its group."""
    row, group = state.row_of[part], state.group_of[part]
    after = state.first_of_row[row]
    state.next_of_row[part], state.back_of_row[part] = after, NONE
    if after != NONE:
        state.back_of_row[after] = part
    state.first_of_row[row] = part
    after = state.first_of_group[group]
    state.next_of_group[part], state.back_of_group[part] = after, NONE
    if after != NONE:
        state.back_of_group[after] = part
    state.first_of_group[group] = part


@kernel
def unlink(state, part):
    before, after = state.back_of_row[part], state.next_of_row[part]
    if before == NONE:
        state.first_of_row[state.row_of[part]] = after
    else:
        state.next_of_row[before] = after
    if after != NONE:
        state.back_of_row[after] = before
    before, after = state.back_of_group[part], state.next_of_group[part]
    if before == NONE:
        state.first_of_group[state.group_of[part]] = after
    else:
        state.next_of_group[before] = after
    if after != NONE:
        state.back_of_group[after] = before


@kernel
def put(state, row, group, count):
    """Add records of a row to a group."""
    state.sizes[group] += count
    part = state.first_of_row[row]
    while part != NONE:
        if state.group_of[part] == group:
            state.count_of[part] += count
            return
        part = state.next_of_row[part]
    state.numbers[PARTS_FREE] -= 1
    part = state.free_parts[state.numbers[PARTS_FREE]]
    state.row_of[part], state.group_of[part], state.count_of[part] = row, group, count
    link(state, part)


@kernel
def take_out(state, part, count):
    """Take records of a part out of its group."""
    state.sizes[state.group_of[part]] -= count
    state.count_of[part] -= count
    if state.count_of[part] == 0:
        unlink(state, part)
        state.free_parts[state.numbers[PARTS_FREE]] = part
        state.numbers[PARTS_FREE] += 1


@kernel
def add_covers(cover, n_cover, rows, begin, end, group):
    """Rows of a list are covered by a group from now on. A full list is only a choice missed."""
    for i in range(begin, end):
        row = rows[i]
        if n_cover[row] < cover.shape[1]:
            cover[row, n_cover[row]] = group
            n_cover[row] += 1


@kernel
def drop_covers(cover, n_cover, rows, begin, end, group):
    """Rows of a list are not covered by a group any more."""
    for i in range(begin, end):
        row = rows[i]
        for place in range(n_cover[row]):
            if cover[row, place] == group:
                n_cover[row] -= 1
                cover[row, place] = cover[row, n_cover[row]]
                break


@kernel
def cheapest(covering, n_cover, costs, leaving, home, mark, room):
    """The cheapest of the groups that cover a row, not its home and none that is dissolved.

    Where there is none, and room for it, suppression.
    """
    best, best_cost = NONE, np.inf
    for i in range(n_cover):
        group = covering[i]
        if costs[group] < best_cost and group != home and leaving[group] != mark:
            best, best_cost = np.int64(group), costs[group]
    if best == NONE and home != 0 and room > 0:
        return 0
    return best


@kernel
def cheapest_cover(state, move, row, home, mark):
    return cheapest(
        state.cover[row], state.n_cover[row], state.costs, move.leaving, home, mark,
        state.numbers[ROOM_LEFT],
    )  # fmt: skip


@kernel
def box_without(space, state, group, part, box):
    """The box of a group without one of its parts; False if no other is left."""
    n_columns, is_empty = len(box.low), True
    for column in range(n_columns):
        box.low[column], box.high[column] = 2**31 - 1, -1
    box.bits[:] = 0
    member = state.first_of_group[group]
    while member != NONE:
        if member != part:
            is_empty = False
            row = state.row_of[member]
            for column in range(n_columns):
                code = space.codes[row, column]
                box.low[column] = min(box.low[column], code)
                box.high[column] = max(box.high[column], code)
                if space.kinds[column] == SET:
                    bit = ONE << np.uint64(code % 64)
                    box.bits[space.begins[column] + code // 64] |= bit
        member = state.next_of_group[member]
    if is_empty:
        return False
    close_box(space, box)
    return True


@kernel
def tighten(space, state, move, group):
    """Give a group the smallest box around its members, and tell the rows that it covers."""
    box_without(space, state, group, NONE, move.third)
    box = box_of(state, group)
    if same_box(space.kinds, box, move.third):
        return
    n_old = rows_in(space, box, move.old)
    n_kept = sift(space, move.third, move.old, n_old)
    drop_covers(state.cover, state.n_cover, move.old, n_kept, n_old, group)
    n_new = rows_in(space, move.third, move.old)
    if n_new > n_kept:
        n_kept = sift(space, box, move.old, n_new)
        add_covers(state.cover, state.n_cover, move.old, n_kept, n_new, group)
    copy_box(move.third, box)
    state.costs[group] = box_cost(space, box)


@kernel
def open_group(state, box, cost, under, n_under):
    """An empty group with a box; the rows under it are known."""
    state.numbers[GROUPS_FREE] -= 1
    group = state.free_groups[state.numbers[GROUPS_FREE]]
    copy_box(box, box_of(state, group))
    state.costs[group], state.sizes[group] = cost, 0
    state.first_of_group[group] = NONE
    add_covers(state.cover, state.n_cover, under, 0, n_under, group)
    return group


@kernel
def close_group(space, state, move, group):
    """Remove an empty group."""
    n_old = rows_in(space, box_of(state, group), move.old)
    drop_covers(state.cover, state.n_cover, move.old, 0, n_old, group)
    state.free_groups[state.numbers[GROUPS_FREE]] = group
    state.numbers[GROUPS_FREE] += 1


@kernel
def can_apply(state, move):
    """Whether there is room for the parts and the group that a move makes."""
    return (
        move.n[TRANSFERS] < state.numbers[PARTS_FREE]
        and move.n[TRANSFERS] <= len(move.parts)
        and state.numbers[GROUPS_FREE] > 1
    )


@kernel
def apply_move(space, state, move):
    """Do what a move says; returns by how much the costs of all records change."""
    mark = fresh_mark(state)
    before, n_changed = 0.0, 0
    new = NONE
    if move.n[OPENS] == 1:
        new = open_group(state, move.box, box_cost(space, move.box), move.under, move.n[UNDER])
        move.group_mark[new] = mark
        move.changed[n_changed] = new
        n_changed += 1
    for i in range(move.n[TRANSFERS]):
        target = new if move.targets[i] == NONE else move.targets[i]
        for group in (np.int64(state.group_of[move.parts[i]]), np.int64(target)):
            if move.group_mark[group] != mark:
                move.group_mark[group] = mark
                before += state.costs[group] * state.sizes[group]
                move.changed[n_changed] = group
                n_changed += 1
        row = state.row_of[move.parts[i]]
        if state.group_of[move.parts[i]] == 0:
            state.numbers[ROOM_LEFT] += move.counts[i]
        take_out(state, move.parts[i], move.counts[i])
        put(state, row, target, move.counts[i])
        if target == 0:
            state.numbers[ROOM_LEFT] -= move.counts[i]
    after = 0.0
    for i in range(n_changed):
        group = move.changed[i]
        if group == 0:
            after += state.costs[0] * state.sizes[0]
        elif state.sizes[group] == 0:
            close_group(space, state, move, group)
        else:
            tighten(space, state, move, group)
            after += state.costs[group] * state.sizes[group]
    return after - before


@kernel
def place_parts(space, state, move, rows, counts, groups, n_groups):
    """Fill a state: records of rows go into groups 1 to n_groups, or 0."""
    for i in range(len(rows)):
        put(state, rows[i], groups[i], counts[i])
    for group in range(1, n_groups + 1):
        box_without(space, state, group, NONE, move.third)
        copy_box(move.third, box_of(state, group))
        state.costs[group] = box_cost(space, move.third)
        n_rows = rows_in(space, move.third, move.old)
        add_covers(state.cover, state.n_cover, move.old, 0, n_rows, group)
