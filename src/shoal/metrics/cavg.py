"""Normalised average group size (LeFevre et al. 2006)."""

from __future__ import annotations

from shoal.types.outcome import Outcome


def cavg(outcome: Outcome) -> float:
    """Average group size divided by k; 1 is optimal."""
    n_groups = outcome.stats.n_groups
    return outcome.n_released / (n_groups * outcome.k) if n_groups else 0.0
