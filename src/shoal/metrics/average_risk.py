"""The chance that somebody in a release is found, on average over its records."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.metric import Metric
from shoal.types.outcome import Outcome


@dataclass(frozen=True)
class AverageRisk(Metric[Outcome]):
    """Chance of picking the right record among those that look alike, on average.

    Of somebody who is known to be in the release. Suppressed records are in no group.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [20, 25, 50, 60, 65]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.measure("average-risk")  # groups of 2 and 3 records
    0.4
    """

    needs = ("release",)
    unit = "chance, 0 to 1"

    def measure(self, outcome: Outcome) -> float:
        n_groups = outcome.stats.n_groups
        return n_groups / int(outcome.stats.sizes.sum()) if n_groups else 0.0
