"""What the text of a cell, or of a condition written like one, stands for on an axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import Int64Array
from shoal.types.axis import Axis
from shoal.types.hierarchy import ROOT
from shoal.verify.cell_text import DAY_LENGTH, Measured, measure, read_range, read_set

NOTHING = np.empty(0, dtype=np.int64)


class Run(NamedTuple):
    """From one number to another, both included."""

    low: float
    high: float


class AxisCells:
    """Reads texts: a value, the name of a node, a range `[20, 24]`, a set `{a, b}`, or `*`."""

    def __init__(self, axis: Axis) -> None:
        self._axis = axis

    def runs(self, text: str) -> list[Run]:
        """Of a column on a line, the numbers that a text stands for; none if it cannot be read."""
        if text == ROOT:
            return [Run(*self._axis.domain)]
        if (ends := read_range(text)) is not None:
            low, high = self._number(measure(ends.low)), self._number(measure(ends.high))
            if low is None or high is None:
                return []
            is_short = not ends.has_high and self._axis.is_whole
            return self._inside(low.low, high.low - 1 if is_short else high.high)
        found = [self._number(measure(value)) for value in read_set(text) or [text]]
        if any(run is None for run in found):
            return []
        return [inside for run in found if run for inside in self._inside(*run)]

    def leaves(self, text: str) -> Int64Array:
        """The codes that a text stands for, missing being the last; none if it cannot be read."""
        if not text:
            return np.array([self._axis.missing_code])
        if text == ROOT:
            return np.arange(self._axis.n_codes)
        named = self._named(text)
        if len(named):
            return named
        values = [self._named(value) for value in read_set(text) or ()]
        if values and all(map(len, values)):
            return np.unique(np.concatenate(values))
        return self._measured([text])

    def _named(self, text: str) -> Int64Array:
        if text in self._nodes:
            return np.concatenate([np.arange(a, b) for a, b in self._nodes[text]])
        return self._measured([text]) if read_range(text) is None else NOTHING

    def _measured(self, texts: Sequence[str]) -> Int64Array:
        """The leaves whose numbers lie in what texts say."""
        numbers = self._axis.numbers
        if numbers is None:
            return NOTHING
        is_inside = np.zeros(len(numbers), dtype=np.bool_)
        for run in (run for text in texts for run in self.runs(text)):
            is_inside |= (numbers >= run.low) & (numbers <= run.high)
        return np.flatnonzero(is_inside)

    def _number(self, mark: Measured | None) -> Run | None:
        """Where a measured text begins and ends, in the numbers of the axis."""
        if mark is None:
            return None
        if self._axis.kind == "date":
            return Run(mark.first // DAY_LENGTH, mark.last // DAY_LENGTH)
        return Run(float(mark.first), float(mark.last))

    def _inside(self, low: float, high: float) -> list[Run]:
        """Without what no number of the column reaches, as in `90+`."""
        high = max(low, self._axis.domain[1]) if np.isinf(high) else high
        return [Run(low, high)] if low <= high else []

    @cached_property
    def _nodes(self) -> dict[str, list[tuple[int, int]]]:
        """By name, the leaves of every node called so, leaves themselves being nodes."""
        runs: dict[str, list[tuple[int, int]]] = {}
        for code, leaf in enumerate(self._axis.leaves):
            runs.setdefault(leaf, []).append((code, code + 1))
        tree = self._axis.hierarchy
        for level in range(1, tree.height if tree else 0):
            assert tree is not None
            starts = np.flatnonzero(np.diff(tree.nodes[level], prepend=-1))
            ends = np.append(starts[1:], len(tree.leaves))
            both = zip(starts.tolist(), ends.tolist(), strict=True)
            for label, run in zip(tree.labels[level], both, strict=True):
                if run not in runs.setdefault(label, []):
                    runs[label].append(run)
        return runs
