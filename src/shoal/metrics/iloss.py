"""ILoss (Xiao and Tao 2006)."""

from __future__ import annotations

from shoal.metrics._cells import total_over_cells
from shoal.types.outcome import Outcome


def iloss(outcome: Outcome) -> float:
    """Leaves that a cell covers beyond its own, by the leaves of its column, in total."""
    return total_over_cells(outcome, lambda cell: cell.covered / (cell.span + cell.unit))
