"""Figures from a sample, each with an interval that holds the true one in 95 of 100 samples."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import BoolArray, FloatArray

CONFIDENCE = 0.95
Z = 1.959963984540054  # of the normal distribution, for that confidence


class Estimate(NamedTuple):
    """A figure, and where the true one lies."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        return {name: float(f"{figure:.6g}") for name, figure in self._asdict().items()}


def share(n_successes: float, n: int) -> Estimate:
    """Wilson's score interval of a share.

    `n_successes` may be a sum of chances instead of a count: outcomes that vary less than yes and
    no do, for which the interval is wider than it need be.

    >>> share(0, 100).as_dict(), share(50, 100).as_dict()
    ({'value': 0.0, 'low': 0.0, 'high': 0.0369935},
     {'value': 0.5, 'low': 0.403832, 'high': 0.596168})
    """
    value = n_successes / n
    centre = (value + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(value * (1 - value) / n + Z**2 / (4 * n**2))
    # The ends are exactly 0 and 1 where nothing or everything succeeded; rounding must not differ.
    low = 0.0 if n_successes == 0 else max(0.0, centre - half)
    high = 1.0 if n_successes == n else min(1.0, centre + half)
    return Estimate(value, min(low, value), max(high, value))


def difference(first: BoolArray, second: BoolArray) -> Estimate:
    """How much more often the first succeeds than the second, with the same people.

    The interval is the adjusted one of Bonett and Price (2012): one success more for each, where
    the other fails. It looks only at people with whom the two differ.

    >>> difference(np.array([True] * 30), np.array([True] * 20 + [False] * 10)).as_dict()
    {'value': 0.333333, 'low': 0.130034, 'high': 0.494966}
    """
    n = len(first)
    gained = (np.count_nonzero(first & ~second) + 1) / (n + 2)
    lost = (np.count_nonzero(second & ~first) + 1) / (n + 2)
    half = Z * math.sqrt((gained + lost - (gained - lost) ** 2) / (n + 2))
    value = float(first.mean() - second.mean())
    centre = gained - lost
    return Estimate(
        value, min(value, max(-1.0, centre - half)), max(value, min(1.0, centre + half))
    )


def mean(values: FloatArray, *, lowest: float, highest: float) -> Estimate:
    """A mean with its normal interval; of a single value nothing is known but its bounds.

    >>> mean(np.array([0.0, 0.5, 1.0]), lowest=0, highest=1).as_dict()
    {'value': 0.5, 'low': 0.0, 'high': 1.0}
    """
    value = float(values.mean())
    if len(values) < 2:
        return Estimate(value, lowest, highest)
    half = Z * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(value, max(lowest, value - half), min(highest, value + half))
