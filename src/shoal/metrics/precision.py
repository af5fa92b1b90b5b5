"""Precision (Sweeney 2002), as a loss."""

from __future__ import annotations

from shoal.metrics._cells import mean_over_cells
from shoal.types.outcome import Outcome


def precision(outcome: Outcome) -> float:
    """How far up its hierarchy a cell was moved, on average; Sweeney's is 1 minus this."""
    return mean_over_cells(outcome, lambda cell: cell.relative_level)
