"""A finished grouping with everything that measures need to judge it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.types.column import Extent
from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats
from shoal.types.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """Groups, their counts, and how many records were suppressed, before grouping or by it."""

    table: Table
    grouping: Grouping
    stats: GroupStats
    n_suppressed: int
    k: int = 1  # the largest of the policy

    @property
    def n_released(self) -> int:
        return int(self.stats.sizes.sum())

    @property
    def n_records(self) -> int:
        return self.n_released + self.n_suppressed

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

    def _n_distinct(self, i: int) -> np.ndarray | None:
        axis = self.table.axes[i]
        return self.stats.counts(axis.name).n_distinct if axis.publish == "set" else None
