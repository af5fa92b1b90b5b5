"""Loss."""

from __future__ import annotations

from shoal.metrics._cells import mean_over_cells, share
from shoal.types.outcome import Judged, Outcome


def loss(judged: Judged) -> float:
    """Detail that a cell lost, from 0 (none) to 1 (all), on average (Iyengar 2002)."""
    return mean_over_cells(judged, share)


def loss_by_column(outcome: Outcome) -> dict[str, float]:
    """The mean loss of each quasi-identifier."""
    means = outcome.totals(share) / outcome.n_records
    return {axis.name: float(mean) for axis, mean in zip(outcome.table.axes, means, strict=True)}
