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
    """Share of other values that a cell may stand for, added up over all cells.

    >>> import polars as pl, shoal
    >>> jobs = shoal.tree({"care": ["nurse", "doctor"], "other": ["cook", "driver"]})
    >>> release = shoal.anonymize(pl.DataFrame({"job": ["cook", "driver", "nurse", "nurse"]}),
    ...                           quasi={"job": jobs}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame["job"].to_list()
    ['nurse', 'nurse', 'other', 'other']
    >>> print(release.measures["iloss"])  # 1 of 4 jobs too many in each of two cells
    0.5
    """

    bound = "levels"
    place_in_summary = 4
    unit = "cells"

    def measure(self, judged: Judged) -> float:
        return total_over_cells(judged, _excess)


def _excess(cell: Extent) -> FloatArray:
    return cell.covered / (cell.span + cell.unit)
