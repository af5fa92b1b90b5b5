"""Going on until no single move lowers the loss, and saying so.

All moves are tried: to open a box, to close a group, to shift records, to swap two, to split a
group, to specialise a cell. Merging two groups never lowers the loss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shoal.group.local._search import SLICES, LocalSearch
from shoal.kernels.sweep_certify import (
    GIVEN_UP,
    all_closings,
    all_divisions,
    all_openings,
    all_shifts,
    all_swaps,
)
from shoal.kernels.sweep_space import LADDER, TABLE, Space
from shoal.kernels.sweep_state import Move
from shoal.types.arrays import Int32Array, Int64Array

MOST_PASSES = 60
MOST_BOXES = 4000  # around a row, on average
MOST_RUNGS = 4_000_000
CHUNKS = 64  # of all items
WORK = 100_000  # units of a chunk: enough for another thread

Scan = Callable[[Move, int, int], int]


class Ladders(NamedTuple):
    """The cells that cover each code of each column, by rising cost; see `all_openings`."""

    cells: Int32Array  # [rungs,2]
    steps: Int64Array  # [q,codes+1]


def certified(search: LocalSearch) -> bool:
    """Make all moves that lower the loss; whether none is left that the models allow.

    False where it cannot be known: columns are sets or have too many cells, a row lies in more
    boxes than it can list, or the search was stopped.
    """
    ladders = _ladders(search.ordered.space)
    if ladders is None:
        return False
    for _ in range(MOST_PASSES):
        search.restore_best()
        n_before = search.n_taken
        for scan, n_items in _scans(search, ladders):
            if not _passed(search, scan, n_items):
                search.keep_best()
                return False
        search.keep_best()
        if search.n_taken == n_before:
            return search.knows_all
    return False


def polish(search: LocalSearch) -> None:
    """Close and divide groups as long as that lowers the loss: all of them are soon looked at."""
    if not np.isin(search.ordered.space.columns.kind, (TABLE, LADDER)).all():
        return
    search.restore_best()
    n_before = -1
    while search.n_taken > n_before:
        n_before = search.n_taken
        for scan, n_items in _quick_scans(search):
            if not _passed(search, scan, n_items):
                break
    search.keep_best()


def _quick_scans(search: LocalSearch) -> list[tuple[Scan, int]]:
    space, n_groups = search.ordered.space, len(search.state.groups)

    def closings(room: Move, begin: int, end: int) -> int:
        return int(all_closings(search.state, room, begin, end))

    def divisions(room: Move, begin: int, end: int) -> int:
        return int(all_divisions(space, search.state, room, begin, end))

    return [(closings, n_groups), (divisions, n_groups)]


def _scans(search: LocalSearch, ladders: Ladders) -> list[tuple[Scan, int]]:
    space, pulse = search.ordered.space, search.spread.watch.pulse()
    n_rows, n_parts = len(space.rows), len(search.state.parts)

    def shifts(room: Move, begin: int, end: int) -> int:
        return int(all_shifts(space, search.state, room, begin, end, pulse))

    def swaps(room: Move, begin: int, end: int) -> int:
        return int(all_swaps(space, search.state, room, begin, end, pulse))

    def openings(room: Move, begin: int, end: int) -> int:
        n_boxes = MOST_BOXES * max(end - begin, 50)
        return int(all_openings(space, search.state, room, *ladders, n_boxes, begin, end, pulse))

    return [
        *_quick_scans(search),
        (shifts, n_parts),
        (swaps, n_parts),
        (openings, n_rows),
    ]


def _passed(search: LocalSearch, scan: Scan, n_items: int) -> bool:
    """Look at all items, and make what is found; False if it cannot be done."""
    size = max(-(-n_items // CHUNKS), 1)
    open_runs = [(begin, min(begin + size, n_items)) for begin in range(0, n_items, size)]
    while open_runs:
        if search.spread.watch.is_stopped:
            return False
        now, open_runs = open_runs[:SLICES], open_runs[SLICES:]
        ends = np.zeros(len(now), dtype=np.int64)

        def work(chosen: Int64Array, now: list[tuple[int, int]] = now) -> None:
            for i in chosen:
                ends[i] = scan(search.rooms[i], *now[i])  # noqa: B023 - done before it changes

        search.spread(work, np.arange(len(now)), np.full(len(now), WORK))
        if (ends == GIVEN_UP).any():
            return False
        search.make(search.rooms[: len(now)])
        left = [(int(at), end) for at, (_, end) in zip(ends, now, strict=True) if at < end]
        open_runs = left + open_runs
    return True


def _ladders(space: Space) -> Ladders | None:
    """None where a column is a set, or has too many cells."""
    columns = space.columns
    if not np.isin(columns.kind, (TABLE, LADDER)).all():
        return None
    steps = np.zeros((len(columns), int(columns.n_codes.max()) + 1), dtype=np.int64)
    rungs: list[Int32Array] = []
    n_rungs = 0
    for i in range(len(columns)):
        cells = _cells_of(space, i)
        for code in range(columns.n_codes[i]):
            steps[i, code] = n_rungs
            covering = cells[(cells[:, 0] <= code) & (code <= cells[:, 1])]
            rungs.append(covering)
            n_rungs += len(covering)
            if n_rungs > MOST_RUNGS:
                return None
        steps[i, columns.n_codes[i] :] = n_rungs
    return Ladders(np.ascontiguousarray(np.concatenate(rungs), dtype=np.int32), steps)


def _cells_of(space: Space, i: int) -> Int32Array:
    """All different cells of a column, by rising cost."""
    begin, n = int(space.columns.begin[i]), int(space.columns.n_codes[i])
    end = int(space.columns.begin[i + 1]) if i + 1 < len(space.columns) else len(space.cells)
    block = space.cells[begin:end]
    if space.columns.kind[i] == TABLE:
        block = block[(np.arange(n)[:, None] <= np.arange(n)).ravel()]
    ends = np.stack([block["low"], block["high"]], axis=1)
    cells, first = np.unique(ends, axis=0, return_index=True)
    order = np.argsort(block["cost"][first], kind="stable")
    found: Int32Array = cells[order].astype(np.int32)
    return found
