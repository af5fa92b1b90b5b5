"""The height of a node in the lattice (Samarati 2001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class Level(Metric[JudgedNode]):
    """Levels of all columns, added up, each times its weight."""

    needs = ("levels",)
    bound = "levels"

    def measure(self, node: JudgedNode) -> float:
        height: float = np.dot(node.levels, node.weights)
        return height
