"""Groups as the kernels of the local search hold them, and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.errors import NotVerified
from shoal.group.local._space import OrderedSpace, has_masks
from shoal.group.parts.joining import joined_parts
from shoal.kernels.boxes import group_boxes
from shoal.kernels.sweep_anneal import Near
from shoal.kernels.sweep_space import Space, new_box
from shoal.kernels.sweep_state import Move, State, place_parts
from shoal.types.arrays import SUPPRESSED, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.table import Table

MOST_COVERS = 48
MOST_NEAR = 8_000_000  # rows near others that are kept for all of them
MORE_PARTS = 3  # times as many as rows


def state_of(grouping: Grouping, ordered: OrderedSpace, least: int, room: int) -> State:
    """The state of a search that begins with a grouping; `room`: more may be suppressed."""
    space, n_rows = ordered.space, len(ordered.rows)
    n_records = int(space.counts.sum())
    n_groups = max(grouping.n_groups, n_records // least) + 4
    n_parts = len(grouping.rows) + min(n_records, MORE_PARTS * n_rows) + 64
    n_columns = space.codes.shape[1]
    links = [np.full(n_parts, -1, dtype=np.int32) for _ in range(4)]
    state = State(
        row_of=np.zeros(n_parts, dtype=np.int32),
        group_of=np.zeros(n_parts, dtype=np.int32),
        count_of=np.zeros(n_parts, dtype=np.int64),
        next_of_row=links[0],
        back_of_row=links[1],
        next_of_group=links[2],
        back_of_group=links[3],
        first_of_row=np.full(n_rows, -1, dtype=np.int32),
        first_of_group=np.full(n_groups, -1, dtype=np.int32),
        free_parts=np.arange(n_parts - 1, -1, -1, dtype=np.int32),
        free_groups=np.arange(n_groups - 1, -1, -1, dtype=np.int32),
        low=np.zeros((n_groups, n_columns), dtype=np.int32),
        high=np.zeros((n_groups, n_columns), dtype=np.int32),
        bits=np.zeros((n_groups, space.n_words), dtype=np.uint64),
        costs=np.zeros(n_groups),
        sizes=np.zeros(n_groups, dtype=np.int64),
        cover=np.zeros((n_rows, MOST_COVERS), dtype=np.int32),
        n_cover=np.zeros(n_rows, dtype=np.int32),
        numbers=np.array([n_parts, n_groups - grouping.n_groups - 1, 0, room], dtype=np.int64),
        least=least,
    )
    state.costs[0] = space.weights.sum()
    place = np.empty(n_rows, dtype=np.int64)
    place[ordered.rows] = np.arange(n_rows)
    place_parts(
        space, state, move_of(space, n_groups), place[grouping.rows], grouping.counts,
        (grouping.labels + 1).astype(np.int64), grouping.n_groups,
    )  # fmt: skip
    return state


def move_of(space: Space, n_groups: int) -> Move:
    n_rows = len(space.counts)
    marks = [np.full(n, -1, dtype=np.int64) for n in (n_rows, n_groups, n_groups, n_groups)]
    return Move(
        parts=np.zeros(4 * n_rows + 64, dtype=np.int32),
        counts=np.zeros(4 * n_rows + 64, dtype=np.int64),
        targets=np.zeros(4 * n_rows + 64, dtype=np.int32),
        n=np.zeros(4, dtype=np.int64),
        box=new_box(space),
        other=new_box(space),
        third=new_box(space),
        under=np.zeros(n_rows, dtype=np.int32),
        touched=np.zeros(n_groups, dtype=np.int32),
        row_mark=marks[0],
        group_mark=marks[1],
        pinned=marks[2],
        leaving=marks[3],
        n_inside=np.zeros(n_groups, dtype=np.int64),
        n_taken=np.zeros(n_groups, dtype=np.int64),
        changed=np.zeros(n_groups, dtype=np.int32),
        old=np.zeros(n_rows, dtype=np.int32),
    )


class Parts(NamedTuple):
    """Which records of rows are in which group, 0 being suppressed: a state to come back to."""

    rows: Int32Array
    groups: Int32Array
    counts: Int64Array


def parts_of(state: State) -> Parts:
    found = np.flatnonzero(state.count_of > 0)
    return Parts(state.row_of[found], state.group_of[found], state.count_of[found])


def grouping_of(parts: Parts, ordered: OrderedSpace, table: Table, least: int) -> Grouping:
    """Parts as a grouping, the sizes of groups counted anew."""
    groups, numbers = np.unique(parts.groups, return_inverse=True)
    has_suppressed = bool(len(groups)) and groups[0] == 0
    labels = (numbers - has_suppressed).astype(np.int32)
    rows = ordered.rows[parts.rows].astype(np.int32)
    n_groups = len(groups) - has_suppressed
    is_placed = labels != SUPPRESSED
    sizes = np.bincount(labels[is_placed], parts.counts[is_placed], minlength=n_groups)
    if (sizes < least).any():
        raise NotVerified.no_grouping("sweep", "a group has fewer records than it must have")
    low, high = group_boxes(table.codes, rows, labels, n_groups)
    return joined_parts(Grouping(rows, parts.counts, labels, low, high))


def near_of(space: Space) -> Near:
    """Room for the rows near each row."""
    n_rows, n_columns = space.codes.shape
    most = max(32, min(256, MOST_NEAR // max(n_rows, 1)))
    return Near(
        rows=np.zeros((n_rows, most), dtype=np.int32),
        costs=np.zeros((n_rows, most), dtype=np.float32),
        n=np.zeros(n_rows, dtype=np.int32),
        asked=np.full(n_rows, -1.0),
        radius=np.zeros(n_rows),
        room=np.zeros(4 * most, dtype=np.int32),
        room_costs=np.zeros(4 * most),
        from_row=np.zeros(int(space.n_codes.sum())),
        offsets=np.zeros(n_columns, dtype=np.int64),
        masks=np.zeros((n_rows if has_masks(space) else 0, most), dtype=np.uint64),
    )
