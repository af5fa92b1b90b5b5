"""A quasi-identifier as a side of a box: its leaves in order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array, NumberArray
from shoal.types.column import Kind, Publish
from shoal.types.extent import Extent
from shoal.types.grid import Grid
from shoal.types.hierarchy import Hierarchy

BEYOND = 2.0  # where missing lies on a line from 0 to 1: mixed with values, wider than any other


@dataclass(frozen=True, eq=False, repr=False)
class Axis:
    """The ordered leaves of a quasi-identifier: what a side of a box is measured on.

    A missing value is a leaf of its own after all others, directly under the root.
    """

    name: str
    kind: Kind
    leaves: tuple[str, ...]
    numbers: NumberArray | None
    hierarchy: Hierarchy | None
    publish: Publish
    has_missing: bool
    weight: float = 1.0
    domain: tuple[float, float] = (0.0, 0.0)  # smallest and largest number of the input
    grid: Grid | None = None  # where ranges end, or what means are rounded to; None: anywhere
    lists_rare: bool = False  # sets may list values that few people have
    first_rare: int | None = None  # where the codes of values begin that sets of the table hide

    @property
    def missing_code(self) -> int:
        return len(self.leaves)

    @property
    def n_codes(self) -> int:
        return len(self.leaves) + self.has_missing

    @property
    def on_a_line(self) -> bool:
        """Whether a cell is measured by its width rather than by its leaves."""
        return self.publish in ("range", "mean", "median")

    @property
    def is_whole(self) -> bool:
        """Whether its numbers are whole, so that a range has a number of them."""
        return self.kind in ("integer", "date", "datetime", "time")

    @property
    def height(self) -> int:
        """The highest level; without a hierarchy there are the leaves alone."""
        return self.hierarchy.height if self.hierarchy is not None else 0

    @property
    def ranges_on_grid(self) -> bool:
        return self.publish == "range" and self.grid is not None

    @cached_property
    def bins(self) -> Int64Array:
        """The bin of the grid that each leaf is in."""
        assert self.grid is not None
        assert self.numbers is not None
        return self.grid.bins(self.numbers)

    def nodes_at(self, level: int) -> Int32Array:
        """The node above each code at a level, missing being the last code; nodes ascend."""
        if self.hierarchy is not None:
            return self.hierarchy.nodes_at(level)
        return np.arange(len(self.leaves) + 1, dtype=np.int32)

    @cached_property
    def positions(self) -> FloatArray:
        """Where each leaf lies in [0, 1], so that widths of columns compare.

        Missing lies beyond: a box that mixes it with values is wider than any that does not.
        """
        if self.on_a_line and self.numbers is not None:
            marks, first, last = self._halves, self.domain[0] / 2, self.domain[1] / 2
        else:
            marks, first, last = np.arange(float(len(self.leaves))), 0, len(self.leaves) - 1
        values = (marks - first) / (last - first) if last > first else np.zeros(len(marks))
        if self.first_rare is not None:  # mixed with others they are the root, as missing is
            values[self.first_rare :] = BEYOND
            return np.append(values, 2 * BEYOND).astype(np.float64)
        return np.append(values, BEYOND).astype(np.float64)

    @cached_property
    def _halves(self) -> FloatArray:
        """Half of each number: the distance of two of them never overflows, shares are the same."""
        assert self.numbers is not None
        return self.numbers.astype(np.float64) / 2

    @cached_property
    def _half_ends(self) -> tuple[FloatArray, FloatArray]:
        """Half of where the bin of each leaf begins and ends."""
        assert self.grid is not None
        bins, of_leaf = np.unique(self.bins, return_inverse=True)
        first = np.array([self.grid.edge(b) / 2 for b in bins.tolist()])
        last = np.array([self.grid.last(b) / 2 for b in bins.tolist()])
        return first[of_leaf], last[of_leaf]

    @property
    def first_hidden(self) -> int:
        """The first code that a set does not list with others: a rare value's, or missing."""
        return self.missing_code if self.first_rare is None else self.first_rare

    def mixes_missing(self, low: Int32Array, high: Int32Array) -> BoolArray:
        return np.asarray((high == self.missing_code) & (low != high))

    def extent(
        self,
        low: Int32Array,
        high: Int32Array,
        *,
        n_distinct: Int32Array | None = None,
        level: int | None = None,
    ) -> Extent:
        """What the cells of the boxes low..high cover; `level` fixes it for full-domain ones.

        `n_distinct`, the number of different values in each box, is needed by set columns only.
        """
        # Where missing is among the values, any leaf will do: the result is overruled below.
        inside = np.minimum(high, len(self.leaves) - 1)
        start = np.minimum(low, inside)
        if self.hierarchy is not None and (level is not None or self.publish == "node"):
            extent = self._node_extent(start, inside, level)
        elif self.on_a_line:
            extent = self._line_extent(start, inside)
        else:
            assert n_distinct is not None
            extent = _flat_extent(
                n_distinct.astype(np.float64) - 1.0, span=len(self.leaves) - 1.0, unit=1.0
            )
        is_root = self.hierarchy is not None and level == self.hierarchy.height
        is_mixed = self.mixes_missing(low, high) | is_root
        is_free = (low == self.missing_code) & ~is_mixed | (self.n_codes <= 1)
        return extent._replace(
            covered=np.where(is_free, 0.0, np.where(is_mixed, extent.span, extent.covered)),
            level=np.where(is_free, 0.0, np.where(is_mixed, extent.height, extent.level)),
        )

    def root_extent(self) -> Extent:
        """What a suppressed record's cell covers; a column of one value loses nothing."""
        code = np.zeros(1, dtype=np.int32)
        one = self.extent(code, code, n_distinct=code + 1)
        if self.n_codes <= 1:
            return one
        whole, top = np.array([one.span]), np.array([float(one.height)])
        return one._replace(covered=whole, level=top)

    def _node_extent(self, low: Int32Array, high: Int32Array, level: int | None) -> Extent:
        tree = self.hierarchy
        assert tree is not None
        given = tree.as_given
        heights = (
            given.level_covering(low, high)
            if level is None
            else tree.heights[level][tree.nodes[level][low]]
        )
        covered = np.zeros(low.shape, dtype=np.float64)
        for at in range(given.height + 1):
            here = heights == at
            covered[here] = given.leaf_counts[at][given.nodes[at][low[here]]] - 1.0
        span = max(len(tree.leaves) - 1.0, 1.0)
        return Extent(covered, span, 1.0, heights.astype(np.float64), max(given.height, 1))

    def _line_extent(self, low: Int32Array, high: Int32Array) -> Extent:
        span = self.domain[1] / 2 - self.domain[0] / 2
        first, last = self._half_ends if self.ranges_on_grid else (self._halves, self._halves)
        width = last[high] - first[low]
        return _flat_extent(np.minimum(width, span), span=span, unit=0.0)

    def ends(self, low: Int32Array, high: Int32Array) -> tuple[FloatArray, FloatArray]:
        """Where the ranges that are published for boxes begin and end."""
        first, last = self._half_ends if self.ranges_on_grid else (self._halves, self._halves)
        return first[low] * 2, last[high] * 2


def _flat_extent(covered: FloatArray, *, span: float, unit: float) -> Extent:
    """Without a hierarchy a cell is a leaf or the root. A span of nothing divides as one."""
    is_general = (covered > 0).astype(np.float64)
    return Extent(covered, span if span > 0 else 1.0, unit, level=is_general, height=1)
