"""Discernibility that ignores suppression, as in ARX."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import JudgedNode


def dm_star(node: JudgedNode) -> int:
    """Squared sizes of all groups, added up, before any group is suppressed."""
    return int(np.dot(node.all_sizes, node.all_sizes))
