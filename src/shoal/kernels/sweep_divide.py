"""Moves that divide a group by one of its cells.

The members under a smaller cell of a column stay, and the others leave for the cheapest groups that
cover them: the cell is *specialised*. Or those under it become a group of their own: a *split*.
"""

import numpy as np

from shoal.kernels._compile import inner
from shoal.kernels.sweep_moves import add_transfer, begin_move, is_possible
from shoal.kernels.sweep_space import TABLE, add_row, box_cost, close_box, empty_box
from shoal.kernels.sweep_state import NONE, cheapest, fresh_mark


@inner
def measure_part(space, state, group, column, low, high, inside, box):
    """The records of a group that lie in low..high, or those that do not, and the box of these."""
    empty_box(space, box)
    n_records, part = 0, state.groups[group].first
    while part != NONE:
        row = np.int64(state.parts[part].row)
        if (low <= space.codes[row, column] <= high) == inside:
            add_row(space, box, row)
            n_records += state.parts[part].count
        part = np.int64(state.parts[part].next_of_group)
    if n_records > 0:
        close_box(space, box)
    return n_records


@inner
def try_specialise(space, state, move, group, column, low, high):
    """What it would change if only the members in low..high stay."""
    n_stay = measure_part(space, state, group, column, low, high, True, move.other)
    if n_stay < state.least or n_stay == state.groups[group].n_records:
        return np.inf
    mark, paid = fresh_mark(move), state.groups[group].cost
    begin_move(move, 0)
    change = (box_cost(space, move.other) - paid) * n_stay
    part = state.groups[group].first
    while part != NONE:
        row, count = np.int64(state.parts[part].row), state.parts[part].count
        if not low <= space.codes[row, column] <= high:
            other = cheapest(state, move, row, group, mark)
            if other == NONE:
                return np.inf
            change += (state.groups[other].cost - paid) * count
            add_transfer(state, move, part, count, other)
        part = np.int64(state.parts[part].next_of_group)
    return change if is_possible(state, move) else np.inf


@inner
def try_split(space, state, move, group, column, low, high):
    """What it would change if the members in low..high became a group of their own."""
    n_leave = measure_part(space, state, group, column, low, high, True, move.box)
    n_stay = state.groups[group].n_records - n_leave
    if n_leave < state.least or n_stay < state.least:
        return np.inf
    measure_part(space, state, group, column, low, high, False, move.other)
    begin_move(move, 1)
    change = box_cost(space, move.box) * n_leave + box_cost(space, move.other) * n_stay
    part = state.groups[group].first
    while part != NONE:
        row = np.int64(state.parts[part].row)
        if low <= space.codes[row, column] <= high:
            add_transfer(state, move, part, state.parts[part].count, np.int64(NONE))
        part = np.int64(state.parts[part].next_of_group)
    change -= state.groups[group].cost * (n_leave + n_stay)
    return change if is_possible(state, move) else np.inf


@inner
def propose_division(space, state, move, group, column, code):
    """Divide a group by the widest smaller cell of a column that covers a code."""
    about = space.columns[column]
    low = np.int64(state.boxes[group, about.at])
    high = np.int64(state.boxes[group, about.at + 1])
    if about.kind != TABLE or low == high:
        return np.inf
    first, last, widest = code, code, -1.0
    for other in range(low, high + 1):
        at = min(code, other) * about.n_codes + max(code, other)
        cell = space.cells[about.begin + at]
        if (cell.low != low or cell.high != high) and cell.cost > widest:
            first, last, widest = np.int64(cell.low), np.int64(cell.high), cell.cost
    change = try_split(space, state, move, group, column, first, last)
    if change < 0.0:
        return change
    return try_specialise(space, state, move, group, column, first, last)
