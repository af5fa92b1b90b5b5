"""Non-uniform entropy (Gionis and Tassa 2009) that ignores suppression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class EntropyMonotone(Metric[JudgedNode]):
    """Bits hidden by generalisation, added up over all cells; ignores suppression.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [21, 27, 44, 52]}),
    ...                           quasi={"age": shoal.intervals(20, 40)},
    ...                           privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Flash(metric="entropy-monotone"))
    >>> release.frame["age"].to_list()
    ['[20, 39]', '[20, 39]', '[40, 59]', '[40, 59]']
    >>> release.summary()["cost"]  # in each of 4 cells a bit would tell which of two ages it was
    4.0
    """

    needs = ("levels",)
    bound = "levels"

    def measure(self, node: JudgedNode) -> float:
        bits: float = np.dot(node.entropies(), node.weights)
        return bits
