"""What privacy models look at: sizes of groups, the values in them, and the people they match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.sensitive import SensitiveColumn


class ValueCounts(NamedTuple):
    """How often each value occurs in each group, listing only values that occur.

    Group g has the values `values[starts[g]:starts[g + 1]]`, ascending, with `counts` alike.
    """

    starts: Int64Array
    values: Int32Array
    counts: Int64Array

    @property
    def n_distinct(self) -> Int64Array:
        return np.diff(self.starts)

    @property
    def groups(self) -> Int64Array:
        """The group of each entry, for models that add up over groups."""
        return np.repeat(np.arange(len(self.starts) - 1), self.n_distinct)

    @property
    def shares(self) -> FloatArray:
        """What part of its group each entry is."""
        groups = self.groups
        sizes = np.bincount(groups, self.counts, minlength=len(self.starts) - 1)
        return np.asarray(self.counts / sizes[groups])

    def totals(self, n_codes: int) -> Int64Array:
        """How often each value occurs in all groups together."""
        found = np.bincount(self.values, self.counts, minlength=n_codes)
        return np.rint(found).astype(np.int64)

    def of_groups(self, chosen: BoolArray) -> ValueCounts:
        """The same for some of the groups."""
        is_entry = np.repeat(chosen, self.n_distinct)
        starts = np.append(0, np.cumsum(self.n_distinct[chosen]))
        return ValueCounts(starts, self.values[is_entry], self.counts[is_entry])


class Presence(NamedTuple):
    """How likely it is that people of a population are in the release, by their cells alone.

    Of the people that groups match, the least and the most likely one; and how many people of the
    population no group matches, who are certainly not in it.
    """

    lowest: FloatArray
    highest: FloatArray
    n_outside: int


class Matches(Protocol):
    """The people of a population that each group matches: its cells cover their values."""

    def sizes(self) -> Int64Array: ...
    def presence(self, counts: Int64Array) -> Presence:
        """With so many released records in each group, each equally likely any it matches."""

    def of_groups(self, chosen: BoolArray) -> Matches: ...


class GroupStats:
    """Sizes of groups and, counted when first asked for, all else that models look at.

    The groups are all of a release, unless `totals` says how often each value of each sensitive
    column occurs in all of it: then they are some that a search considers.
    """

    def __init__(
        self,
        sizes: Int64Array,
        count_values: Mapping[str, Callable[[], ValueCounts]],
        *,
        columns: Mapping[str, SensitiveColumn] | None = None,
        matches: Mapping[str, Callable[[], Matches]] | None = None,
        totals: Mapping[str, Int64Array] | None = None,
    ) -> None:
        self.sizes = sizes
        self._count_values = count_values
        self._columns = columns or {}
        self._find_matches = matches or {}
        self._totals = totals
        self._counted: dict[str, ValueCounts] = {}
        self._matched: dict[str, Matches] = {}

    @property
    def n_groups(self) -> int:
        return len(self.sizes)

    @property
    def is_whole(self) -> bool:
        """Whether these are all groups of a release, so that sums over them mean something."""
        return self._totals is None

    def counts(self, column: str) -> ValueCounts:
        if column not in self._counted:
            self._counted[column] = self._count_values[column]()
        return self._counted[column]

    def column(self, name: str) -> SensitiveColumn:
        """What the values of a column mean: their names, numbers, hierarchy, severities."""
        return self._columns[name]

    def references(self, name: str) -> tuple[FloatArray, ...]:
        """Shares of the values that groups are compared with, by code.

        Those of the input, where it is known, and those of all released records: a recipient
        who checks a release has only these. A value with no share does not occur there.
        """
        column = self._columns[name]
        totals = self._totals
        released = self.counts(name).totals(column.n_codes) if totals is None else totals[name]
        counted = [released]
        if column.counts is not None and (column.counts != released).any():
            counted.insert(0, column.counts)
        return tuple(counts / max(counts.sum(), 1) for counts in counted)

    def matches(self, population: str) -> Matches:
        """The people of a population that each group matches, by the file that it was read from."""
        if population not in self._matched:
            self._matched[population] = self._find_matches[population]()
        return self._matched[population]

    def of_groups(self, chosen: BoolArray) -> GroupStats:
        """What a release of some of the groups, the others being suppressed, would show."""
        return GroupStats(
            self.sizes[chosen],
            {
                name: lambda name=name: self.counts(name).of_groups(chosen)  # type: ignore[misc]
                for name in self._count_values
            },
            columns=self._columns,
            matches={
                name: lambda name=name: self.matches(name).of_groups(chosen)  # type: ignore[misc]
                for name in self._find_matches
            },
            totals=self._totals,
        )
