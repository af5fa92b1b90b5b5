"""ILoss (Xiao and Tao 2006)."""

from __future__ import annotations

from shoal.metrics._cells import total_over_cells
from shoal.types.outcome import Outcome


def iloss(outcome: Outcome) -> float:
    """The share of other values that a cell may stand for, added up over all cells."""
    return total_over_cells(outcome, lambda cell: cell.covered / (cell.span + cell.unit))
