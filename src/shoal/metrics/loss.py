"""Loss."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.metrics._cells import mean_over_cells, share
from shoal.types.metric import Metric
from shoal.types.outcome import Judged, Outcome


@dataclass(frozen=True)
class Loss(Metric[Judged]):
    """Detail that a cell lost, from 0 (none) to 1 (all), on average (Iyengar 2002).

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [20, 25, 50, 60]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.frame["age"].to_list()
    ['[20, 25]', '[20, 25]', '[50, 60]', '[50, 60]']
    >>> print(release.measures["loss"])  # 5, 5, 10 and 10 of 40 years, on average
    0.1875
    """

    bound = "levels"
    place_in_summary = 1
    unit = "share of the detail"

    def measure(self, judged: Judged) -> float:
        return mean_over_cells(judged, share)


def loss_by_column(outcome: Outcome) -> dict[str, float]:
    """The mean loss of each quasi-identifier."""
    means = outcome.totals(share) / outcome.n_records
    return {axis.name: float(mean) for axis, mean in zip(outcome.table.axes, means, strict=True)}
