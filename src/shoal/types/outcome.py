"""What measures look at: a finished grouping, or a node that a search considers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from shoal.types.arrays import FloatArray, Int64Array
from shoal.types.extent import Extent
from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats
from shoal.types.table import Table

Cost = Callable[[Extent], FloatArray]  # of cells, by what they cover


class Judged(Protocol):
    """Something that measures can judge. Arrays may be of many nodes at once: [..., columns]."""

    @property
    def n_records(self) -> int: ...
    @property
    def n_suppressed(self) -> int: ...
    @property
    def sizes(self) -> Int64Array:
        """Of the groups that are released."""

    @property
    def weights(self) -> FloatArray:
        """Of the columns: what a search shall spare most. Finished releases weigh all alike."""

    def totals(self, cost: Cost) -> FloatArray:
        """For each column the cost of its cells, suppressed records having the root."""


class JudgedNode(Judged, Protocol):
    """A level for every column, and what becomes of the records at these levels."""

    @property
    def levels(self) -> Int64Array: ...
    @property
    def all_sizes(self) -> Int64Array:
        """Of all groups, those that will be suppressed too."""

    def entropies(self) -> FloatArray:
        """For each column, the bits that its generalisation hides, over all records."""

    def suppressed_values(self) -> Sequence[Int64Array]:
        """For each column, how many suppressed records have each of its generalised values."""


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """Groups, their counts, and how many records were suppressed, before grouping or by it."""

    table: Table
    grouping: Grouping
    stats: GroupStats
    n_suppressed: int
    k: int = 1  # the largest of the policy

    @property
    def sizes(self) -> Int64Array:
        """In records or, where people are known, in entries: what is released costs by these."""
        return self.stats.entries

    @property
    def n_released(self) -> int:
        return int(self.sizes.sum())

    @property
    def n_records(self) -> int:
        return self.n_released + self.n_suppressed

    @property
    def weights(self) -> FloatArray:
        return np.ones(len(self.table.axes))

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        """For each quasi-identifier, what the cells of the groups cover."""
        levels = self.grouping.levels
        return tuple(
            axis.extent(
                self.grouping.low[:, i],
                self.grouping.high[:, i],
                n_distinct=self._n_distinct(i),
                level=None if levels is None else levels[i],
            )
            for i, axis in enumerate(self.table.axes)
        )

    def totals(self, cost: Cost) -> FloatArray:
        return np.array(
            [
                np.dot(self.sizes, cost(extent)) + self.n_suppressed * cost(axis.root_extent())[0]
                for axis, extent in zip(self.table.axes, self.extents, strict=True)
            ]
        )

    def _n_distinct(self, i: int) -> np.ndarray | None:
        axis = self.table.axes[i]
        return self.stats.counts(axis.name).n_distinct if axis.publish == "set" else None
