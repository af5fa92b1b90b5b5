"""Normalised certainty penalty (Xu et al. 2006)."""

from __future__ import annotations

import numpy as np

from shoal.metrics._cells import mean_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.column import Extent
from shoal.types.outcome import Outcome


def ncp(outcome: Outcome) -> float:
    """Leaves of a cell by leaves of its column, 0 where nothing was generalised, on average."""
    return mean_over_cells(outcome, _penalty)


def _penalty(cell: Extent) -> FloatArray:
    share = (cell.covered + cell.unit) / (cell.span + cell.unit)
    return np.where(cell.covered > 0, share, 0.0)
