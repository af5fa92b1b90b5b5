"""What is known about every node: it holds, it fails, or it cannot be the best.

The literature calls this predictive tagging.
"""

from __future__ import annotations

import numpy as np

from shoal.group.lattice._checker import Check, Checker
from shoal.group.lattice._grid import Node
from shoal.types.arrays import BoolArray, FloatArray, Int64Array

AT_ONCE = 1 << 16  # nodes whose floors are computed together


class Chart:
    """Nodes as an array. A check tells about all nodes above or below, which are slices of it."""

    def __init__(self, checker: Checker) -> None:
        self.grid = checker.grid
        self.floor = self._floors(checker)
        self.holds = np.zeros(self.grid.shape, dtype=np.bool_)
        self.fails = np.zeros(self.grid.shape, dtype=np.bool_)
        self.is_checked = np.zeros(self.grid.shape, dtype=np.bool_)

    def note(self, check: Check) -> None:
        """Record what a check shows about its node and those above and below."""
        above, below = self.grid.from_(check.node), self.grid.up_to(check.node)
        place = self.grid.place(check.node)
        self.is_checked[place] = True
        if check.holds:
            self.holds[above if check.holds_above else place] = True
        else:
            self.fails[place] = True
        if check.fails_below:
            self.fails[below] = True
        if check.floor > 0:
            self.floor[above] = np.maximum(self.floor[above], check.floor)

    def is_open(self, node: Node) -> bool:
        """Whether it is not known if a node holds."""
        place = self.grid.place(node)
        return not (self.holds[place] or self.fails[place])

    def floor_of(self, node: Node) -> float:
        return float(self.floor[self.grid.place(node)])

    def unchecked(self) -> BoolArray:
        """Flat: the nodes that may hold and whose cost is not known."""
        return ~(self.fails | self.is_checked).ravel()

    def by_floor(self, chosen: BoolArray) -> Int64Array:
        """The flat places of the chosen nodes by rising lower bound, equal ones in their order."""
        flat = np.flatnonzero(chosen)
        return flat[np.argsort(self.floor.ravel()[flat], kind="stable")]

    def minimal(self) -> BoolArray:
        """Nodes that hold while none of those just below does."""
        result = self.holds.copy()
        for axis in range(self.holds.ndim):
            upper = [slice(None)] * self.holds.ndim
            lower = list(upper)
            upper[axis], lower[axis] = slice(1, None), slice(None, -1)
            result[tuple(upper)] &= ~self.holds[tuple(lower)]
        return result

    def _floors(self, checker: Checker) -> FloatArray:
        flat = np.arange(self.grid.n_nodes)
        parts = [
            checker.floors(self.grid.levels(flat[start : start + AT_ONCE]))
            for start in range(0, len(flat), AT_ONCE)
        ]
        return np.concatenate(parts).reshape(self.grid.shape)
