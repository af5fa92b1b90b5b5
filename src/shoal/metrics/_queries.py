"""Counting queries: how they are drawn, what the table answers, and what the release lets estimate.

A query asks how many records have a value of a certain run of leaves in each of its columns. Leaves
of numbers are in the order of the numbers, so that runs are ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.kernels.queries import add_answers
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.outcome import Outcome

AT_ONCE = 4_000_000  # shares of cells that are kept at the same time


class Queries(NamedTuple):
    """`low` and `high` of each query in each of its columns: [queries, columns].

    On a line they are numbers, both included; elsewhere the first leaf and the one behind the last.
    """

    columns: tuple[int, ...]  # places among the quasi-identifiers
    low: FloatArray
    high: FloatArray

    def part(self, run: slice) -> Queries:
        return Queries(self.columns, self.low[run], self.high[run])


class Cells(NamedTuple):
    """The different cells of a column, and which of them each group has."""

    of_group: Int32Array
    low: Int32Array
    high: Int32Array
    groups: Int64Array  # one that has the cell


def draw(
    outcome: Outcome, columns: Sequence[int], share: float, n: int, rng: np.random.Generator
) -> Queries:
    """Random runs, each of the given share of its column."""
    ends = [_random_ends(outcome.table.axes[i], share, n, rng) for i in columns]
    low, high = (np.stack([end[side] for end in ends], axis=1) for side in (0, 1))
    return Queries(tuple(columns), low, high)


def _random_ends(
    axis: Axis, share: float, n: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    if not axis.on_a_line:
        width = max(1, round(share * len(axis.leaves)))
        low = rng.integers(0, max(1, len(axis.leaves) - width + 1), n).astype(np.float64)
        return low, low + width
    first, last = axis.domain
    if axis.is_whole:
        width = max(1, round(share * (last - first + 1)))
        low = np.floor(first + rng.random(n) * (last - first + 2 - width))
        return low, low + width - 1
    length = share * (last - first)
    low = first + rng.random(n) * (last - first - length)
    return low, low + length


def answers(outcome: Outcome, queries: Queries) -> FloatArray:
    """How many records of the table match each query."""
    table = outcome.table
    codes = [np.ascontiguousarray(table.codes[:, i]) for i in queries.columns]
    shares = [_Exact(table.axes[i]) for i in queries.columns]
    return _added_up(queries, shares, codes, table.weights.astype(np.float64))


def estimates(outcome: Outcome, queries: Queries) -> FloatArray:
    """The same from the cells, if all values that a cell may stand for are as likely."""
    cells = [_cells(outcome, i) for i in queries.columns]
    shares = [_spread(outcome, i, c) for i, c in zip(queries.columns, cells, strict=True)]
    return _added_up(queries, shares, [c.of_group for c in cells], outcome.sizes.astype(np.float64))


def _cells(outcome: Outcome, i: int) -> Cells:
    """The different boxes of a column; sets differ even where their ends are the same."""
    low, high = outcome.grouping.low[:, i], outcome.grouping.high[:, i]
    axis = outcome.table.axes[i]
    if axis.publish == "set" and outcome.grouping.levels is None:
        of_group = np.arange(len(low), dtype=np.int32)
        return Cells(of_group, low, high, of_group.astype(np.int64))
    keys = low.astype(np.int64) * (axis.missing_code + 1) + high
    _, groups, of_group = np.unique(keys, return_index=True, return_inverse=True)
    return Cells(of_group.astype(np.int32), low[groups], high[groups], groups)


def _spread(outcome: Outcome, i: int, cells: Cells) -> _Shares:
    axis, levels = outcome.table.axes[i], outcome.grouping.levels
    if axis.on_a_line and levels is None:
        return _OnALine(axis, cells)
    return _OverLeaves(axis, _leaves_of(outcome, i, cells))


def _leaves_of(outcome: Outcome, i: int, cells: Cells) -> list[Int64Array]:
    """The leaves that each cell may stand for, missing being the last."""
    axis, levels = outcome.table.axes[i], outcome.grouping.levels
    everything = np.arange(len(axis.leaves) + axis.has_missing)
    if axis.hierarchy is None:
        counts, hides = outcome.stats.counts(axis.name), outcome.hides_rare(i)
        is_root = hides | axis.mixes_missing(cells.low, cells.high)
        ends = zip(counts.starts, counts.starts[1:], is_root, strict=False)
        return [everything if root else counts.values[a:b].astype(np.int64) for a, b, root in ends]
    tree, last = axis.hierarchy, len(axis.leaves) - 1
    low, high = np.minimum(cells.low, last), np.minimum(cells.high, last)
    level = np.full(len(low), levels[i]) if levels else tree.level_covering(low, high)
    is_root = axis.mixes_missing(cells.low, cells.high) | (level == tree.height)
    runs = []
    for cell, (leaf, at) in enumerate(zip(low, level, strict=True)):
        if is_root[cell]:
            runs.append(everything)
        elif cells.low[cell] == axis.missing_code:
            runs.append(everything[:0] + axis.missing_code)
        else:
            runs.append(np.flatnonzero(tree.nodes[at] == tree.nodes[at, leaf]))
    return runs


class _Shares:
    """How much of each cell of a column lies in each query."""

    n_cells: int

    def __call__(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Of queries from low to high: [queries, cells]."""
        raise NotImplementedError


