"""Information loss of the clustering papers (Byun et al. 2007)."""

from __future__ import annotations

from shoal.metrics._cells import total_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.outcome import Judged


def il(judged: Judged) -> float:
    """Width or level of a generalised cell, as a share of the largest, added up over all cells."""
    return total_over_cells(judged, _diameter)


def _diameter(cell: Extent) -> FloatArray:
    return cell.share if cell.is_on_a_line else cell.relative_level
