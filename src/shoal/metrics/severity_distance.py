"""How far the severity of groups is from that of the table (Kayem and Meinel)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.errors import BadOption
from shoal.metrics._sensitive import refuse_sensitive, sensitive_column
from shoal.types.arrays import FloatArray
from shoal.types.metric import Metric, refuse_without
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec
from shoal.types.value_distances import severity_distances


@dataclass(frozen=True)
class SeverityDistance(Metric[Outcome]):
    """How far the mean severity of a group is from that of the table, on average over records.

    With x the ratio of the two, a group is x ln x - x + 1 away: 0 where they are equal.
    `column` is the sensitive one.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "gout", "flu"]})
    >>> release = shoal.anonymize(patients, quasi=["age"],
    ...                           sensitive={"ill": shoal.severity({"flu": 2, "gout": 6})},
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.measure("severity-distance")  # the mean severity of both groups is 4
    0.0
    """

    column: str | None = None
    needs = ("release", "severity")
    unit = "distance"

    def refuse(self, columns: Mapping[str, ColumnSpec]) -> None:
        refuse_without(self.needs, columns)
        refuse_sensitive(self.column, columns, graded=True)

    def measure(self, outcome: Outcome) -> float:
        column = sensitive_column(outcome, "severity-distance", self.column)
        severity = required_severity(column.severity, column.name, "severity-distance")
        found, n = outcome.stats.counts(column.name), outcome.table.totals[column.name]
        if not outcome.stats.n_groups:
            return 0.0
        of_groups = severity_distances(severity, found, n / n.sum())
        return float(np.average(of_groups, weights=found.sizes))


def required_severity(severity: FloatArray | None, column: str, measure: str) -> FloatArray:
    if severity is None:
        raise BadOption(f"{measure} needs severities: give {column!r} a `severity` in the policy.")
    return severity
