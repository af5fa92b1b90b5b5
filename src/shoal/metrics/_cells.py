"""Adding a cost up over all cells of a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.types.column import Extent
from shoal.types.outcome import Outcome

Cost = Callable[[Extent], FloatArray]


def total_by_column(outcome: Outcome, cost: Cost) -> dict[str, float]:
    """For each quasi-identifier, the cost of its cells, suppressed records included."""
    return {
        axis.name: float(np.dot(outcome.stats.sizes, cost(extent)))
        + outcome.n_suppressed * float(cost(axis.root_extent())[0])
        for axis, extent in zip(outcome.table.axes, outcome.extents, strict=True)
    }


def total_over_cells(outcome: Outcome, cost: Cost) -> float:
    return sum(total_by_column(outcome, cost).values())


def mean_over_cells(outcome: Outcome, cost: Cost) -> float:
    return total_over_cells(outcome, cost) / (outcome.n_records * len(outcome.table.axes))
