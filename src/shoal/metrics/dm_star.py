"""Discernibility that ignores suppression, as in ARX."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class DmStar(Metric[JudgedNode]):
    """Squared sizes of all groups, added up, before any group is suppressed."""

    needs = ("levels",)
    bound = "groups"

    def measure(self, node: JudgedNode) -> int:
        return int(np.dot(node.all_sizes, node.all_sizes))
