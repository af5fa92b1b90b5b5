"""Single records of a table, what a set of them costs, and a grouping of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.kernels.boxes import group_boxes
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.grouping import Grouping
from shoal.types.sensitive import SensitiveColumn
from shoal.types.table import Table

CLOSE = 1e-12
ROWS = 500  # of a table of pairs that are looked at together
Widths = Callable[[Int32Array, Int32Array], FloatArray]  # of ranges of codes, low and high


@dataclass(frozen=True, eq=False)
class Records:
    """Records by themselves, each with its row of the table."""

    table: Table
    row_of: Int64Array

    @classmethod
    def of(cls, table: Table) -> Records:
        """All of them, in the order of the rows: sorted by quasi-identifiers."""
        return cls(table, np.repeat(np.arange(table.n_rows), table.weights))

    @cached_property
    def codes(self) -> Int32Array:
        """[columns, records]"""
        return np.ascontiguousarray(self.table.codes[self.row_of].T)

    @cached_property
    def sensitive(self) -> Int32Array:
        """[sensitive columns, records]"""
        return np.ascontiguousarray(self.table.sensitive[self.row_of].T)

    @property
    def n(self) -> int:
        return len(self.row_of)

    def grouping(self, labels: Int64Array, **trace: float) -> Grouping:
        """The clusters of single records, those of one row that share a cluster being one part."""
        n_groups = int(labels.max()) + 1
        pairs, counts = np.unique(self.row_of * n_groups + labels, return_counts=True)
        rows, groups = (pairs // n_groups).astype(np.int32), (pairs % n_groups).astype(np.int32)
        low, high = group_boxes(self.table.codes, rows, groups, n_groups)
        return Grouping(rows, counts.astype(np.int64), groups, low, high, trace=trace)


def shares_of_leaves(axis: Axis) -> Widths:
    """Q-diversity as it is printed: a single category costs 1 / all leaves, a number nothing."""
    return _widths(axis, lambda covered, level: (covered + 1) / max(len(axis.leaves), 1))


def heights(axis: Axis) -> Widths:
    """The height of the lowest common ancestor by that of the tree; width for numbers."""
    return _widths(axis, lambda covered, level: level)


def _widths(axis: Axis, of_node: Callable[[FloatArray, FloatArray], FloatArray]) -> Widths:
    if axis.on_a_line:
        places = axis.positions
        return lambda low, high: places[high] - places[low]
    n = len(axis.leaves)
    low, high = (side.ravel().astype(np.int32) for side in np.indices((n, n)))
    first, last = np.minimum(low, high), np.maximum(low, high)
    extent = axis.extent(first, last, n_distinct=last - first + 1)  # a set: all between
    costs = of_node(extent.covered, extent.relative_level).reshape(n, n)
    return lambda low, high: costs[low, high]


class Likeness:
    """What two values of a sensitive column add to S-diversity: 0 where further apart than r."""

    def __init__(self, column: SensitiveColumn, r: float) -> None:
        n, numbers = len(column.labels), column.measured[: len(column.labels)]
        self._reach, self._table, self._places = r + CLOSE, None, None
        if column.hierarchy is None and np.isfinite(numbers).all():
            span = float(numbers.max() - numbers.min()) or 1.0
            self._places = (numbers - numbers.min()) / span
        else:
            self._table = self._like(_distances(column, n))

    def to(self, value: int, others: Int32Array) -> FloatArray:
        """How alike a value and each of some others are."""
        if self._table is not None:
            found: FloatArray = self._table[value, others]
            return found
        assert self._places is not None
        return self._like(np.abs(self._places[others] - self._places[value]))

    def total(self, values: Int32Array) -> float:
        """Over all pairs of some values, each with itself included."""
        kinds, counts = np.unique(values, return_counts=True)
        if self._table is not None:
            return float(counts @ self._table[np.ix_(kinds, kinds)] @ counts)
        assert self._places is not None
        places, total = self._places[kinds], 0.0
        for start in range(0, len(kinds), ROWS):
            block = np.abs(places[start : start + ROWS, np.newaxis] - places)
            total += float(counts[start : start + ROWS] @ (self._like(block) @ counts))
        return total

    def _like(self, far: FloatArray) -> FloatArray:
        return np.where(far <= self._reach, 1 - far, 0.0)


def _distances(column: SensitiveColumn, n: int) -> FloatArray:
    """Of categories: leaves beyond the first under their common ancestor, by all leaves."""
    if column.hierarchy is None or column.leaves is None:
        return np.where(np.eye(n, dtype=bool), 0.0, 1 / n)
    leaves, given = column.leaves[:n].astype(np.int32), column.hierarchy.as_given
    one, other = np.meshgrid(leaves, leaves, indexing="ij")
    low, high = np.minimum(one, other).ravel(), np.maximum(one, other).ravel()
    below = np.stack([given.leaves_under(at) for at in range(given.height + 1)])
    levels = given.level_covering(low, high)
    far: FloatArray = (below[levels, low] - 1) / len(given.leaves)
    return far.reshape(n, n)
