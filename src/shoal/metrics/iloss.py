"""ILoss (Xiao and Tao 2006)."""

from __future__ import annotations

from shoal.metrics._cells import total_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.outcome import Judged


def iloss(judged: Judged) -> float:
    """Share of other values that a cell may stand for, added up over all cells."""
    return total_over_cells(judged, _excess)


def _excess(cell: Extent) -> FloatArray:
    return cell.covered / (cell.span + cell.unit)
