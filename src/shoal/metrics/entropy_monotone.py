"""Non-uniform entropy (Gionis and Tassa 2009) that ignores suppression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class EntropyMonotone(Metric[JudgedNode]):
    """Bits hidden by generalisation, added up over all cells; ignores suppression."""

    needs = ("levels",)
    bound = "levels"

    def measure(self, node: JudgedNode) -> float:
        bits: float = np.dot(node.entropies(), node.weights)
        return bits
