"""Precision (Sweeney 2002), as a loss."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.metrics._cells import mean_over_cells
from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class Precision(Metric[Judged]):
    """How far up its hierarchy a cell was generalised, on average; Sweeney's is 1 minus this.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [21, 27, 44, 52]}),
    ...                           quasi={"age": shoal.intervals(20, 40, 80)},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
    >>> print(release.measures["precision"])  # level 1 of 4
    0.25
    """

    bound = "levels"
    place_in_summary = 7
    unit = "share of the height"

    def measure(self, judged: Judged) -> float:
        return mean_over_cells(judged, _relative_level)


def _relative_level(cell: Extent) -> FloatArray:
    return cell.relative_level
