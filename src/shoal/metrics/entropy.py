"""Non-uniform entropy (Gionis and Tassa 2009), with a term for suppression, as in ARX."""

from __future__ import annotations

import numpy as np

from shoal.metrics.entropy_monotone import entropy_monotone
from shoal.types.arrays import Int64Array
from shoal.types.outcome import JudgedNode


def entropy(node: JudgedNode) -> float:
    """Bits hidden by generalisation and suppression, added up over all cells."""
    if node.n_suppressed == 0:
        return entropy_monotone(node)
    hidden = [_bits(values) for values in node.suppressed_values()]
    return entropy_monotone(node) + float(np.dot(hidden, node.weights))


def _bits(counts: Int64Array) -> float:
    """How many bits tell the values of these records from each other."""
    return float(-(counts * np.log2(counts / counts.sum())).sum()) + 0.0
