"""Information loss of the clustering papers (Byun et al. 2007)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.metrics._cells import total_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class Il(Metric[Judged]):
    """Width or height of a generalised cell, as a share of the largest, added up over all cells.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [20, 25, 50, 60]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.frame["age"].to_list()
    ['[20, 25]', '[20, 25]', '[50, 60]', '[50, 60]']
    >>> print(release.measures["il"])  # 5, 5, 10 and 10 of 40 years, added up
    0.75
    """

    place_in_summary = 3
    unit = "cells"

    def measure(self, judged: Judged) -> float:
        return total_over_cells(judged, _diameter)


def _diameter(cell: Extent) -> FloatArray:
    return cell.share if cell.is_on_a_line else cell.relative_level
