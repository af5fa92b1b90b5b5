"""What nodes cost: any metric, from the groups that fail and tables made once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.group.lattice._grid import Node
from shoal.group.lattice._rows import RollUp, Rows
from shoal.kernels.roll_up import total_over_rows
from shoal.types.arrays import BoolArray, FloatArray, Int64Array
from shoal.types.axis import Axis
from shoal.types.extent import Extent
from shoal.types.outcome import Cost
from shoal.types.table import Table


class Groups(NamedTuple):
    """The groups at a node: their records, a row of each, and which of them fail."""

    rows: Rows
    first: Int64Array
    sizes: Int64Array
    fails: BoolArray


class CostTable(NamedTuple):
    """What cells cost, for one way to count it."""

    totals: FloatArray  # [columns, levels] of all records, none of them suppressed
    root: FloatArray  # [columns] of one suppressed record
    begins: Int64Array  # [columns, levels] where the codes of a level begin in `rises`
    rises: FloatArray  # what suppressing a record with this code adds


class Judge:
    """Everything about the table that metrics need, whatever the node."""

    def __init__(self, table: Table, roll_up: RollUp, already_suppressed: int) -> None:
        self.axes = table.axes
        self.roll_up = roll_up
        self.already_suppressed = already_suppressed
        self.n_records = table.n_records + already_suppressed
        self.weights = np.array([axis.weight for axis in table.axes])
        self.n_levels = max(axis.height for axis in table.axes) + 1
        self._counts = [
            np.bincount(table.codes[:, i], weights=table.weights, minlength=axis.n_codes)
            for i, axis in enumerate(table.axes)
        ]
        self._cost_tables: dict[Cost, CostTable] = {}

    def cost_table(self, cost: Cost) -> CostTable:
        if cost not in self._cost_tables:
            self._cost_tables[cost] = self._make_cost_table(cost)
        return self._cost_tables[cost]

    @cached_property
    def entropies(self) -> FloatArray:
        """[columns, levels] the bits that a level hides, over all records."""
        bits = np.zeros((len(self.axes), self.n_levels))
        for i, counts in enumerate(self._counts):
            for level, codes in enumerate(self.roll_up.tables[i]):
                together = np.bincount(codes[: len(counts)], weights=counts, minlength=len(counts))
                own, whole = counts[counts > 0], together[codes[: len(counts)]][counts > 0]
                bits[i, level] = -float((own * np.log2(own / whole)).sum()) + 0.0
        return bits

    def n_values(self, column: int, level: int) -> int:
        """How many different values a column has at a level."""
        codes = self.roll_up.tables[column][level]
        counts = self._counts[column]
        return len(np.unique(codes[: len(counts)][counts > 0]))

    def unsuppressed(self, levels: Int64Array) -> NodeOutcome:
        """Nodes as they would be with nothing suppressed; levels [..., columns]."""
        return NodeOutcome(self, levels, None)

    def at(self, node: Node, groups: Groups) -> NodeOutcome:
        return NodeOutcome(self, np.array(node), groups)

    def _make_cost_table(self, cost: Cost) -> CostTable:
        totals = np.zeros((len(self.axes), self.n_levels))
        begins = np.zeros((len(self.axes), self.n_levels), dtype=np.int64)
        root = np.array([float(cost(axis.root_extent())[0]) for axis in self.axes])
        rises: list[FloatArray] = []
        n_entries = 0
        for i, axis in enumerate(self.axes):
            for level in range(axis.height + 1):
                costs = cost(_extents_of_codes(axis, level))
                begins[i, level] = n_entries
                totals[i, level] = np.dot(self._counts[i], costs)
                rises.append(root[i] - costs)
                n_entries += len(costs)
        totals += (self.already_suppressed * root)[:, np.newaxis]
        return CostTable(totals, root, begins, np.concatenate(rises))


def _extents_of_codes(axis: Axis, level: int) -> Extent:
    codes = np.arange(axis.n_codes, dtype=np.int32)
    return axis.extent(codes, codes, n_distinct=np.ones_like(codes), level=level)


@dataclass(frozen=True, eq=False)
class NodeOutcome:
    """A node, or many of them with nothing suppressed, as metrics look at it."""

    judge: Judge
    levels: Int64Array
    groups: Groups | None

    @property
    def n_records(self) -> int:
        return self.judge.n_records

    @property
    def weights(self) -> FloatArray:
        return self.judge.weights

    @cached_property
    def n_suppressed(self) -> int:
        failing = 0 if self.groups is None else self.groups.sizes[self.groups.fails].sum()
        return int(failing) + self.judge.already_suppressed

    @property
    def sizes(self) -> Int64Array:
        assert self.groups is not None
        return self.groups.sizes[~self.groups.fails]

    @property
    def all_sizes(self) -> Int64Array:
        assert self.groups is not None
        return self.groups.sizes

    def totals(self, cost: Cost) -> FloatArray:
        table = self.judge.cost_table(cost)
        columns = np.arange(len(self.judge.axes))
        totals = table.totals[columns, self.levels]
        if self.groups is None or not self.groups.fails.any():
            return totals
        failing = np.flatnonzero(self.groups.fails)
        rises: FloatArray = total_over_rows(
            self.groups.rows.keys, self.groups.first[failing], self.groups.sizes[failing],
            self.judge.roll_up.fields, table.begins[columns, self.levels], table.rises,
        )  # fmt: skip
        return totals + rises

    def entropies(self) -> FloatArray:
        return self.judge.entropies[np.arange(len(self.judge.axes)), self.levels]

    def suppressed_values(self) -> Sequence[Int64Array]:
        if self.groups is None:
            return [np.zeros(0, dtype=np.int64) for _ in self.judge.axes]
        failing = np.flatnonzero(self.groups.fails)
        rows, sizes = self.groups.first[failing], self.groups.sizes[failing]
        return [
            _added_up(self.judge.roll_up.codes(self.groups.rows, i, rows), sizes)
            for i in range(len(self.judge.axes))
        ]


def _added_up(codes: np.ndarray, sizes: Int64Array) -> Int64Array:
    """For each different code, the sum of its sizes."""
    _, place = np.unique(codes, return_inverse=True)
    return np.bincount(place, weights=sizes).astype(np.int64)
