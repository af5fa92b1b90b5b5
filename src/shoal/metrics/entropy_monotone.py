"""Non-uniform entropy (Gionis and Tassa 2009) that ignores suppression."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import JudgedNode


def entropy_monotone(node: JudgedNode) -> float:
    """Bits hidden by generalisation, added up over all cells; ignores suppression."""
    bits: float = np.dot(node.entropies(), node.weights)
    return bits
