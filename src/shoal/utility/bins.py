"""Bins of numbers that enough people are in; their ends are round, not values of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import FloatArray, Int32Array, Int64Array

MOST = 8  # bins, about
STEPS = (1.0, 2.0, 5.0, 10.0)


class Bins(NamedTuple):
    """Ends between bins, ascending; the first bin and the last are open."""

    ends: tuple[float, ...]
    is_whole: bool

    @property
    def n(self) -> int:
        return len(self.ends) + 1

    @property
    def labels(self) -> tuple[str, ...]:
        """
        >>> Bins((20, 30, 31), True).labels
        ('under 20', '20 to 29', '30', '31 or more')
        """
        if not self.ends:
            return ("all values",)
        inner = zip(self.ends, self.ends[1:], strict=False)
        first, last = _text(self.ends[0]), _text(self.ends[-1])
        between = (self._between(low, high) for low, high in inner)
        return (f"under {first}", *between, f"{last} or more")

    def _between(self, low: float, high: float) -> str:
        if not self.is_whole:
            return f"{_text(low)} to under {_text(high)}"
        return _text(low) if high - low == 1 else f"{_text(low)} to {_text(high - 1)}"

    def of(self, places: FloatArray) -> Int32Array:
        """The bin of each place."""
        return np.searchsorted(np.array(self.ends), places, "right").astype(np.int32)

    def spread(self, low: float, high: float) -> FloatArray:
        """How much of a cell from low to high lies in each bin, if all of it is as likely.

        >>> Bins((20, 30), True).spread(15, 25)
        array([0.5, 0.5, 0. ])
        """
        if self.n == 1:
            return np.ones(1)
        if high <= low:
            return np.asarray(np.eye(self.n)[int(self.of(np.array([low]))[0])])
        ends = np.clip(np.array([low, *self.ends, high]), low, high)
        ends[0], ends[-1] = low, high
        return np.asarray(np.diff(ends) / (high - low))


def bins_of(
    places: FloatArray, people: Int64Array, *, least: int, is_whole: bool, most: int = MOST
) -> Bins:
    """Round bins, each with at least so many people; `people` numbers who is at each place.

    >>> ages = np.array([20.0, 21, 34, 37, 41, 58])
    >>> bins_of(ages, np.arange(6), least=2, is_whole=True).labels
    ('under 25', '25 to 39', '40 or more')
    """
    low, high = np.quantile(places, [0.05, 0.95], method="lower").tolist()
    if not math.isfinite(high - low):
        return Bins((), is_whole)
    step = _step((high - low) / (most - 2), is_whole)
    first = math.floor(low / step) + 1
    ends = [first * step + i * step for i in range(max(0, math.ceil(high / step) - first) + 1)]
    bins = Bins(tuple(sorted({_exact(end) for end in ends})), is_whole)
    while len(bins.ends) and (counts := people_in(bins.of(places), people, bins.n)).min() < least:
        bins = bins._replace(ends=_without_smallest(bins.ends, counts))
    return bins


def people_in(codes: Int32Array, people: Int64Array, n: int) -> Int64Array:
    """How many different people have each code; codes below 0 are not counted.

    >>> people_in(np.array([0, 0, 1, -1]), np.array([7, 7, 7, 8]), 2)
    array([1, 1])
    """
    known = codes >= 0
    width = int(people.max()) + 1 if len(people) else 1
    pairs = np.unique(codes[known].astype(np.int64) * width + people[known])
    return np.bincount(pairs // width, minlength=n).astype(np.int64)


def _without_smallest(ends: Sequence[float], counts: Int64Array) -> tuple[float, ...]:
    """The bin with the fewest people joined to the smaller of its neighbours."""
    i = int(counts.argmin())
    before = counts[i - 1] if i > 0 else np.inf
    after = counts[i + 1] if i + 1 < len(counts) else np.inf
    place = i - 1 if before <= after else i
    return (*ends[:place], *ends[place + 1 :])


def _step(about: float, is_whole: bool) -> float:
    """A round step, at least as long."""
    if about <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(about))
    step = next(power * step for step in STEPS if power * step >= about * (1 - 1e-9))
    return max(step, 1.0) if is_whole else step


def _exact(number: float) -> float:
    return float(f"{number:.12g}")


def _text(number: float) -> str:
    return f"{number:,.12g}" if abs(number) >= 10_000 else f"{number:.12g}"
