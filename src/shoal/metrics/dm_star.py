"""Discernibility that does not see suppression, as in ARX."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import JudgedNode


def dm_star(node: JudgedNode) -> int:
    """The records that look alike, added up over all records, before any group is suppressed."""
    return int(np.dot(node.all_sizes, node.all_sizes))
