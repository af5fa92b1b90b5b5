"""How many candidates each view has, and how many of them have each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.together.looks import Pairs
from shoal.together.placed import Placed, Rows
from shoal.together.sets import Counts, Sets, fold
from shoal.types.arrays import Int64Array
from shoal.types.stats import ValueCounts

UNLIMITED = np.iinfo(np.int64).max // 2


class Space(NamedTuple):
    """Some releases, and the unchanged columns that all of them have."""

    columns: tuple[str, ...]
    releases: tuple[int, ...]


class CandidateCounts:
    """Adds up pairs of views and rows that they can be, those of some views at a time.

    Candidates with one combination of unchanged values are no more than the rows that have it in
    any of the releases, among those looked in; and as many fewer as people with these values who
    are covered there have no row, since any of them may be missing.
    """

    def __init__(self, rows: Rows, placed: Sequence[Placed], looked_in: Sequence[Sets]) -> None:
        self._rows = rows
        self._n_views = len(looked_in[0].sizes)
        self._has = {
            name: [i for i, place in enumerate(placed) if name in place.release.unchanged]
            for name in rows.table.sensitive
        }
        of_all = space_of(placed, range(len(placed)))
        self._spaces = {name: space_of(placed, has) for name, has in self._has.items()}
        self._of_all = _Tally(rows, placed, looked_in, of_all)
        self._tallies = {of_all: self._of_all}
        for space in self._spaces.values():
            if space not in self._tallies:
                self._tallies[space] = _Tally(rows, placed, looked_in, space)
        self._n_people = np.zeros(self._n_views, dtype=np.int64)
        self._people: dict[str, list[Int64Array]] = {name: [] for name in rows.table.sensitive}

    def add(self, first: int, behind: int, pairs: Pairs) -> None:
        """The pairs of the views from the first on."""
        for tally in self._tallies.values():
            tally.add(pairs)
        if self._rows.persons is None:
            return
        persons = self._rows.persons[pairs.row]
        different = fold([pairs.view, persons]).first
        n_people = np.bincount(pairs.view[different] - first, minlength=behind - first)
        self._n_people[first:behind] = n_people
        for name, found in self._people.items():
            codes = self._rows.codes(name)[pairs.row]
            different = fold([pairs.view, codes, persons]).first
            found.append(pairs.view[different] * self._rows.n_codes(name) + codes[different])

    @cached_property
    def n_records(self) -> Int64Array:
        """The candidates of each view, as records."""
        return self._of_all.sizes

    @cached_property
    def sizes(self) -> Int64Array:
        """The candidates of each view: people where they are known, else records."""
        if self._rows.persons is not None:
            return np.minimum(self._n_people, self.n_records)
        found = [self.n_records]
        found += [self.of_values(name).sizes.astype(np.int64) for name in self._spaces]
        return np.asarray(np.minimum.reduce(found))

    def of_values(self, name: str) -> ValueCounts:
        """How many of the candidates have each value of a sensitive column."""
        n_codes = self._rows.n_codes(name)
        keys, counts = self._tallies[self._spaces[name]].by_code(name)
        if self._rows.persons is not None:
            found = np.concatenate(self._people[name] or [keys[:0]])
            different, n_people = np.unique(found, return_counts=True)
            counts = np.minimum(counts, n_people[np.searchsorted(different, keys)])
        view, code = np.divmod(keys, n_codes)
        starts = np.searchsorted(view, np.arange(self._n_views + 1))
        return ValueCounts(starts.astype(np.int64), code.astype(np.int32), counts)


@dataclass(eq=False, repr=False)
class _Tally:
    """The candidates of each view by key: a combination of values that releases have in common."""

    rows: Rows
    placed: Sequence[Placed]
    looked_in: Sequence[Sets]
    space: Space

    def __post_init__(self) -> None:
        self._key = keys_alike(self.rows, self.placed, self.space)
        self._view: list[Int64Array] = []
        self._keys: list[Int64Array] = []
        self._counts: list[Int64Array] = []
        self._limits = [
            _Limit(self.placed[i], self.looked_in[i], self._key.by_release[i], self._key, self.rows)
            for i in self.space.releases
        ]

    def add(self, pairs: Pairs) -> None:
        pair = pairs.view * self._key.n + self._key.of_rows[pairs.row]
        found, n = sums(pair, self.rows.weights[pairs.row])
        view, keys = np.divmod(found, self._key.n)
        least = n
        for limit in self._limits:
            at_most, n_missing = limit.of(view, keys)
            least, n = np.minimum(least, at_most), n - n_missing
        self._view.append(view)
        self._keys.append(keys)
        self._counts.append(np.maximum(np.minimum(least, n), 0))

    @cached_property
    def _added(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        nothing = np.zeros(0, dtype=np.int64)
        parts = (self._view, self._keys, self._counts)
        view, keys, counts = (np.concatenate(part or [nothing]) for part in parts)
        is_left = counts > 0
        return view[is_left], keys[is_left], counts[is_left]

    @property
    def sizes(self) -> Int64Array:
        view, _, counts = self._added
        return np.bincount(view, counts, len(self.looked_in[0].sizes)).astype(np.int64)

    def by_code(self, name: str) -> tuple[Int64Array, Int64Array]:
        """Views and values of a column as one number, ascending, and the candidates of each."""
        view, keys, counts = self._added
        codes = self._key.codes(name, self.rows)[keys]
        found, place = np.unique(view * self.rows.n_codes(name) + codes, return_inverse=True)
        return found, np.bincount(place, counts, len(found)).astype(np.int64)


def sums(numbers: Int64Array, weights: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Different numbers, ascending, and the weights of each added up.

    >>> sums(np.array([7, 5, 7]), np.array([1, 2, 3]))
    (array([5, 7]), array([2, 4]))
    """
    lowest, highest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    if highest - lowest < 4 * len(numbers):  # then a table is faster than sorting
        n = np.bincount(numbers - lowest, minlength=1)
        added = np.bincount(numbers - lowest, weights, minlength=1)
        found = np.flatnonzero(n)
        return found + lowest, added[found].astype(np.int64)
    found, place = np.unique(numbers, return_inverse=True)
    return found, np.bincount(place, weights, len(found)).astype(np.int64)


