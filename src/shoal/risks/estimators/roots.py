"""The root of a function of one variable, between two points where its sign differs."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

MOST_STEPS = 200
CLOSE = 1e-15  # relative to the point


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """By secants, and by halving where they are slow (Ridders' method). Signs must differ.

    >>> round(root_between(lambda x: x * x - 2, 0, 2), 12)
    1.414213562373
    """
    at_low, at_high = function(low), function(high)
    for _ in range(MOST_STEPS):
        middle = (low + high) / 2
        at_middle = function(middle)
        spread = at_middle * at_middle - at_low * at_high
        if at_middle == 0 or abs(high - low) <= CLOSE * abs(middle):
            return middle
        sign = 1.0 if at_low > at_high else -1.0
        point = middle + (middle - low) * sign * at_middle / math.sqrt(spread)
        at_point = function(point)
        if at_point == 0:
            return point
        ends = sorted([(low, at_low), (middle, at_middle), (point, at_point), (high, at_high)])
        for (low, at_low), (high, at_high) in pairwise(ends):  # noqa: B007
            if (at_low > 0) != (at_high > 0):
                break
    return (low + high) / 2
