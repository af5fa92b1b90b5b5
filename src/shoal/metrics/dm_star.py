"""Discernibility that ignores suppression, as in ARX."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class DmStar(Metric[JudgedNode]):
    """Squared sizes of all groups, added up, before any group is suppressed.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [21, 27, 44, 52, 71]}),
    ...                           quasi={"age": shoal.intervals(20, 40)},
    ...                           privacy=[shoal.KAnonymity(2)], suppression=0.2,
    ...                           algorithm=shoal.Flash(metric="dm-star"))
    >>> release.frame["age"].to_list()
    ['[20, 39]', '[20, 39]', '[40, 59]', '[40, 59]']
    >>> release.summary()["cost"], release.measures["dm"]  # 4 + 4 + 1, and 4 + 4 + 5 for `dm`
    (9.0, 13)
    """

    needs = ("levels",)
    bound = "groups"

    def measure(self, node: JudgedNode) -> int:
        return int(np.dot(node.all_sizes, node.all_sizes))
