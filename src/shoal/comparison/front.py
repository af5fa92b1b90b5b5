"""The front: releases that no other beats in both of two figures, and where it has gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from shoal.errors import PolicyError
from shoal.types.text import number_of

Costs = tuple[float, float]  # both lower is better
Values = Mapping[str, float | str]  # of the dimensions that a method has
DIGITS = 4  # of fractions that are tried
SHARES = (1 / 2, 1 / 4, 3 / 4, 1 / 8, 3 / 8, 5 / 8, 7 / 8)  # of the way between two points
LOG_FROM = 8  # highest by lowest value, from where the middle is the geometric one


def front_of(points: Sequence[Costs]) -> list[int]:
    """Which points no other beats in both figures, from the lowest first figure on.

    Of equal points the first one counts.

    >>> front_of([(1, 5), (2, 2), (3, 3), (2, 2), (5, 1)])
    [0, 1, 4]
    """
    order = sorted(range(len(points)), key=lambda i: (points[i], i))
    found: list[int] = []
    lowest = math.inf
    for i in order:
        if points[i][1] < lowest:
            found.append(i)
            lowest = points[i][1]
    return found


def gaps_of(front: Sequence[Costs]) -> list[float]:
    """How far neighbours on a front are apart, as shares of what it spans in each figure.

    >>> gaps_of([(0, 10), (5, 10), (10, 0)])
    [0.5, 1.118033988749895]
    """
    spans = [max(values) - min(values) for values in zip(*front, strict=True)] or [0.0, 0.0]

    def far(one: Costs, other: Costs) -> float:
        return math.hypot(
            *((b - a) / span if span else 0.0 for a, b, span in zip(one, other, spans, strict=True))
        )

    return [far(one, other) for one, other in pairwise(front)]


@dataclass(frozen=True)
class Dimension:
    """The values that an option may have: some that are listed, or all from `low` to `high`."""

    path: str
    listed: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    is_whole: bool = False

    @classmethod
    def of(cls, path: str, text: str) -> Dimension:
        """From `2,5,10` or `2..50`; with a decimal point, `0.0..1.0`, fractions are tried too.

        >>> Dimension.of("k", "2..50").between(2, 50)
        10.0
        """
        first, is_range, last = text.partition("..")
        if not is_range:
            listed = tuple(part.strip() for part in text.split(",") if part.strip())
            if not listed:
                raise PolicyError("no value is given to try", (path,))
            return cls(path, listed=listed)
        low, high = number_of(first.strip()), number_of(last.strip())
        if low is None or high is None or not low < high:
            raise PolicyError("a range is written from its lowest to its highest number: 2..50",
                              (path,))  # fmt: skip
        is_whole = path == "k" or (low == int(low) and high == int(high) and high - low >= 2)
        return cls(path, low=low, high=high, is_whole=is_whole and "." not in first + last)

    def first(self, n: int) -> list[float | str]:
        """The values to begin with: both ends, and `n` - 2 between them."""
        if self.listed:
            places = [round(i * (len(self.listed) - 1) / max(n - 1, 1)) for i in range(n)]
            return [self.listed[i] for i in dict.fromkeys(places)]
        found = [self.low, self.high]
        while len(found) < n:
            between = {self.middle(low, high) for low, high in pairwise(found)}
            found = sorted({*found, *between})
        return list(dict.fromkeys(self._rounded(value) for value in found))

    def between(self, one: float | str, other: float | str, share: float = 0.5) -> float | str:
        """The value in the middle of two, or at another share of the way."""
        if self.listed:
            start, end = (self.listed.index(str(value)) for value in (one, other))
            return self.listed[math.floor(start + share * (end - start))]
        return self._rounded(self.middle(float(one), float(other), share))

    def middle(self, low: float, high: float, share: float = 0.5) -> float:
        is_log = self.low > 0 and self.high / self.low >= LOG_FROM
        if is_log:
            return math.exp((1 - share) * math.log(low) + share * math.log(high))
        return low + share * (high - low)

    def distance(self, one: float | str, other: float | str) -> float:
        """How far two values are apart, for finding the nearest."""
        if self.listed:
            return abs(self.listed.index(str(one)) - self.listed.index(str(other)))
        return abs(float(one) - float(other))

    def _rounded(self, value: float) -> float:
        return float(round(value)) if self.is_whole else round(value, DIGITS)


class Tried(NamedTuple):
    """A method with values, and the two figures of its release; None if it has none."""

    method: int
    values: Values
    costs: Costs | None


@dataclass(frozen=True)
class Search:
    """Where to look next: between neighbours of the front that are far apart."""

    dimensions: tuple[tuple[Dimension, ...], ...]  # of each method

    def start(self, n_runs: int) -> list[tuple[int, Values]]:
        """A coarse grid that spends at most about half of the runs."""
        for n in (4, 3, 2):
            sizes = [math.prod(len(d.first(n)) for d in own) for own in self.dimensions]
            if sum(sizes) <= max(n_runs // 2, 1) or n == 2:
                break
        found = [
            (method, values)
            for method, own in enumerate(self.dimensions)
            for values in _grid(own, n)
        ]
        return found[:n_runs]

    def next(self, tried: Sequence[Tried], n: int) -> list[tuple[int, Values]]:
        """Up to `n` that were not tried: one for each wide gap, the widest first.

        A gap is wide if it has at least half the width of the widest in which something is left
        to try. Where nothing is, values around the points of the front are. [] if none is left.
        """
        known = {_key(one.method, one.values) for one in tried}
        released = [one for one in tried if one.costs is not None]
        front = [released[i] for i in front_of([o.costs for o in released if o.costs is not None])]
        gaps = gaps_of([one.costs for one in front if one.costs is not None])
        found: dict[str, tuple[int, Values]] = {}
        least = 0.0
        for i in sorted(range(len(gaps)), key=lambda i: (-gaps[i], i)):
            if gaps[i] >= least and _add_new(self._between(front[i], front[i + 1]), known, found):
                least = max(least, gaps[i] / 2)
            if len(found) == n:
                return list(found.values())
        if found:
            return list(found.values())
        for one in (*front, *released, *tried):
            _add_new(self._around(one, tried), known, found)
            if len(found) == n:
                break
        return list(found.values())

    def _between(self, one: Tried, other: Tried) -> Iterator[tuple[int, Values]]:
        """Between two points of the front: on the way between all values, then one at a time."""
        for share in SHARES:
            for base, far in ((one, other), (other, one)):
                own = self.dimensions[base.method]
                ends = {d.path: far.values.get(d.path, base.values[d.path]) for d in own}
                here = {d.path: d.between(base.values[d.path], ends[d.path], share) for d in own}
                yield base.method, here
                for d in own:
                    yield base.method, {**base.values, d.path: here[d.path]}
                for d in own:
                    yield base.method, {**base.values, d.path: ends[d.path]}

    def _around(self, one: Tried, tried: Sequence[Tried]) -> Iterator[tuple[int, Values]]:
        """Next to a point: half the way to the next value that was tried, in one dimension."""
        for d in self.dimensions[one.method]:
            others = {t.values[d.path] for t in tried if t.method == one.method}
            here = one.values[d.path]
            away = sorted((d.distance(here, other), str(other)) for other in others - {here})
            for _, other in away[:4]:
                yield one.method, {**one.values, d.path: d.between(here, other)}


def _grid(dimensions: Sequence[Dimension], n: int) -> Iterator[Values]:
    if not dimensions:
        yield {}
        return
    for value in dimensions[0].first(n):
        for rest in _grid(dimensions[1:], n):
            yield {dimensions[0].path: value, **rest}


def _add_new(
    candidates: Iterator[tuple[int, Values]], known: set[str], found: dict[str, tuple[int, Values]]
) -> bool:
    """Add the first that is new, if there is one."""
    for method, values in candidates:
        key = _key(method, values)
        if key not in known and key not in found:
            found[key] = method, values
            return True
    return False


def _key(method: int, values: Values) -> str:
    return repr((method, sorted(values.items())))
