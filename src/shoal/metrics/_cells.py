"""Adding a cost up over all cells of a table."""

from __future__ import annotations

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.outcome import Cost, Judged


def share(cell: Extent) -> FloatArray:
    return cell.share


def total_over_cells(judged: Judged, cost: Cost) -> float:
    """Weighted by column; an array where many nodes are judged at once."""
    total: float = np.dot(judged.totals(cost), judged.weights)
    return total


def mean_over_cells(judged: Judged, cost: Cost) -> float:
    total: float = total_over_cells(judged, cost) / (judged.n_records * judged.weights.sum())
    return total
