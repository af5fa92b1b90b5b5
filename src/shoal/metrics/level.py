"""The height of a node in the lattice (Samarati 2001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class Level(Metric[JudgedNode]):
    """Levels of all columns, added up, each times its weight.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "m", "m", "f"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Flash(metric="level"))
    >>> release.summary()["levels"], release.summary()["cost"]
    ({'age': 1, 'sex': 1}, 2.0)
    """

    needs = ("levels",)
    bound = "levels"

    def measure(self, node: JudgedNode) -> float:
        height: float = np.dot(node.levels, node.weights)
        return height
