"""What t-clustering says of its result: the paper's figures, and how close values really are."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.group.cluster._severity import Severity, severities_of
from shoal.group.parts.stats import stats_of_grouping
from shoal.metrics.loss import Loss
from shoal.types.algorithm import Limits
from shoal.types.arrays import FloatArray
from shoal.types.grouping import Grouping
from shoal.types.outcome import Outcome
from shoal.types.sensitive import SensitiveColumn
from shoal.types.stats import GroupStats
from shoal.types.table import Table
from shoal.types.value_distances import Distance, distances


def figures_of(grouping: Grouping, table: Table, limits: Limits) -> dict[str, Any]:
    """All from the groups: information loss, and for each sensitive column what it is about."""
    stats = stats_of_grouping(table, grouping)
    n_suppressed = limits.already_suppressed + grouping.n_suppressed
    share = Loss().measure(Outcome(table, grouping, stats, n_suppressed))
    n_cells = (table.n_records + limits.already_suppressed) * len(table.axes)
    figures: dict[str, Any] = {
        "information_loss_percent": 100 * share,
        "information_loss_literal": n_cells * share,  # the paper's sum over all cells
        "columns": {},
    }
    severities = {severity.name: severity for severity in severities_of(table)}
    for column in table.sensitive_columns:
        n_records = table.totals[column.name]
        shares = n_records / n_records.sum()
        of_column: dict[str, Any] = {"earth_movers_distance": _furthest(column, stats, shares)}
        if column.name in severities:
            of_column |= _of_severity(severities[column.name], stats, 100 * share, n_cells * share)
        figures["columns"][column.name] = of_column
    return figures


def _furthest(column: SensitiveColumn, stats: GroupStats, shares: FloatArray) -> dict[str, float]:
    """How far the furthest group is, by every distance that makes sense of the column."""
    kinds: dict[Distance, bool] = {
        "equal": True,
        "ordered": not np.isnan(column.measured).any() and column.n_codes > 1,
        "hierarchical": column.hierarchy is not None,
    }
    found = stats.counts(column.name)
    return {
        kind: float(distances(kind, column, found, shares).max(initial=0.0))
        for kind, makes_sense in kinds.items()
        if makes_sense
    }


def _of_severity(
    severity: Severity, stats: GroupStats, percent: float, total: float
) -> dict[str, float | None]:
    """Balance as we measure it, and what the paper's formulas literally give."""
    means = severity.means(stats)
    ratios = severity.relative(means)
    logarithms = np.log(np.where(ratios > 0, ratios, 1.0))
    n_released = max(int(stats.sizes.sum()), 1)
    excess = severity.excess(stats)
    return {
        "mean_severity": severity.mean,
        "severity_distance": float(np.dot(stats.sizes, excess)) / n_released,
        "worst_phi": float(excess.max(initial=0.0)),
        "distance_literal": float(np.dot(means, logarithms)),
        "fitness": _fitness(severity.mean, percent),
        "fitness_literal": _fitness(severity.mean, total),
    }


def _fitness(mean: float, information_loss: float) -> float | None:
    largest = max(mean, information_loss)
    return 1 / largest if largest > 0 else None
