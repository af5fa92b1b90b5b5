"""ILoss (Xiao and Tao 2006)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.metrics._cells import total_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class Iloss(Metric[Judged]):
    """Share of other values that a cell may stand for, added up over all cells."""

    bound = "levels"
    place_in_summary = 4

    def measure(self, judged: Judged) -> float:
        return total_over_cells(judged, _excess)


def _excess(cell: Extent) -> FloatArray:
    return cell.covered / (cell.span + cell.unit)
