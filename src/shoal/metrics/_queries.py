"""Queries: how they are drawn, what the table answers, and what the release lets estimate.

A query has a condition on each of its columns: runs of leaves, or of numbers on a line. Leaves of
numbers are in the order of the numbers, so that runs are ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.kernels.queries import add_answers
from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.outcome import Outcome, Shown

AT_ONCE = 4_000_000  # shares of cells that are kept at the same time


class Conditions(NamedTuple):
    """Conditions on one column, each of some runs from `low` to `high`.

    On a line these are numbers, both included; elsewhere the first leaf and the one behind the
    last. The runs of a condition begin at its place in `starts`; one that is `any` has none.
    """

    low: FloatArray
    high: FloatArray
    starts: Int64Array
    is_any: BoolArray

    @classmethod
    def of_runs(cls, low: FloatArray, high: FloatArray) -> Conditions:
        """Of one run each."""
        n = len(low)
        return cls(low, high, np.arange(n + 1), np.zeros(n, dtype=np.bool_))

    def some(self, chosen: Int64Array) -> Conditions:
        sizes = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(sizes))
        runs = np.repeat(self.starts[chosen] - starts[:-1], sizes) + np.arange(starts[-1])
        return Conditions(self.low[runs], self.high[runs], starts, self.is_any[chosen])

    def met(self, of_runs: FloatArray) -> FloatArray:
        """From how much of each cell lies in each run: [conditions, cells]."""
        sizes = np.diff(self.starts)
        found = np.ones((len(sizes), of_runs.shape[1]))
        found[~self.is_any] = 0.0
        if len(of_runs):
            has_runs = sizes > 0
            found[has_runs] = np.add.reduceat(of_runs, self.starts[:-1][has_runs])
        return found


class Queries(NamedTuple):
    """Queries about some columns: `picked[q, c]` is the condition of a query on a column."""

    columns: tuple[int, ...]  # places among the quasi-identifiers
    conditions: tuple[Conditions, ...]
    picked: Int32Array

    @property
    def n(self) -> int:
        return len(self.picked)

    def some(self, chosen: BoolArray | slice) -> Queries:
        return self._replace(picked=self.picked[chosen])


def draw(
    outcome: Outcome, columns: Sequence[int], share: float, n: int, rng: np.random.Generator
) -> Queries:
    """Random runs, each of the given share of its column."""
    ends = [_random_ends(outcome.table.axes[i], share, n, rng) for i in columns]
    conditions = tuple(Conditions.of_runs(*both) for both in ends)
    picked = np.repeat(np.arange(n, dtype=np.int32)[:, None], len(columns), axis=1)
    return Queries(tuple(columns), conditions, picked)


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


def answers(outcome: Outcome, queries: Queries, of_rows: FloatArray | None = None) -> FloatArray:
    """How many records of the table match each query, or what they add up to.

    `of_rows` is what each row of the table adds.
    """
    table = outcome.table
    codes = [np.ascontiguousarray(table.codes[:, i]) for i in queries.columns]
    shares = [_Exact(table.axes[i]) for i in queries.columns]
    weights = table.weights.astype(np.float64) if of_rows is None else of_rows
    return _added_up(queries, shares, codes, weights)


def estimates(
    outcome: Outcome, queries: Queries, of_groups: FloatArray | None = None
) -> FloatArray:
    """The same from the cells, if all values that a cell may stand for are as likely."""
    cells = [outcome.shown(i) for i in queries.columns]
    axes = [outcome.table.axes[i] for i in queries.columns]
    shares = [_spread(axis, shown) for axis, shown in zip(axes, cells, strict=True)]
    weights = outcome.sizes.astype(np.float64) if of_groups is None else of_groups
    return _added_up(queries, shares, [shown.of_group for shown in cells], weights)


def _spread(axis: Axis, shown: Shown) -> _Shares:
    if shown.leaves is None:
        return _OnALine(axis, shown)
    return _OverLeaves(axis, shown.leaves)


class _Shares:
    """How much of each cell of a column lies in each run of a condition."""

    n_cells: int

    def __call__(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Of runs from low to high: [runs, cells]."""
        raise NotImplementedError


def _added_up(
    queries: Queries, shares: Sequence[_Shares], cells: Sequence[Int32Array], weights: FloatArray
) -> FloatArray:
    found = np.zeros(queries.n)
    n_cells = np.array([s.n_cells for s in shares], dtype=np.int64)
    step = max(1, AT_ONCE // int(n_cells.sum()))
    of_rows = np.stack(cells, axis=1).astype(np.int32)
    for begin in range(0, queries.n, step):
        part = queries.some(slice(begin, begin + step))
        tables, picked = [], np.empty_like(part.picked)
        for c, (share, conditions) in enumerate(zip(shares, queries.conditions, strict=True)):
            used, picked[:, c] = np.unique(part.picked[:, c], return_inverse=True)
            asked = conditions.some(used.astype(np.int64))
            tables.append(asked.met(share(asked.low, asked.high)))
        starts = np.cumsum([0, *(t.size for t in tables)])[:-1].astype(np.int64)
        flat = np.concatenate([t.ravel() for t in tables])
        add_answers(flat, starts, n_cells, picked, of_rows, weights, found[begin : begin + step])
    return found


class _Exact(_Shares):
    """Values as they are: in a run or not. Missing is in none."""

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
    """Ranges: how much of their width, or of their whole numbers, lies in a run."""

    def __init__(self, axis: Axis, shown: Shown) -> None:
        self.n_cells = shown.n
        self._low, self._high = shown.low, shown.high
        self._unit = 1.0 if axis.is_whole else 0.0

    def __call__(self, low: FloatArray, high: FloatArray) -> FloatArray:
        first, last = np.maximum(low[:, None], self._low), np.minimum(high[:, None], self._high)
        width = self._high - self._low + self._unit
        # A number by itself is in or out.
        inside = np.where(width > 0, last - first + self._unit, 1.0)
        share = inside / np.where(width > 0, width, 1.0)
        return np.where(first <= last, share, 0.0)  # not where the cell is missing


class _OverLeaves(_Shares):
    """Nodes and sets: how many of their leaves lie in a run. The root has all, missing too."""

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
