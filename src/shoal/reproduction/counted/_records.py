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


def likeness_of(column: SensitiveColumn, r: float) -> Callable[[int], FloatArray]:
    """What a value adds to S-diversity with every other one: 0 where they are further than r."""
    distance = _distances(column)

    def to(value: int) -> FloatArray:
        far = distance(value)
        return np.where(far <= r + CLOSE, 1 - far, 0.0)

    return to


def _distances(column: SensitiveColumn) -> Callable[[int], FloatArray]:
    n, tree, numbers = len(column.labels), column.hierarchy, column.measured[: len(column.labels)]
    if tree is not None and column.leaves is not None:
        leaves, given = column.leaves[:n].astype(np.int32), tree.as_given
        one, other = np.meshgrid(leaves, leaves, indexing="ij")
        low, high = np.minimum(one, other).ravel(), np.maximum(one, other).ravel()
        levels = given.level_covering(low, high)
        below = np.stack([given.leaves_under(at) for at in range(given.height + 1)])
        far = ((below[levels, low] - 1) / len(given.leaves)).reshape(n, n)
        return lambda value: far[value]
    if np.isfinite(numbers).all():
        span = float(numbers.max() - numbers.min()) or 1.0
        return lambda value: np.abs(numbers - numbers[value]) / span
    return lambda value: np.where(np.arange(n) == value, 0.0, 1 / n)
