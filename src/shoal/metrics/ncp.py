"""Normalised certainty penalty (Xu et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.metrics._cells import mean_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class Ncp(Metric[Judged]):
    """Share of its column's values that a cell may stand for, on average.

    >>> import polars as pl, shoal
    >>> jobs = shoal.tree({"care": ["nurse", "doctor"], "other": ["cook", "driver"]})
    >>> release = shoal.anonymize(pl.DataFrame({"job": ["cook", "driver", "nurse", "nurse"]}),
    ...                           quasi={"job": jobs}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame["job"].to_list()
    ['nurse', 'nurse', 'other', 'other']
    >>> print(release.measures["ncp"])  # 2 of 4 jobs in half of the cells
    0.25
    """

    place_in_summary = 2
    unit = "share of the values"

    def measure(self, judged: Judged) -> float:
        return mean_over_cells(judged, _penalty)


def _penalty(cell: Extent) -> FloatArray:
    share = (cell.covered + cell.unit) / (cell.span + cell.unit)
    return np.where(cell.covered > 0, share, 0.0)
