"""Non-uniform entropy (Gionis and Tassa 2009) that does not see suppression."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import JudgedNode


def entropy_monotone(node: JudgedNode) -> float:
    """How many bits generalisation hides, added up over all cells, suppression left aside."""
    bits: float = np.dot(node.entropies(), node.weights)
    return bits
