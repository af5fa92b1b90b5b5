"""Comparing groups with all records, those of the input and those that are released."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.types.stats import GroupStats


def against_references(
    stats: GroupStats, column: str, measure: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """What each group measures against the shares of the values, where that is most."""
    return np.asarray(np.max([measure(shares) for shares in stats.references(column)], axis=0))


def against_expectations(
    stats: GroupStats, column: str, measure: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """The same against the shares of those who have a value, which people may have several of."""
    return np.asarray(np.max([measure(shares) for shares in stats.expectations(column)], axis=0))
