"""Scales: from values to places on an axis, and the few values that an axis names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

LOG_FROM = 20.0  # largest by smallest value, from where a scale is logarithmic
MARGIN = 0.04  # of the width, so that points do not touch an edge


class Tick(NamedTuple):
    """A value that an axis names, and how."""

    value: float
    label: str


@dataclass(frozen=True)
class Scale:
    """The values from `low` to `high`, on a straight or a logarithmic scale."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    is_log: bool = False

    def at(self, value: float, start: float, end: float) -> float:
        """The place of a value between two places.

        >>> Scale(0, 10, ()).at(5, 100, 200)
        150.0
        """
        if self.is_log:
            low, high, value = math.log(self.low), math.log(self.high), math.log(value)
        else:
            low, high = self.low, self.high
        return start + (end - start) * (value - low) / (high - low)


def number(value: float) -> str:
    """A figure in few letters.

    >>> [number(value) for value in (0.125, 12500, 3_200_000, 0, 0.00012, 7.0)]
    ['0.125', '12,500', '3.2 M', '0', '0.00012', '7']
    """
    size = abs(value)
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "not defined"
    if size >= 1e9:
        return f"{value / 1e9:.4g} G"
    if size >= 1e6:
        return f"{value / 1e6:.4g} M"
    if size >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def measure_scale(values: Sequence[float]) -> Scale:
    """For an axis of figures: from 0 unless they are all alike, logarithmic where they differ much.

    >>> [tick.label for tick in measure_scale([0.1, 0.32]).ticks]
    ['0', '0.1', '0.2', '0.3', '0.4']
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low > 0 and high / low > LOG_FROM:
        return _log_scale(low, high)
    if 0 <= low <= high * 0.7:
        low = 0.0
    if low == high:
        low, high = (0.0, high) if high > 0 else (low, low + 1.0)
    return _even_scale(low, high)


def spanning_scale(values: Sequence[float]) -> Scale:
    """For an axis of figures whose differences count: no wider than they are.

    >>> [tick.label for tick in spanning_scale([0.81, 0.89]).ticks]
    ['0.8', '0.82', '0.84', '0.86', '0.88', '0.9']
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low > 0 and high / low > LOG_FROM:
        return _log_scale(low, high)
    return _even_scale(low, high) if low < high else measure_scale(values)


def given_scale(values: Sequence[float]) -> Scale:
    """For an axis of values that were tried: it names these, and nothing between them.

    >>> [tick.label for tick in given_scale([2, 5, 50]).ticks]
    ['2', '5', '50']
    """
    low, high = min(values), max(values)
    ticks = tuple(Tick(value, number(value)) for value in sorted(set(values)))
    is_log = low > 0 and high / low >= 8
    if low == high:
        return Scale(low - 1, high + 1, ticks)
    if is_log:
        factor = (high / low) ** MARGIN
        return Scale(low / factor, high * factor, ticks, is_log=True)
    room = (high - low) * MARGIN
    return Scale(low - room, high + room, ticks)


def step_scale(labels: Sequence[str]) -> Scale:
    """For an axis of names, each one step after the other; values are 0, 1, 2 ..."""
    ticks = tuple(Tick(i, label) for i, label in enumerate(labels))
    return Scale(-0.4, max(len(labels) - 0.6, 0.4), ticks)


def _even_scale(low: float, high: float) -> Scale:
    step = _nice((high - low) / 4)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    values = [round(i * step, 12) for i in range(first, last + 1)]
    return Scale(values[0], values[-1], tuple(Tick(value, number(value)) for value in values))


def _nice(step: float) -> float:
    """The step of 1, 2, 2.5 or 5 times a power of ten that is at least so large."""
    power = 10.0 ** math.floor(math.log10(step))
    return float(next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= step * (1 - 1e-9)))


def _log_scale(low: float, high: float) -> Scale:
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    powers = [10.0**i for i in range(first, last + 1)]
    wanted = powers
    if len(powers) <= 3:  # then halves and fifths of them too
        wanted = [m * power for power in powers[:-1] for m in (1, 2, 5)] + powers[-1:]
    inside = [value for value in wanted if low * 0.999 <= value <= high * 1.001]
    below = [value for value in wanted if value < low * 0.999][-1:]
    above = [value for value in wanted if value > high * 1.001][:1]
    values = [*below, *inside, *above]
    thinned = values[:: max(1, math.ceil(len(values) / 8))]
    ticks = tuple(Tick(value, number(value)) for value in thinned)
    return Scale(min(values[0], low), max(values[-1], high), ticks, is_log=True)
