"""`shoal hierarchy`: a level table with all values of a column, to edit, check and look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from shoal.errors import HierarchyError, InputError
from shoal.policy.keys import hierarchy_of
from shoal.read.level_table import read_level_table
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.grid import Grid, fitting_grid
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.hierarchy_spec import OTHER
from shoal.types.text import KnownValues

Way = Literal["widths", "quantiles", "prefix", "frequency", "dates", "library", "grouping"]
Rows = tuple[tuple[str, ...], ...]
KEYS = {"widths": "intervals", "dates": "date", "library": "library"}  # of a policy
SEVERAL = 2  # values that come together; one alone would only get another name
FEW = 5  # records below which a value or a node is called rare
BINS_OF_A_PART = 4  # at least, in which a part may end
QUANTILES = 8  # parts of equally many records; above them are half as many, and so on


@dataclass(frozen=True, eq=False)
class Values:
    """A column twice: as its cells are written, which is what a level table lists, and as read.

    In a csv file 1.50 and 1.5 are two leaves of a level table and one number.
    """

    written: RawColumn
    read: RawColumn

    @property
    def name(self) -> str:
        return self.written.name

    @property
    def counts(self) -> Int64Array:
        """The records of each value as it is written."""
        codes = self.written.codes
        return np.bincount(codes[codes >= 0], minlength=len(self.written.labels))

    @property
    def read_of(self) -> list[str]:
        """For each value as it is written, what was read."""
        place = np.zeros(len(self.written.labels), dtype=np.int64)
        is_there = (self.written.codes >= 0) & (self.read.codes >= 0)
        place[self.written.codes[is_there]] = self.read.codes[is_there]
        return [self.read.labels[code] for code in place.tolist()]


class Checked(NamedTuple):
    """What a level table lacks, and what it has in vain."""

    missing: Mapping[str, int]  # values without a leaf, and their records
    n_values: int
    n_records: int
    n_unused: int  # leaves that no record has


class LevelView(NamedTuple):
    """A level of a hierarchy: its nodes with their records, the most frequent first."""

    level: int
    records: Mapping[str, int]

    @property
    def n_rare(self) -> int:
        """Records below nodes that few have."""
        return sum(n for n in self.records.values() if n < FEW)


def refuse_wrong_way(way: Way, value: Any) -> None:
    """Refuse widths, units and libraries that there are not, before anything is read."""
    key = KEYS.get(way)
    if key is not None:
        hierarchy_of({key: value}, ("hierarchy",), Path())


def level_table(values: Values, way: Way, value: Any = None) -> Rows:
    """A row for each value as it is written, from the leaf to the root."""
    if not values.written.labels:
        raise InputError(f"Column {values.name!r} is missing in every record.")
    match way:
        case "frequency":
            return _by_frequency(values, FEW if value is None else value)
        case "grouping":
            return _by_grouping(values, value)
        case "quantiles":
            return _by_quantiles(values, QUANTILES if value is None else value)
        case "prefix":
            value = max(map(len, values.written.labels))
    key = KEYS.get(way, way)
    spec = hierarchy_of({key: value}, ("hierarchy",), Path())
    assert spec is not None
    # Codes are taken letter by letter, numbers and dates by what they are.
    column, names = values.read, values.read_of
    if spec.reads_text:
        column, names = values.written, list(values.written.labels)
    of_label = {path[0]: path for path in spec.build(column).paths()}
    places = [of_label.get(name) for name in names]
    above = [(OTHER,) * (spec.height - 1) + (ROOT,) if p is None else p[1:] for p in places]
    return tuple((leaf, *up) for leaf, up in zip(values.written.labels, above, strict=True))


def check_table(values: Values, file: Path) -> tuple[Rows, Checked]:
    """The rows of a level table, and which values of a column it lacks."""
    rows = read_level_table(file)
    known = KnownValues([row[0] for row in rows], by_number=values.written.numbers is not None)
    places = [known.place(label) for label in values.written.labels]
    counts = values.counts.tolist()
    missing = {
        label: n
        for label, n, place in zip(values.written.labels, counts, places, strict=True)
        if place is None
    }
    n_used = len({place for place in places if place is not None})
    return rows, Checked(missing, len(places), sum(counts), len(rows) - n_used)


def views(values: Values, rows: Rows) -> list[LevelView]:
    """Every level above the leaves and below the root, with the records of its nodes."""
    known = KnownValues([row[0] for row in rows], by_number=values.written.numbers is not None)
    tree = Hierarchy.of_paths(rows)
    leaf = {label: number for number, label in enumerate(tree.leaves)}
    found = []
    for level in range(tree.height):
        records: Counter[str] = Counter()
        for label, n in zip(values.written.labels, values.counts.tolist(), strict=True):
            place = known.place(label)
            if place is not None:
                records[tree.label(level, leaf[rows[place][0]])] += n
        found.append(LevelView(level, dict(sorted(records.items(), key=_most_first))))
    return found


def _most_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _by_frequency(values: Values, fewest: int) -> Rows:
    """Frequent values stay by themselves, rare ones come together; no level where none do."""
    if sum(n < fewest for n in values.counts.tolist()) < SEVERAL:
        return tuple((label, ROOT) for label in values.written.labels)
    return tuple(
        (label, label if n >= fewest else OTHER, ROOT)
        for label, n in zip(values.written.labels, values.counts.tolist(), strict=True)
    )


def _by_grouping(values: Values, file: Path) -> Rows:
    """The steward's own groups: `value;group;...`, some values perhaps without one."""
    rows = {row[0]: row[1:] for row in read_level_table(file)}
    height = len(next(iter(rows.values())))
    known = KnownValues(rows, by_number=values.written.numbers is not None)
    above = list(rows.values())
    none = (*[OTHER] * (height - 1), ROOT)
    places = [known.place(label) for label in values.written.labels]
    return tuple(
        (label, *(none if place is None else above[place]))
        for label, place in zip(values.written.labels, places, strict=True)
    )


def _by_quantiles(values: Values, n_parts: int) -> Rows:
    """Parts of about equally many records; at each level above, two of them are one.

    Parts end at round numbers, units of time for dates, so that no name tells a value of the data.
    """
    read = values.read
    if read.numbers is None:
        raise HierarchyError(f"Column {values.name!r} has no numbers or dates to be cut.")
    records = np.bincount(read.codes[read.codes >= 0], minlength=len(read.labels))
    span = float(read.numbers[-1]) - float(read.numbers[0])
    grid = fitting_grid(read.kind, span / (BINS_OF_A_PART * max(n_parts, 1)), read.numbers)
    bins = grid.bins(read.numbers)
    _, place = np.unique(bins, return_inverse=True)
    in_bin = np.bincount(place, records).astype(np.int64)
    middle = np.cumsum(in_bin) - (in_bin + 1) // 2
    part = (middle * n_parts // max(int(records.sum()), 1))[place]
    levels = []
    while len(np.unique(part)) > 1:
        levels.append(_ranges(grid, bins, part))
        part = part // 2
    of_label = {label: code for code, label in enumerate(read.labels)}
    return tuple(
        (leaf, *(level[of_label[label]] for level in levels), ROOT)
        for leaf, label in zip(values.written.labels, values.read_of, strict=True)
    )


def _ranges(grid: Grid, bins: Int64Array, part: Int64Array) -> list[str]:
    """For each value the range of its part, from where its first bin begins."""
    names = {
        number: grid.text(int(bins[part == number].min()), int(bins[part == number].max()))
        for number in np.unique(part).tolist()
    }
    return [names[number] for number in part.tolist()]