class _Limit:
    """What one release says of how many candidates have some values."""

    def __init__(
        self, place: Placed, looked_in: Sets, of_release: Int64Array, keys: SameKeys, rows: Rows
    ) -> None:
        self._place, self._looked_in = place, looked_in
        counts = place.release.counts
        self._held = Counts(place.group_of_row, of_release, counts, keys.n)
        self._missing = _missing(place, of_release, keys, rows)

    def of(self, view: Int64Array, keys: Int64Array) -> tuple[Int64Array, Int64Array]:
        """At most so many candidates, and so many people with these values are not in it."""
        spread, group = self._looked_in.spread(view)
        held = np.bincount(spread, self._held.of(group, keys[spread]), len(view)).astype(np.int64)
        first = self._looked_in.members[self._looked_in.starts[view]]
        is_absent = first == self._place.absent
        n_missing = self._missing.of(self._place.component[first], keys)
        return np.where(is_absent, UNLIMITED, held), np.where(is_absent, 0, n_missing)


def _missing(place: Placed, of_release: Int64Array, keys: SameKeys, rows: Rows) -> Counts:
    """By component and key, how many more records of the table are covered than have a row."""
    first = place.covering.members[place.covering.starts[:-1]][rows.quasi_of_row]
    is_covered = first != place.absent
    n = Counts(
        place.component[first[is_covered]],
        keys.of_rows[is_covered],
        rows.weights[is_covered],
        keys.n,
    )
    held = Counts(place.component[place.group_of_row], of_release, place.release.counts, keys.n)
    more = np.maximum(n.counts - held.of(n.groups, n.keys), 0)
    return Counts(n.groups[more > 0], n.keys[more > 0], more[more > 0], keys.n)


@dataclass(frozen=True, eq=False, repr=False)
class SameKeys:
    """One number for the values of some columns, alike in the table and in some releases."""

    of_rows: Int64Array
    by_release: dict[int, Int64Array]
    n: int
    values: dict[str, Int64Array]  # by column, the unchanged value that each key has

    def codes(self, name: str, rows: Rows) -> Int64Array:
        """By key, the code of a sensitive value."""
        values = rows.of_rows(rows.table.unchanged[name])
        lowest = min(int(values.min(initial=0)), int(self.values[name].min(initial=0)))
        highest = max(int(values.max(initial=0)), int(self.values[name].max(initial=0)))
        code = np.zeros(highest - lowest + 1, dtype=np.int64)
        code[values - lowest] = rows.codes(name)
        return code[self.values[name] - lowest]


def keys_alike(rows: Rows, placed: Sequence[Placed], space: Space) -> SameKeys:
    """Number the values of the columns of a space."""
    lengths = [rows.row.n, *(len(placed[i].release.counts) for i in space.releases)]
    columns = [
        np.concatenate(
            [
                rows.of_rows(rows.table.unchanged[name]),
                *(placed[i].release.unchanged[name] for i in space.releases),
            ]
        )
        for name in space.columns
    ] or [np.zeros(sum(lengths), dtype=np.int64)]
    folded = fold(columns)
    of_rows, *others = np.split(folded.number, np.cumsum(lengths)[:-1])
    by_release = dict(zip(space.releases, others, strict=True))
    values = {n: c[folded.first] for n, c in zip(space.columns, columns, strict=False)}
    return SameKeys(of_rows, by_release, folded.n, values)


def space_of(placed: Sequence[Placed], releases: Sequence[int]) -> Space:
    common = set.intersection(*(set(placed[i].release.unchanged) for i in releases))
    return Space(tuple(sorted(common)), tuple(releases))
