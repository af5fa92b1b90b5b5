"""What varies in a comparison, and where it goes: along an axis, in panels, or by line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shoal.comparison.comparison import Comparison, value_of
from shoal.comparison.measures import Measure
from shoal.comparison.run import Run
from shoal.plot.drawing import Axis
from shoal.plot.scale import given_scale, step_scale
from shoal.types.text import number_of

K = "k"
MOST_PANELS = 9


class Found(NamedTuple):
    """A figure: the mean over seeds, the lowest and the highest, and how many there were."""

    mean: float
    low: float
    high: float
    n: int


class Line(NamedTuple):
    """A method, with the options that are neither on the axis nor in panels."""

    name: str
    style: int

    @property
    def class_(self) -> str:
        return f"s{self.style}"


@dataclass(frozen=True)
class Layout:
    """Where the runs of a comparison go in its plots."""

    comparison: Comparison

    @cached_property
    def dimensions(self) -> dict[str, list[str]]:
        """What has several values, and these in order."""
        found = {}
        for path in (K, *self.comparison.paths):
            values = {value for run in self.comparison.runs if (value := at(run, path)) != ""}
            if len(values) > 1:
                found[path] = in_order(values)
        return found

    @cached_property
    def x(self) -> str | None:
        """What the axis has: that with most values, k first; None if nothing varies."""
        return max(self.dimensions, key=lambda path: len(self.dimensions[path]), default=None)

    @cached_property
    def panel(self) -> str | None:
        others = [path for path in self.dimensions if path != self.x]
        few = [path for path in others if len(self.dimensions[path]) <= MOST_PANELS]
        return few[0] if few else None

    @cached_property
    def lines(self) -> list[Line]:
        """The methods in the order in which they were asked for."""
        names = dict.fromkeys(self.line_name(run) for run in self.comparison.runs)
        return [Line(name, i) for i, name in enumerate(names)]

    @property
    def panels(self) -> list[str]:
        return [""] if self.panel is None else self.dimensions[self.panel]

    @property
    def n_seeds(self) -> int:
        return len({run.seed for run in self.comparison.runs})

    def line_name(self, run: Run) -> str:
        left = [path for path in self.dimensions if path not in (self.x, self.panel)]
        said = [f"{short(path)} = {at(run, path)}" for path in left if at(run, path)]
        return ", ".join([run.method, *said])

    def figures(self, measure: Measure) -> dict[tuple[str, str, str], Found]:
        """The figures of verified runs by line, value of the axis, and panel.

        A method that has no such option has the same figure at each of its values.
        """
        collected: dict[tuple[str, str, str], list[float]] = {}
        for run in self.comparison.verified:
            value = value_of(run, measure)
            if value is None or not math.isfinite(value):
                continue
            for x in self._values(run, self.x):
                for panel in self._values(run, self.panel):
                    collected.setdefault((self.line_name(run), x, panel), []).append(value)
        return {
            key: Found(sum(values) / len(values), min(values), max(values), len(values))
            for key, values in collected.items()
        }

    def _values(self, run: Run, path: str | None) -> list[str]:
        if path is None:
            return [""]
        own = at(run, path)
        return [own] if own else self.dimensions[path]

    def axis(self) -> Axis:
        """The axis of what varies; names get one step each, numbers their place."""
        assert self.x is not None
        values = self.dimensions[self.x]
        unit = "least records in a group" if self.x == K else "value in the policy"
        numbers = [number_of(value) for value in values]
        if all(number is not None for number in numbers):
            return Axis(self.x, unit, given_scale([n for n in numbers if n is not None]))
        return Axis(self.x, unit, step_scale(values))

    def place(self, value: str) -> float:
        """Where a value is on the axis."""
        assert self.x is not None
        values = self.dimensions[self.x]
        numbers = [number_of(value) for value in values]
        if all(number is not None for number in numbers):
            return float(numbers[values.index(value)] or 0.0)
        return float(values.index(value))


def at(run: Run, path: str) -> str:
    """The value of a dimension, empty if the run has no such option."""
    return str(run.k) if path == K else run.options.get(path, "")


def in_order(values: set[str]) -> list[str]:
    """Numbers by size, other values by letter."""
    numbers = {value: number_of(value) for value in values}
    if all(number is not None for number in numbers.values()):
        return sorted(values, key=lambda value: numbers[value] or 0.0)
    return sorted(values)


def short(path: str) -> str:
    """An option without what is said anyway: `algorithm.s` -> `s`."""
    return path.partition(".")[2] or path


def listed(names: Sequence[str], most: int = 4) -> str:
    """Names in a sentence.

    >>> listed(["a", "b", "c"]), listed(list("abcdef"), most=3)
    ('a, b and c', 'a, b and 4 more')
    """
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
