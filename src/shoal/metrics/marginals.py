"""How far the distributions of single columns moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.metrics._records import records_of
from shoal.types.metric import Measured, Metric
from shoal.types.outcome import Outcome
from shoal.utility.compared import Compared
from shoal.utility.distributions import shares_of


@dataclass(frozen=True)
class Marginals(Metric[Outcome]):
    """The share of records that are in another bin or category than before, in the worst column.

    Columns are compared in about eight bins or categories. A cell is spread evenly over the values
    that it covers. 0 where every column is distributed as it was, 1 where nothing is as it was.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"job": ["cook"] * 9 + ["maid"] * 3, "age": [30, 40] * 6})
    >>> release = shoal.anonymize(people, quasi=["job", "age"], privacy=[shoal.KAnonymity(5)])
    >>> release.measure("marginals")  # every job is {cook, maid}: 9 of 12 become 6 of 12
    0.25
    """

    needs = ("release", "records")
    unit = "share of the records"

    def measure(self, outcome: Outcome) -> float:
        return self.explain(outcome).value

    def explain(self, outcome: Outcome) -> Measured:
        columns = records_of(outcome, "marginals").measured
        moved = {column.name: moved_share(column) for column in columns}
        if not moved:
            return Measured(0.0)
        worst = max(moved, key=lambda name: moved[name])
        mean = float(np.mean(list(moved.values())))
        return Measured(moved[worst], {"worst": worst, "mean": mean, "columns": moved})


def moved_share(column: Compared) -> float:
    """Half the sum of what the shares of categories differ by: the total variation distance."""
    before, after = shares_of(column)
    return float(np.abs(before - after).sum() / 2)
