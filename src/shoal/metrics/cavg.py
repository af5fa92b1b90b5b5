"""Normalised average group size (LeFevre et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.metric import Metric
from shoal.types.outcome import Outcome


@dataclass(frozen=True)
class Cavg(Metric[Outcome]):
    """Average group size divided by k; 1 is optimal.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [20, 25, 50, 60, 65]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.measures["cavg"]  # 5 records in 2 groups, where k is 2
    1.25
    """

    needs = ("release",)
    place_in_summary = 6
    unit = "times k"

    def measure(self, outcome: Outcome) -> float:
        n_groups = outcome.stats.n_groups
        return outcome.n_released / (n_groups * outcome.k) if n_groups else 0.0