def _added_up(
    queries: Queries, shares: Sequence[_Shares], cells: Sequence[Int32Array], weights: FloatArray
) -> FloatArray:
    found = np.zeros(len(queries.low))
    n_cells = np.array([s.n_cells for s in shares], dtype=np.int64)
    step = max(1, AT_ONCE // int(n_cells.sum()))
    of_rows = np.stack(cells, axis=1).astype(np.int32)
    for begin in range(0, len(found), step):
        part = queries.part(slice(begin, begin + step))
        tables = [s(part.low[:, i], part.high[:, i]) for i, s in enumerate(shares)]
        starts = np.cumsum([0, *(t.size for t in tables)])[:-1].astype(np.int64)
        flat = np.concatenate([t.ravel() for t in tables])
        add_answers(flat, starts, n_cells, of_rows, weights, found[begin : begin + step])
    return found


class _Exact(_Shares):
    """Values as they are: in a query or not. Missing is in none."""

    def __init__(self, axis: Axis) -> None:
        self.n_cells = axis.missing_code + 1
        if axis.on_a_line:
            assert axis.numbers is not None
            self._marks = np.append(axis.numbers.astype(np.float64), np.nan)
        else:
            self._marks = np.append(np.arange(float(len(axis.leaves))), np.nan)
        self._last_counts = axis.on_a_line

    def __call__(self, low: FloatArray, high: FloatArray) -> FloatArray:
        below = self._marks <= high[:, None] if self._last_counts else self._marks < high[:, None]
        return np.asarray((self._marks >= low[:, None]) & below, dtype=np.float64)


class _OnALine(_Shares):
    """Ranges: how much of their width, or of their whole numbers, lies in a query."""

    def __init__(self, axis: Axis, cells: Cells) -> None:
        self.n_cells = len(cells.low)
        last = len(axis.leaves) - 1
        self._low, self._high = axis.ends(np.minimum(cells.low, last), np.minimum(cells.high, last))
        is_root = axis.mixes_missing(cells.low, cells.high)
        self._low = np.where(is_root, axis.domain[0], self._low)
        self._high = np.where(is_root, axis.domain[1], self._high)
        self._is_known = cells.low != axis.missing_code
        self._unit = 1.0 if axis.is_whole else 0.0

    def __call__(self, low: FloatArray, high: FloatArray) -> FloatArray:
        first, last = np.maximum(low[:, None], self._low), np.minimum(high[:, None], self._high)
        width = self._high - self._low + self._unit
        inside = np.where(
            width > 0, last - first + self._unit, 1.0
        )  # a number by itself is in or out
        share = inside / np.where(width > 0, width, 1.0)
        return np.where((first <= last) & self._is_known, share, 0.0)


class _OverLeaves(_Shares):
    """Nodes and sets: how many of their leaves lie in a query. The root has all, missing too."""

    def __init__(self, axis: Axis, leaves: Sequence[Int64Array]) -> None:
        self.n_cells = len(leaves)
        n_codes = axis.missing_code + 1
        sizes = np.array([max(len(run), 1) for run in leaves], dtype=np.float64)
        has = np.zeros((len(leaves), n_codes), dtype=np.float64)
        for cell, run in enumerate(leaves):
            has[cell, run] = 1.0
        self._below = np.concatenate([np.zeros((len(leaves), 1)), has.cumsum(axis=1)], axis=1)
        self._sizes = sizes

    def __call__(self, low: FloatArray, high: FloatArray) -> FloatArray:
        inside = self._below[:, high.astype(np.int64)] - self._below[:, low.astype(np.int64)]
        return np.ascontiguousarray(inside.T / self._sizes)
