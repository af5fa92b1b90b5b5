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
    def sizes(self) -> FloatArray:
        """The counts of each group, added up."""
        sizes = np.bincount(self.groups, self.counts, minlength=len(self.starts) - 1)
        return sizes.astype(np.float64)

    @property
    def shares(self) -> FloatArray:
        """What part of its group each entry is."""
        return np.asarray(self.counts / self.sizes[self.groups])

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


class Whole(NamedTuple):
    """All that is released, where groups are only some of it, which a search considers.

    `totals`: how often each value of each sensitive column occurs. `n`: the sizes of all groups.
    """

    totals: Mapping[str, Int64Array]
    n: int


class GroupStats:
    """Sizes of groups and, counted when first asked for, all else that models look at.

    The groups are all of a release, unless `whole` says what that is. With `counts_people`, sizes
    and counts of values are of different people, who may have several values each; `entries` are
    then what a group costs, and suppresses, in the units of a table's weights.
    """

    def __init__(
        self,
        sizes: Int64Array,
        count_values: Mapping[str, Callable[[], ValueCounts]],
        *,
        columns: Mapping[str, SensitiveColumn] | None = None,
        matches: Mapping[str, Callable[[], Matches]] | None = None,
        whole: Whole | None = None,
        entries: Int64Array | None = None,
        counts_people: bool = False,
    ) -> None:
        self.sizes = sizes
        self.entries = sizes if entries is None else entries
        self.counts_people = counts_people
        self._count_values = count_values
        self._columns = columns or {}
        self._find_matches = matches or {}
        self._whole = whole
        self._counted: dict[str, ValueCounts] = {}
        self._matched: dict[str, Matches] = {}

    @property
    def n_groups(self) -> int:
        return len(self.sizes)

    @property
    def is_whole(self) -> bool:
        """Whether these are all groups of a release, so that sums over them mean something."""
        return self._whole is None

    def counts(self, column: str) -> ValueCounts:
        if column not in self._counted:
            self._counted[column] = self._count_values[column]()
        return self._counted[column]

    def column(self, name: str) -> SensitiveColumn:
        """What the values of a column mean: their names, numbers, hierarchy, severities."""
        return self._columns[name]

    def confidences(self, column: str) -> FloatArray:
        """Of each entry of `counts`, the share of its group that has the value.

        Shares of one group add up to 1, or to more where people have several values.
        """
        found = self.counts(column)
        if not self.counts_people:
            return found.shares
        return np.asarray(found.counts / self.sizes[found.groups])

    def references(self, name: str) -> tuple[FloatArray, ...]:
        """The distributions of values that groups are compared with, by code.

        Those of the input, where it is known, and those of all released records: a recipient
        who checks a release has only these. A value with no share does not occur there.
        """
        return tuple(counts / max(counts.sum(), 1) for counts, _ in self._compared(name))

    def expectations(self, name: str) -> tuple[FloatArray, ...]:
        """The same as shares of those who have a value, which people may have several of."""
        if not self.counts_people:
            return self.references(name)
        return tuple(counts / max(n, 1) for counts, n in self._compared(name))

    def _compared(self, name: str) -> list[tuple[Int64Array, int]]:
        """How often each value occurs, and among how many: in the input, if known, and released."""
        column, released = self._columns[name], self._released(name)
        totals = released.totals[name]
        if column.counts is None:
            return [(totals, released.n)]
        n = column.n_counted or int(column.counts.sum())
        if n == released.n and (column.counts == totals).all():
            return [(totals, n)]
        return [(column.counts, n), (totals, released.n)]

    def _released(self, name: str) -> Whole:
        if self._whole is not None:
            return self._whole
        totals = self.counts(name).totals(self._columns[name].n_codes)
        return Whole({name: totals}, int(self.sizes.sum()))

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
            whole=self._whole,
            entries=self.entries[chosen],
            counts_people=self.counts_people,
        )

    def with_certain_values(self, column: str) -> tuple[GroupStats, Int64Array]:
        """The groups and, for each value that all people of a group have, one with it alone.

        What else they have does not make such a value less certain. The second array has the group
        that each is about. Groups of people with one value each come back as they are.
        """
        found = self.counts(column)
        groups = found.groups
        is_one_of_several = found.n_distinct[groups] > 1
        certain = np.flatnonzero(is_one_of_several & (found.counts == self.sizes[groups]))
        about = np.concatenate([np.arange(self.n_groups), groups[certain]])
        if not len(certain):
            return self, about
        counts = ValueCounts(
            np.append(found.starts, found.starts[-1] + np.arange(1, len(certain) + 1)),
            np.append(found.values, found.values[certain]),
            np.append(found.counts, found.counts[certain]),
        )
        stats = GroupStats(
            self.sizes[about],
            {column: lambda: counts},
            columns=self._columns,
            whole=self._released(column),
            counts_people=True,
        )
        return stats, about
