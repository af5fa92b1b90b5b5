"""Which values a published cell covers, read from the text of the cell.

A cell is read in this order, and what a later reading adds is covered too, because whoever sees
the cell cannot tell the readings apart:

1. Missing covers the missing value, `*` covers everything.
2. The label of a node, of any level of the column's hierarchy, covers the leaves below every node
   of that name. In a column that publishes nodes (one with a hierarchy, unless `publish` says
   otherwise) this is the only reading of such a cell.
3. The text of a value covers that value; if no value is written so, those that measure the same
   (17.0 is 17, a day covers its hours).
4. `{a, "b, c"}` covers the values it lists.
5. `[low, high]` and `[low, high)` cover the numbers, dates or times between; not where the column
   holds text and one of its values is written just so.

In a column whose values are codes (a level table, a tree, a prefix) sets and ranges are read only
if `publish` asks for them. A value that is missing from a level table is covered by `*` alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.errors import InputError
from shoal.types.arrays import MISSING, BoolArray, Int64Array, NumberArray
from shoal.types.column import RawColumn
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.schema import ColumnSpec
from shoal.types.text import NUMBER
from shoal.verify.cell_text import DAY_LENGTH, Family, measure, read_range, read_set

FAMILIES: dict[str, Family] = {
    "integer": "number",
    "number": "number",
    "date": "moment",
    "datetime": "moment",
    "time": "time",
}
Places = Int64Array | slice  # of values in their column


def covers(cells: Sequence[str | None], values: RawColumn, spec: ColumnSpec) -> BoolArray:
    """Which values each cell covers: bool[cells, values + 1], the last being the missing value.

    `values` may be any column of the same meaning: the original's, or a population's.

    >>> ages = RawColumn("age", "integer", ("21", "30"), np.array([21, 30]), np.array([0, 1, -1]))
    >>> covers(["[20, 29]", "30", "*", None], ages, ColumnSpec("quasi")).astype(int)
    array([[1, 0, 0],
           [0, 1, 0],
           [1, 1, 1],
           [0, 0, 1]])
    """
    reader = CellReader(values, spec)
    covered = np.zeros((len(cells), len(values.labels) + 1), dtype=np.bool_)
    for i, cell in enumerate(cells):
        covered[i] = reader.covered(cell)
    return covered


class CellReader:
    """Reads the cells of one column, one at a time, where a table of all would be too large."""

    def __init__(self, values: RawColumn, spec: ColumnSpec) -> None:
        if spec.publish in ("mean", "median"):
            raise InputError(
                f"Column {values.name!r} publishes a {spec.publish}, which does not show the "
                "values that it covers. k-map, delta-presence, risk with a population, and attacks "
                "need ranges, sets or nodes. Use `publish: range`, or give the column a hierarchy."
            )
        self._values = values
        self._spec = spec
        has_codes = spec.hierarchy is not None and spec.hierarchy.reads_text
        self._publishes_nodes = spec.hierarchy is not None and spec.publish in (None, "node")
        self._reads_ranges = not has_codes or spec.publish == "range"
        self._reads_sets = not has_codes or spec.publish == "set"

    def covered(self, cell: str | None) -> BoolArray:
        """The values that a cell covers, the missing one last."""
        covered = np.zeros(len(self._values.labels) + 1, dtype=np.bool_)
        if not cell:
            covered[-1] = True
        elif cell == ROOT:
            covered[:] = True
        else:
            for places in self._readings(cell):
                covered[places] = True
            covered[:-1] &= self._is_leaf
        return covered

    def n_covered(self, cell: str) -> int:
        """How many different values a cell covers that is neither missing nor the root."""
        readings = list(self._readings(cell))
        if len(readings) == 1 and isinstance(readings[0], slice) and self._hierarchy is None:
            return int(readings[0].stop - readings[0].start)  # a million values need no table
        return int(np.count_nonzero(self.covered(cell)))

    def merged(self, cells: Iterable[str | None]) -> RawColumn:
        """The column with one value for every run of values that none of these cells tells apart.

        Every cell covers a value of this column as it covers those it stands for, and a million
        different numbers are as many as the ends of the ranges.
        """
        values, n_values = self._values, len(self._values.labels)
        if not n_values:
            return values
        unknown = np.flatnonzero(~np.broadcast_to(self._is_leaf, n_values))
        cuts = [np.zeros(1, dtype=np.int64), unknown, unknown + 1]
        for cell in set(cells) - {None, "", ROOT}:
            cuts += [ends for places in self._readings(cell or "") for ends in _ends(places)]
        starts = np.unique(np.concatenate(cuts))
        starts = starts[starts < n_values]
        run_of_value = np.searchsorted(starts, np.arange(n_values), "right") - 1
        return replace(
            values,
            labels=tuple(values.labels[start] for start in starts),
            numbers=None if values.numbers is None else values.numbers[starts],
            codes=np.append(run_of_value, MISSING).astype(np.int32)[values.codes],
        )

    def _readings(self, cell: str) -> Iterator[Places]:
        nodes = self._nodes.get(cell, ())
        yield from (self._by_leaf.between(first, last) for first, last in nodes)
        if not nodes or cell in self._leaves or not self._publishes_nodes:
            yield from self._equal_to(cell)
        if self._publishes_nodes and (nodes or cell in self._leaves):
            return
        if self._reads_sets:
            for value in read_set(cell) or ():
                yield from self._equal_to(value)
        if self._reads_ranges and cell not in self._place:
            yield from self._within(cell)

    def _equal_to(self, text: str) -> Iterator[Places]:
        """The values written so, or else those that measure the same."""
        if text in self._place:
            yield slice(self._place[text], self._place[text] + 1)
        elif text in self._leaves:
            yield self._by_leaf.between(self._leaves[text], self._leaves[text])
        elif (mark := measure(text)) is not None and mark.family in self._lines:
            yield self._lines[mark.family].between(mark.first, mark.last)

    def _within(self, cell: str) -> Iterator[Places]:
        """The values inside a range, if the cell is one and its ends are of one kind."""
        ends = read_range(cell)
        if ends is None:
            return
        low, high = measure(ends.low), measure(ends.high)
        if low is None or high is None or low.family != high.family:
            return
        if low.family in self._lines:
            last = high.last if ends.has_high else high.first
            yield self._lines[low.family].between(low.first, last, has_last=ends.has_high)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self._values.labels)}

    @cached_property
    def _hierarchy(self) -> Hierarchy | None:
        spec = self._spec.hierarchy
        return spec.build(self._values) if spec is not None and self._values.labels else None

    @cached_property
    def _leaves(self) -> dict[str, int]:
        leaves = self._hierarchy.leaves if self._hierarchy else ()
        return {leaf: i for i, leaf in enumerate(leaves)}

    @cached_property
    def _nodes(self) -> dict[str, list[tuple[int, int]]]:
        """By label, the first and the last leaf of every node above the leaves called so."""
        runs: dict[str, list[tuple[int, int]]] = {}
        tree = self._hierarchy
        if tree is None:
            return runs
        for level in range(1, tree.height):
            starts = np.flatnonzero(np.diff(tree.nodes[level], prepend=-1))
            ends = np.append(starts[1:], len(tree.leaves)) - 1
            for label, first, last in zip(tree.labels[level], starts, ends, strict=True):
                runs.setdefault(label, []).append((int(first), int(last)))
        return runs

    @cached_property
    def _leaf_of_value(self) -> Int64Array:
        """The leaf that each value is, by its text or by what it measures; -1 if it is none."""
        labels = self._values.labels
        assert self._hierarchy is not None
        if self._hierarchy.leaves is labels:
            return np.arange(len(labels))
        found = [self._leaves.get(label, -1) for label in labels]
        if -1 in found and self._values.numbers is not None:
            by_mark = {measure(leaf): i for leaf, i in self._leaves.items()}
            by_mark.pop(None, None)
            for i, label in enumerate(labels):
                if found[i] < 0:
                    found[i] = by_mark.get(measure(label), -1)
        return np.array(found, dtype=np.int64)

    @cached_property
    def _is_leaf(self) -> BoolArray | np.bool_:
        return np.True_ if self._hierarchy is None else self._leaf_of_value >= 0

    @cached_property
    def _by_leaf(self) -> _Line:
        return _Line.of(self._leaf_of_value)

    @cached_property
    def _lines(self) -> dict[Family, _Line]:
        """The values in the order of what they measure, by what they can be compared with."""
        values = self._values
        if values.numbers is not None:
            is_day = values.kind == "date"
            marks = values.numbers.astype(np.int64) * DAY_LENGTH if is_day else values.numbers
            return {FAMILIES[values.kind]: _Line.of(marks)}
        if values.kind == "text" and self._spec.may_be_numbers:
            return _lines_of_text(values.labels)
        return {}


class _Line(NamedTuple):
    """What some values measure, ascending, and their places in the column."""

    marks: NumberArray
    places: Int64Array | None  # None: they stand in this order already

    @classmethod
    def of(cls, marks: NumberArray) -> _Line:
        if (marks[1:] >= marks[:-1]).all():
            return cls(marks, None)
        order = np.argsort(marks, kind="stable")
        return cls(marks[order], order)

    def between(self, low: float, high: float, *, has_last: bool = True) -> Places:
        """The places of the values between two ends."""
        first = self._position(low, after=False)
        found = slice(first, max(first, self._position(high, after=has_last)))
        return found if self.places is None else self.places[found]

    def _position(self, mark: float, *, after: bool) -> int:
        """How many values lie before a mark, or before and on it.

        Whole numbers are compared as such: beyond 2^53 a float cannot tell them apart.
        """
        if mark == math.inf:  # 90+
            return len(self.marks)
        if self.marks.dtype != np.int64:
            return int(np.searchsorted(self.marks, _as_float(mark), "right" if after else "left"))
        # The first whole number that lies behind.
        bound = math.floor(mark) + 1 if after else math.ceil(mark)
        if abs(bound) >= 2**63:
            return 0 if bound < 0 else len(self.marks)
        return int(np.searchsorted(self.marks, np.int64(bound), "left"))


def _ends(places: Places) -> Iterator[Int64Array]:
    """Where runs of values begin that these places tell from others."""
    if isinstance(places, slice):
        yield np.array([places.start, places.stop])
    else:
        yield places
        yield places + 1


def _as_float(mark: float) -> float:
    try:
        return float(mark)
    except OverflowError:  # a whole number of hundreds of digits
        return math.inf if mark > 0 else -math.inf


def _as_array(marks: Sequence[int | float]) -> NumberArray:
    found = np.array(marks)
    is_too_large = found.dtype == np.object_  # for whole numbers of 64 bits
    return np.array([_as_float(mark) for mark in marks]) if is_too_large else found


def _lines_of_text(labels: Sequence[str]) -> dict[Family, _Line]:
    """The numbers and dates in a column that holds words too, and is therefore text.

    So it is with a population that holds a word which the original did not. A number with leading
    zeros is a code.
    """
    found: dict[Family, list[tuple[int | float, int]]] = {}
    for i, label in enumerate(labels):
        mark = measure(label)
        if mark is not None and (mark.family != "number" or re.search(NUMBER, label)):
            found.setdefault(mark.family, []).append((mark.first, i))
    lines: dict[Family, _Line] = {}
    for family, marked in found.items():
        marks, places = _as_array([mark for mark, _ in marked]), [place for _, place in marked]
        order = np.argsort(marks, kind="stable")
        lines[family] = _Line(marks[order], np.array(places, dtype=np.int64)[order])
    return lines
