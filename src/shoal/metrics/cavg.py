"""Normalised average group size (LeFevre et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.metric import Metric
from shoal.types.outcome import Outcome


@dataclass(frozen=True)
class Cavg(Metric[Outcome]):
    """Average group size divided by k; 1 is optimal."""

    needs = ("release",)
    place_in_summary = 6

    def measure(self, outcome: Outcome) -> float:
        n_groups = outcome.stats.n_groups
        return outcome.n_released / (n_groups * outcome.k) if n_groups else 0.0
