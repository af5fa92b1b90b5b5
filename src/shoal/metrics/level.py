"""The height of a node in the lattice (Samarati 2001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode, Outcome


@dataclass(frozen=True)
class Level(Metric[JudgedNode | Outcome]):
    """Levels of all columns, added up; in a search, each times its weight.

    A release whose groups have cells of their own counts the mean level of the cells of a column,
    suppressed records having the root.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "m", "m", "f"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Flash(metric="level"))
    >>> release.summary()["levels"], release.summary()["cost"]
    ({'age': 1, 'sex': 1}, 2.0)
    """

    bound = "levels"
    unit = "levels"

    def measure(self, judged: JudgedNode | Outcome) -> float:
        if isinstance(judged, Outcome):
            return float(judged.totals(_level).sum()) / judged.n_records
        height: float = np.dot(judged.levels, judged.weights)
        return height


def _level(cell: Extent) -> FloatArray:
    return cell.level
