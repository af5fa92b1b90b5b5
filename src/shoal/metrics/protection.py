"""Protection by S-diversity (Loukides and Shao 2008, Definitions 2.3 to 2.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.errors import BadOption
from shoal.metrics._sensitive import sensitive_columns
from shoal.types.alikeness import alike_pairs
from shoal.types.arrays import FloatArray
from shoal.types.metric import Metric
from shoal.types.outcome import Outcome
from shoal.types.sensitive import SensitiveColumn


@dataclass(frozen=True)
class Protection(Metric[Outcome]):
    """S-diversity of a group, added up over its sensitive columns, on average over the groups.

    S-diversity is the mean likeness of two records of a group: 1 where all have the same value, and
    low where the values are many and far apart. Values that differ by more than the share `r` of
    their domain are not alike at all. Lower is better protected. Groups count alike.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "flu", "flu"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> print(release.measure("protection", r=0))  # 0.5 in the first group, 1 in the second
    0.75
    """

    r: float = 1.0
    needs = ("release", "sensitive")
    unit = "shares of alike pairs"

    def __post_init__(self) -> None:
        if not 0 <= self.r <= 1:
            raise BadOption("r must be a number from 0 to 1")

    def measure(self, outcome: Outcome) -> float:
        columns = sensitive_columns(outcome, "protection")
        if not outcome.stats.n_groups:
            return 0.0
        return float(np.mean(sum(self._diversities(outcome, column) for column in columns)))

    def _diversities(self, outcome: Outcome, column: SensitiveColumn) -> FloatArray:
        found = outcome.stats.counts(column.name)
        occurs = outcome.table.totals[column.name] > 0
        return alike_pairs(column, found, occurs, self.r) / found.sizes**2
