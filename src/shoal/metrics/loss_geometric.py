"""Loss with the geometric mean over columns, as ARX has it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.metrics._cells import share
from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class LossGeometric(Metric[Judged]):
    """Loss with a geometric mean over the columns: a loss spread evenly counts more.

    Π(1 + vᵢ)^(1/n) - 1 over the columns' mean losses vᵢ, each times its weight as a share of
    the largest weight.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "f", "m", "m"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Flash(metric="loss-geometric"))
    >>> release.summary()["levels"], round(float(release.summary()["cost"]), 4)
    ({'age': 1, 'sex': 0}, 0.1547)
    """

    bound = "levels"

    def measure(self, judged: Judged) -> float:
        weights = judged.weights / judged.weights.max()
        means = judged.totals(share) / judged.n_records * weights
        value: float = np.prod(1 + means, axis=-1) ** (1 / len(weights)) - 1
        return value
