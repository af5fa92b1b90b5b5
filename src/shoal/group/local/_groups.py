"""Groups as the kernels of the local search hold them, and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.errors import NotVerified
from shoal.group.local._space import OrderedSpace, has_masks
from shoal.group.parts.joining import joined_parts
from shoal.kernels.boxes import group_boxes
from shoal.kernels.sweep_near import LIST, LISTED, Near
from shoal.kernels.sweep_space import Space
from shoal.kernels.sweep_state import (
    CANDIDATE,
    GROUP,
    LINKS,
    PART,
    TRANSFER,
    TRIED,
    Move,
    State,
    place_parts,
)
from shoal.types.arrays import SUPPRESSED, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.table import Table

MOST_COVERS = 48
MOST_NEAR = 8_000_000  # rows near others that are kept for all of them
MORE_PARTS = 3  # times as many as rows
NUMBERS = 8  # of a move


def state_of(grouping: Grouping, ordered: OrderedSpace, least: int, room: int) -> State:
    """The state of a search that begins with a grouping; `room`: more may be suppressed."""
    space, n_rows = ordered.space, len(ordered.rows)
    n_records = int(space.rows.count.sum())
    n_groups = max(grouping.n_groups, n_records // least) + 4
    n_parts = len(grouping.rows) + min(n_records, MORE_PARTS * n_rows) + 64
    groups, links = _records(n_groups, GROUP), _records(n_rows, LINKS)
    groups.first, links.first = -1, -1
    groups.cost[0] = space.columns.weight.sum()
    state = State(
        parts=_records(n_parts, PART),
        links=links,
        groups=groups,
        boxes=np.zeros((n_groups, space.boxes.shape[1]), dtype=np.int32),
        cover=np.zeros((n_rows, MOST_COVERS), dtype=np.int32),
        free_parts=np.arange(n_parts - 1, -1, -1, dtype=np.int32),
        free_groups=np.arange(n_groups - 1, -1, -1, dtype=np.int32),
        numbers=np.array([n_parts, n_groups - grouping.n_groups - 1, room, 0], dtype=np.int64),
        least=least,
    )
    place = np.empty(n_rows, dtype=np.int64)
    place[ordered.rows] = np.arange(n_rows)
    place_parts(
        space, state, room_for(space, n_groups, 1), place[grouping.rows], grouping.counts,
        (grouping.labels + 1).astype(np.int64), grouping.n_groups,
    )  # fmt: skip
    return state


def room_for(space: Space, n_groups: int, n_candidates: int) -> Move:
    """Room for pricing moves, and for so many of them that are worth making."""
    n_rows, n_words = len(space.rows), space.boxes.shape[1]
    return Move(
        transfers=_records(4 * n_rows + 64, TRANSFER),
        candidates=_records(n_candidates, CANDIDATE),
        boxes=np.zeros((n_candidates, n_words), dtype=np.int32),
        box=np.zeros(n_words, dtype=np.int32),
        other=np.zeros(n_words, dtype=np.int32),
        third=np.zeros(n_words, dtype=np.int32),
        under=np.zeros(n_rows, dtype=np.int32),
        touched=np.zeros(n_groups, dtype=np.int32),
        row_mark=np.zeros(n_rows, dtype=np.int64),
        tried=_records(n_groups, TRIED),
        wanted=np.zeros(n_candidates, dtype=np.int64),
        numbers=np.zeros(NUMBERS, dtype=np.int64),
    )


def _records(n: int, kind: np.dtype) -> np.recarray:
    return np.zeros(n, dtype=kind).view(np.recarray)


class Parts(NamedTuple):
    """Which records of rows are in which group, 0 being suppressed: a state to come back to."""

    rows: Int32Array
    groups: Int32Array
    counts: Int64Array


def parts_of(state: State) -> Parts:
    found = np.flatnonzero(state.parts.count > 0)
    return Parts(state.parts.row[found], state.parts.group[found], state.parts.count[found])


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
    n_rows = len(space.rows)
    most = max(32, min(256, MOST_NEAR // max(n_rows, 1)))
    lists = _records(n_rows, LIST)
    lists.asked = -1.0
    listed = np.zeros((n_rows, most), dtype=LISTED).view(np.recarray)
    return Near(listed, lists, has_masks(space))
