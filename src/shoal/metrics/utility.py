"""Utility by Q-diversity (Loukides and Shao 2008, Definitions 2.1 and 2.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.types.extent import Extent
from shoal.types.metric import Metric
from shoal.types.outcome import Outcome


@dataclass(frozen=True)
class Utility(Metric[Outcome]):
    """Q-diversity of a group, added up over its columns, on average over the groups.

    Q-diversity is the share of its column's values that a cell may stand for: one of four jobs has
    0.25, one number has 0. Lower is better. Groups count alike, however large they are.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [20, 25, 50, 60]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> print(release.measure("utility"))  # 5 and 10 of 40 years, in one group each
    0.1875
    """

    needs = ("release",)
    unit = "shares of the values"

    def measure(self, outcome: Outcome) -> float:
        if not outcome.stats.n_groups:
            return 0.0
        pairs = zip(outcome.table.axes, outcome.extents, strict=True)
        of_groups = sum(q_diversities(extent) for axis, extent in pairs if axis.n_codes > 1)
        return float(np.mean(of_groups))


def q_diversities(cells: Extent) -> FloatArray:
    return (cells.covered + cells.unit) / (cells.span + cells.unit)
