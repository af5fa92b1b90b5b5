"""The fitness of a clustering by its severity and its loss (Kayem and Meinel)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.metrics._sensitive import refuse_sensitive, sensitive_column
from shoal.metrics.loss import Loss
from shoal.metrics.severity_distance import required_severity
from shoal.types.metric import Metric, refuse_without
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec


@dataclass(frozen=True)
class Fitness(Metric[Outcome]):
    """1 / the larger of the mean severity of the table and the percentage of detail lost.

    Higher is better. A release whose loss in per cent is below the mean severity has the highest
    fitness that the table allows. `column` is the sensitive one.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 21, 44, 44], "ill": ["flu", "gout", "gout", "flu"]})
    >>> release = shoal.anonymize(patients, quasi=["age"],
    ...                           sensitive={"ill": shoal.severity({"flu": 2, "gout": 6})},
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.measure("fitness")  # nothing is lost, and the mean severity is 4
    0.25
    """

    column: str | None = None
    needs = ("release", "severity")
    unit = "1 / per cent"

    @property
    def lower_is_better(self) -> bool:
        return False

    def refuse(self, columns: Mapping[str, ColumnSpec]) -> None:
        refuse_without(self.needs, columns)
        refuse_sensitive(self.column, columns, graded=True)

    def measure(self, outcome: Outcome) -> float:
        column = sensitive_column(outcome, "fitness", self.column)
        severity = required_severity(column.severity, column.name, "fitness")
        n = outcome.table.totals[column.name]
        mean = float(np.dot(np.where(n > 0, severity, 0.0), n)) / max(int(n.sum()), 1)
        largest = max(mean, 100 * Loss().measure(outcome))
        return 1 / largest if largest > 0 else np.inf
