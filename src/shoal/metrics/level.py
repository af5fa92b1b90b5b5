"""The height of a node in the lattice (Samarati 2001)."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import JudgedNode


def level(node: JudgedNode) -> float:
    """Levels of all columns, added up, each times its weight."""
    height: float = np.dot(node.levels, node.weights)
    return height
