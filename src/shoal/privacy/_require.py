"""Refusing parameters that make no sense, and comparing with those that do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shoal.errors import BadOption
from shoal.types.arrays import BoolArray, FloatArray

SLACK = 1e-9  # sums of shares come out a little different in another order of records
LARGEST = 1e300  # beyond, numbers overflow


def require_whole(name: str, value: object, *, at_least: int) -> None:
    """Raise `BadOption` unless the value is a whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
        raise BadOption(f"{name} must be a whole number, at least {at_least}")


def require_number(
    name: str, value: Any, *, at_least: float = -math.inf, above: float = -math.inf,
    at_most: float = math.inf,
) -> None:  # fmt: skip
    """Raise `BadOption` unless the value is a number between these."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and at_least <= value <= min(at_most, LARGEST) and value > above:
        return
    lowest = f"above {above:g}" if above > at_least else f"at least {at_least:g}"
    highest = "" if at_most == math.inf else f" and at most {at_most:g}"
    raise BadOption(f"{name} must be a number {lowest}{highest}")


def require_one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise `BadOption` unless the value is among those."""
    if not any(value is known or (isinstance(value, str) and value == known) for known in allowed):
        raise BadOption(f"{name} must be one of {', '.join(map(str, allowed))}")


def at_most(values: FloatArray, limit: float) -> BoolArray:
    """Which values are within a limit."""
    return np.asarray(values <= loosened(limit))


def below(values: FloatArray, limit: float) -> BoolArray:
    """Which values are strictly within a limit: one that is met exactly is not."""
    return np.asarray(values < limit - SLACK * max(1.0, abs(limit)))


def loosened(limit: float) -> float:
    """A limit with the slack that sums of shares need."""
    return limit + SLACK * max(1.0, abs(limit))


def rounded_up(value: float) -> str:
    """Four digits of a number, and none less than it: what a limit would have to be.

    >>> rounded_up(0.33333), rounded_up(1234.5), rounded_up(0.5)
    ('0.3334', '1235', '0.5')
    """
    unit = _unit(value)
    return f"{math.ceil(value / unit - SLACK) * unit:.10g}"


def rounded_down(value: float) -> str:
    """Four digits of a number, and none more than it."""
    unit = _unit(value)
    return f"{math.floor(value / unit + SLACK) * unit:.10g}"


def _unit(value: float) -> float:
    """What the fourth digit of a number counts."""
    return 10.0 ** (math.floor(math.log10(value)) - 3) if value > 0 else 1.0
