"""The groups of the local search, the records in them, and what it is to make a move.

A *part* is some records of one row in one group; parts are linked by row and by group. Every row
lists the open groups whose box covers it, because that is where its records can go at a cost that
is known: a record pays what its box costs, and nothing else.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import inner, kernel
from shoal.kernels.sweep_space import add_row, box_cost, close_box, empty_box, rows_in, sift

NONE = -1
PARTS_FREE, GROUPS_FREE, ROOM_LEFT, ROUND = 0, 1, 2, 3  # places in the numbers of a state
TRANSFERS, FIRST, UNDER, TOUCHED, OPENS, MARK, WANTED, CANDIDATES = range(8)  # in those of a move

PART = np.dtype(
    [
        ("count", np.int64),
        ("row", np.int32),
        ("group", np.int32),
        ("next_of_row", np.int32),
        ("back_of_row", np.int32),
        ("next_of_group", np.int32),
        ("back_of_group", np.int32),
    ],
    align=True,
)
GROUP = np.dtype(
    [
        ("cost", np.float64),  # what each record pays
        ("n_records", np.int64),  # records
        ("round", np.int64),  # in which it was changed last
        ("first", np.int64),  # of its parts
    ],
    align=True,
)
LINKS = np.dtype([("first", np.int32), ("n_cover", np.int32)], align=True)  # of a row
TRANSFER = np.dtype(
    [("count", np.int64), ("part", np.int32), ("source", np.int32), ("target", np.int32)],
    align=True,
)
CANDIDATE = np.dtype(
    [("change", np.float64), ("first", np.int64), ("end", np.int64), ("opens", np.int64)],
    align=True,
)
TRIED = np.dtype(  # what a group is in a move
    [
        ("mark", np.int64),  # of the move in which the rest was written
        ("pinned", np.int64),  # it receives records, so it must stay
        ("leaving", np.int64),  # it is dissolved
        ("n_inside", np.int64),  # records that it holds under the box
        ("n_taken", np.int64),  # records that it gives
    ],
    align=True,
)


class State(NamedTuple):
    """Groups and parts. The group 0 stands for suppressed records: all rows may be in it."""

    parts: np.recarray  # PART
    links: np.recarray  # LINKS[n]
    groups: np.recarray  # GROUP
    boxes: np.ndarray  # int32[groups,words]
    cover: np.ndarray  # int32[n,most] groups that cover a row
    free_parts: np.ndarray  # int32, a stack
    free_groups: np.ndarray  # int32
    numbers: np.ndarray  # int64[4]: free parts, free groups, records to suppress, the round
    least: int  # records that a group must have


class Move(NamedTuple):
    """Room for pricing moves, and those that were found to be worth making.

    The transfers of a move begin at `numbers[FIRST]`; each takes records of a part to the group
    `target`, NONE being a new one, whose box is `box`. Marks say what a number is in the present
    move. Each thread has a room of its own.
    """

    transfers: np.recarray  # TRANSFER
    candidates: np.recarray  # CANDIDATE
    boxes: np.ndarray  # int32[candidates,words] of the groups that they open
    box: np.ndarray  # int32[words]
    other: np.ndarray
    third: np.ndarray
    under: np.ndarray  # int32[n] rows under the box
    touched: np.ndarray  # int32[groups] that hold them
    row_mark: np.ndarray  # int64[n] the row is under the box
    tried: np.recarray  # TRIED[groups]
    wanted: np.ndarray  # int64 rows whose lists are too short
    numbers: np.ndarray  # int64[8]


@inner
def copy_box(source, target):
    for word in range(len(target)):
        target[word] = source[word]


@inner
def same_box(box, other):
    for word in range(len(box)):
        if box[word] != other[word]:
            return False
    return True


@inner
def fresh_mark(move):
    move.numbers[MARK] += 1
    return move.numbers[MARK]


@inner
def surplus(state, group):
    """How many records a group can give and still stand."""
    size = state.groups[group].n_records
    return size if group == 0 else max(size - state.least, 0)


@inner
def put(state, row, group, count):
    """Add records of a row to a group."""
    state.groups[group].n_records += count
    part = np.int64(state.links[row].first)
    while part != NONE:
        if state.parts[part].group == group:
            state.parts[part].count += count
            return
        part = np.int64(state.parts[part].next_of_row)
    state.numbers[PARTS_FREE] -= 1
    part = np.int64(state.free_parts[state.numbers[PARTS_FREE]])
    new = state.parts[part]
    new.row, new.group, new.count = row, group, count
    after, of_group = state.links[row].first, state.groups[group].first
    new.next_of_row, new.back_of_row = after, NONE
    new.next_of_group, new.back_of_group = of_group, NONE
    if after != NONE:
        state.parts[after].back_of_row = part
    if of_group != NONE:
        state.parts[of_group].back_of_group = part
    state.links[row].first = part
    state.groups[group].first = part


@inner
def take_out(state, part, count):
    """Take records of a part out of its group."""
    old = state.parts[part]
    state.groups[old.group].n_records -= count
    old.count -= count
    if old.count > 0:
        return
    if old.back_of_row == NONE:
        state.links[old.row].first = old.next_of_row
    else:
        state.parts[old.back_of_row].next_of_row = old.next_of_row
    if old.next_of_row != NONE:
        state.parts[old.next_of_row].back_of_row = old.back_of_row
    if old.back_of_group == NONE:
        state.groups[old.group].first = old.next_of_group
    else:
        state.parts[old.back_of_group].next_of_group = old.next_of_group
    if old.next_of_group != NONE:
        state.parts[old.next_of_group].back_of_group = old.back_of_group
    state.free_parts[state.numbers[PARTS_FREE]] = part
    state.numbers[PARTS_FREE] += 1


@inner
def add_covers(state, rows, begin, end, group):
    """Rows of a list are covered by a group from now on. A full list is only a choice missed."""
    for i in range(begin, end):
        row = rows[i]
        n = state.links[row].n_cover
        if n < state.cover.shape[1]:
            state.cover[row, n] = group
            state.links[row].n_cover = n + 1


@inner
def drop_covers(state, rows, begin, end, group):
    """Rows of a list are not covered by a group any more."""
    for i in range(begin, end):
        row = rows[i]
        n = state.links[row].n_cover
        for place in range(n):
            if state.cover[row, place] == group:
                state.cover[row, place] = state.cover[row, n - 1]
                state.links[row].n_cover = n - 1
                break


@inner
def cheapest(state, move, row, home, mark):
    """The cheapest of the groups that cover a row, not its home and none that is dissolved.

    Where there is none, and room for it, suppression.
    """
    best, best_cost = NONE, np.inf
    for i in range(state.links[row].n_cover):
        group = np.int64(state.cover[row, i])
        cost = state.groups[group].cost
        if (cost < best_cost or (cost == best_cost and group < best)) and group != home:
            if move.tried[group].leaving != mark:
                best, best_cost = group, cost
    if best == NONE and home != 0 and state.numbers[ROOM_LEFT] > 0:
        return 0
    return best


@inner
def box_without(space, state, group, part, box):
    """The box of a group without one of its parts; False if no other is left."""
    empty_box(space, box)
    is_empty, member = True, state.groups[group].first
    while member != NONE:
        if member != part:
            is_empty = False
            add_row(space, box, np.int64(state.parts[member].row))
        member = np.int64(state.parts[member].next_of_group)
    if not is_empty:
        close_box(space, box)
    return not is_empty


@inner
def tighten(space, state, move, group):
    """Give a group the smallest box around its members, and tell the rows that it covers."""
    box_without(space, state, group, np.int64(NONE), move.third)
    box = state.boxes[group]
    if same_box(box, move.third):
        return
    n_old = rows_in(space, box, move.under)
    n_kept = sift(space, move.third, move.under, n_old)
    drop_covers(state, move.under, n_kept, n_old, group)
    n_new = rows_in(space, move.third, move.under)
    if n_new > n_kept:
        n_kept = sift(space, box, move.under, n_new)
        add_covers(state, move.under, n_kept, n_new, group)
    copy_box(move.third, box)
    state.groups[group].cost = box_cost(space, box)


@inner
def open_group(space, state, move, box):
    """An empty group with a box."""
    state.numbers[GROUPS_FREE] -= 1
    group = np.int64(state.free_groups[state.numbers[GROUPS_FREE]])
    copy_box(box, state.boxes[group])
    new = state.groups[group]
    new.cost, new.n_records, new.first = box_cost(space, box), 0, NONE
    n_under = rows_in(space, box, move.under)
    add_covers(state, move.under, np.int64(0), n_under, group)
    return group


@inner
def close_group(space, state, move, group):
    """Remove an empty group."""
    n_old = rows_in(space, state.boxes[group], move.under)
    drop_covers(state, move.under, np.int64(0), n_old, group)
    state.free_groups[state.numbers[GROUPS_FREE]] = group
    state.numbers[GROUPS_FREE] += 1


@inner
def can_apply(state, transfers, candidate):
    """Whether the groups of a move are as they were when it was priced, and there is room."""
    n_transfers = candidate.end - candidate.first
    if n_transfers > state.numbers[PARTS_FREE] or state.numbers[GROUPS_FREE] < 1:
        return False
    n_suppressed = 0
    for i in range(candidate.first, candidate.end):
        source, target = transfers[i].source, transfers[i].target
        if state.groups[source].round == state.numbers[ROUND]:
            return False
        if target > 0 and state.groups[target].round == state.numbers[ROUND]:
            return False
        if target == 0:
            n_suppressed += transfers[i].count
    return n_suppressed <= max(state.numbers[ROOM_LEFT], 0)


@inner
def note_changed(state, move, group, n_changed):
    """List a group that a move changes, once: -> how many are listed."""
    if state.groups[group].round == state.numbers[ROUND]:
        return n_changed
    state.groups[group].round = state.numbers[ROUND]
    move.touched[n_changed] = group
    return n_changed + 1


@inner
def apply_move(space, state, move, transfers, candidate, box):
    """Do what a move says."""
    n_changed, new = np.int64(0), np.int64(NONE)
    if candidate.opens == 1:
        new = open_group(space, state, move, box)
        n_changed = note_changed(state, move, new, n_changed)
    for i in range(candidate.first, candidate.end):
        part, count = np.int64(transfers[i].part), transfers[i].count
        source, target = np.int64(transfers[i].source), np.int64(transfers[i].target)
        if target == NONE:
            target = new
        n_changed = note_changed(state, move, source, n_changed)
        n_changed = note_changed(state, move, target, n_changed)
        row = np.int64(state.parts[part].row)
        take_out(state, part, count)
        put(state, row, target, count)
        if source == 0:
            state.numbers[ROOM_LEFT] += count
        if target == 0:
            state.numbers[ROOM_LEFT] -= count
    for i in range(n_changed):
        group = np.int64(move.touched[i])
        if group == 0:
            continue
        if state.groups[group].n_records == 0:
            close_group(space, state, move, group)
        else:
            tighten(space, state, move, group)


@kernel
def apply_moves(space, state, move, found, allowed):
    """Make the moves that were found, in order: -> how many were made.

    `found` is where they were priced, `move` another room. A move is left out where it is not
    allowed, or where another one of this round has changed a group of its.
    """
    n_made = 0
    for i in range(found.numbers[CANDIDATES]):
        candidate = found.candidates[i]
        if allowed[i] and can_apply(state, found.transfers, candidate):
            apply_move(space, state, move, found.transfers, candidate, found.boxes[i])
            n_made += 1
    return n_made


@kernel
def place_parts(space, state, move, rows, counts, groups, n_groups):
    """Fill a state: records of rows go into groups 1 to n_groups, or 0."""
    for i in range(len(rows)):
        put(state, rows[i], groups[i], counts[i])
    for group in range(1, n_groups + 1):
        box = state.boxes[group]
        box_without(space, state, group, np.int64(NONE), box)
        state.groups[group].cost = box_cost(space, box)
        n_rows = rows_in(space, box, move.under)
        add_covers(state, move.under, np.int64(0), n_rows, group)
