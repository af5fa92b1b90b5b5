"""Loss."""

from __future__ import annotations

from shoal.metrics._cells import mean_over_cells, total_by_column
from shoal.types.outcome import Outcome


def loss(outcome: Outcome) -> float:
    """How much detail a cell lost, from 0 (none) to 1 (all), on average (Iyengar 2002)."""
    return mean_over_cells(outcome, lambda cell: cell.share)


def loss_by_column(outcome: Outcome) -> dict[str, float]:
    """The mean loss of each quasi-identifier."""
    totals = total_by_column(outcome, lambda cell: cell.share)
    return {name: total / outcome.n_records for name, total in totals.items()}
