"""Where the records of a table can be in a release, by the text of its cells and its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.errors import InputError, counted
from shoal.read.columns import read_column
from shoal.read.sensitive import CodedSensitive
from shoal.together.sets import Counts, Folded, Sets, components, fold
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from shoal.verify.covers import CellReader
from shoal.verify.matching import Matching

TEXT = (pl.String, pl.Categorical, pl.Enum)


class ReadRelease(NamedTuple):
    """A release as whoever holds it reads it: groups of equal cells, and values left unchanged.

    `unchanged` has codes for each row, the same codes as in the table and in other releases.
    """

    cells: Mapping[str, RawColumn]
    specs: Mapping[str, ColumnSpec]
    unchanged: Mapping[str, Int32Array]
    counts: Int64Array  # the records of each row

    @property
    def n_records(self) -> int:
        return int(self.counts.sum())


class ReadTable(NamedTuple):
    """The table that releases were made of, coded like them; `persons` are behind its records."""

    quasi: Mapping[str, RawColumn]
    unchanged: Mapping[str, Int32Array]
    sensitive: Mapping[str, CodedSensitive]
    counts: Int64Array
    persons: Int64Array | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """The different rows of a table: quasi-identifiers, unchanged values and, if known, person."""

    table: ReadTable
    quasi: Folded  # of records
    row: Folded  # of records

    @classmethod
    def of_table(cls, table: ReadTable) -> Rows:
        quasi = fold([column.codes for column in table.quasi.values()])
        coded = [column.codes for column in table.sensitive.values()]
        people = [] if table.persons is None else [table.persons]
        return cls(table, quasi, fold([quasi.number, *table.unchanged.values(), *coded, *people]))

    @cached_property
    def weights(self) -> Int64Array:
        return np.bincount(self.row.number, self.table.counts, self.row.n).astype(np.int64)

    @cached_property
    def quasi_of_row(self) -> Int64Array:
        return self.quasi.number[self.row.first]

    def of_rows(self, codes: Int32Array | Int64Array) -> Int64Array:
        """Codes of records as codes of rows."""
        return codes[self.row.first].astype(np.int64)

    @cached_property
    def persons(self) -> Int64Array | None:
        return None if self.table.persons is None else self.of_rows(self.table.persons)

    @cached_property
    def most_of_a_person(self) -> int:
        """The most records that one person has; 1 if it is not known whose they are."""
        if self.persons is None:
            return 1
        people = np.unique(self.persons, return_inverse=True)[1]
        return int(np.bincount(people, self.weights).max(initial=1))

    def codes(self, name: str) -> Int64Array:
        """The sensitive value of each row."""
        return self.of_rows(self.table.sensitive[name].codes)

    def n_codes(self, name: str) -> int:
        return self.table.sensitive[name].column.n_codes

    def totals(self, name: str, chosen: BoolArray) -> Int64Array:
        """How many records, or people if they are known, of some rows have each sensitive value."""
        codes, weights = self.codes(name)[chosen], self.weights[chosen]
        if self.persons is not None:
            codes = codes[fold([codes, self.persons[chosen]]).first]
            weights = np.ones(len(codes), dtype=np.int64)
        return np.bincount(codes, weights, self.n_codes(name)).astype(np.int64)

    def of_column(self, name: str) -> RawColumn:
        """A quasi-identifier of the different combinations of them."""
        column = self.table.quasi[name]
        return replace(column, codes=column.codes[self.quasi.first])


@dataclass(frozen=True, eq=False, repr=False)
class Placed:
    """The groups of a release that rows of a table can belong to.

    Group number `absent`, which comes after all groups, means: not in this release. `covering`:
    by combination of quasi-identifiers, the groups whose cells cover it. `may_have`: by row, those
    of them which have a record with the row's unchanged values. `looked_in`: by row, the groups
    that an adversary looks in, who knows the quasi-identifiers and who is in which release.
    """

    release: ReadRelease
    groups: Folded  # of the release's rows
    absent: int
    covering: Sets
    may_have: Sets
    looked_in: Sets
    n_alone: int  # records of the release that no row of the table can have

    @classmethod
    def of_release(cls, release: ReadRelease, rows: Rows, watch: Watch | None = None) -> Placed:
        groups = fold([column.codes for column in release.cells.values()])
        absent = groups.n
        columns = {name: rows.of_column(name) for name in release.cells}
        refuse_unreadable(release, groups, columns)
        covering = covering_groups(release, groups, columns, rows.quasi.n, watch)
        keys = both_keys(release, rows, tuple(release.unchanged))
        held = Counts(groups.number, keys.of_release, release.counts, keys.n)
        candidates = covering.of(rows.quasi_of_row)
        of_row = np.repeat(np.arange(rows.row.n), candidates.sizes)
        has_values = held.of(candidates.members, keys.of_rows[of_row]) > 0
        may_have = candidates.without(~has_values)
        is_absent = may_have.sizes == 0
        looked_in = candidates.without(is_absent[of_row])
        placeable = np.unique(candidates.members * keys.n + keys.of_rows[of_row])
        is_alone = ~np.isin(held.groups * keys.n + held.keys, placeable)
        return cls(
            release,
            groups,
            absent,
            covering.filled(absent),
            may_have.filled(absent),
            looked_in.filled(absent),
            int(held.counts[is_alone].sum()),
        )

    @property
    def group_of_row(self) -> Int64Array:
        return self.groups.number

    @cached_property
    def is_absent(self) -> BoolArray:
        """Rows that cannot have a record in this release."""
        return np.asarray(self.may_have.members[self.may_have.starts[:-1]] == self.absent)

    @property
    def n_rows_of_group(self) -> Int64Array:
        """The records of each group; the last, of nobody, has none."""
        sizes = np.bincount(self.group_of_row, self.release.counts, self.absent + 1)
        return sizes.astype(np.int64)

    @cached_property
    def component(self) -> Int64Array:
        """Groups that cover the same people hang together; by group, the absent one alone."""
        quasi = np.repeat(np.arange(len(self.covering.sizes)), self.covering.sizes)
        is_group = self.covering.members != self.absent
        left, right = quasi[is_group], self.covering.members[is_group]
        return components(left, right, len(self.covering.sizes), self.absent + 1)


class Keys(NamedTuple):
    """One number for the values of some columns, in a release and in the rows of a table."""

    of_release: Int64Array
    of_rows: Int64Array
    n: int


def both_keys(release: ReadRelease, rows: Rows, names: Sequence[str]) -> Keys:
    """Number the values of some unchanged columns alike in both."""
    n_rows = len(release.counts)
    if not names:
        return Keys(np.zeros(n_rows, np.int64), np.zeros(rows.row.n, np.int64), 1)
    columns = [
        np.concatenate([release.unchanged[name], rows.of_rows(rows.table.unchanged[name])])
        for name in names
    ]
    folded = fold(columns)
    return Keys(folded.number[:n_rows], folded.number[n_rows:], folded.n)


def covering_groups(
    release: ReadRelease,
    groups: Folded,
    columns: Mapping[str, RawColumn],
    n_quasi: int,
    watch: Watch | None,
) -> Sets:
    """By combination of quasi-identifiers, the groups whose cells cover all of them."""
    cells = cells_of(release, groups)
    found = list(Matching.of_cells(cells, columns, release.specs, watch))
    sizes = [len(places) for _, places in found]
    members = np.repeat(np.array([group for group, _ in found], dtype=np.int64), sizes)
    places = np.concatenate([places for _, places in found] or [np.zeros(0, np.int64)])
    return Sets.of_pairs(places, members, n_quasi)


def cells_of(release: ReadRelease, groups: Folded) -> dict[str, list[str | None]]:
    """The cells of each group, by column."""
    found = {}
    for name, column in release.cells.items():
        labels = (*column.labels, None)
        found[name] = [labels[code] for code in column.codes[groups.first].tolist()]
    return found


def refuse_unreadable(
    release: ReadRelease, groups: Folded, columns: Mapping[str, RawColumn]
) -> None:
    """Refuse cells that cover no value of the table: it cannot be said who is there."""
    for name, texts in cells_of(release, groups).items():
        values = CellReader(columns[name], release.specs[name]).merged(texts)
        reader = CellReader(values, release.specs[name])
        odd = {text for text in set(texts) if text and not reader.covered(text)[:-1].any()}
        is_odd = np.array([*(label in odd for label in release.cells[name].labels), False])
        n_records = int(release.counts[is_odd[release.cells[name].codes]].sum())
        if n_records:
            raise InputError(
                f"Column {name!r}: {counted(n_records, 'record')} of a release "
                f"{'has a cell that covers' if n_records == 1 else 'have cells that cover'} no "
                "value of the table. It was made of another table, or with another hierarchy, so "
                "it cannot be said who is in it. Give the table and a policy that it was made with."
            )


def alike(columns: Sequence[pl.Series], missing_values: Sequence[str]) -> list[Int32Array]:
    """Codes of several columns, equal where the values are; missing is -1.

    Text is compared letter by letter; with numbers or dates, by what it means.

    >>> alike([pl.Series(["1.0", "2.5"]), pl.Series([2.5, None])], [""])
    [array([0, 1], dtype=int32), array([ 1, -1], dtype=int32)]
    """
    is_mixed = len({column.dtype in TEXT for column in columns}) > 1
    read = [read_column(c, is_text=is_mixed, missing_values=missing_values) for c in columns]
    number: dict[str, int] = {}
    found = []
    for column in read:
        codes = [number.setdefault(label, len(number)) for label in column.labels]
        found.append(np.array([*codes, -1], dtype=np.int32)[column.codes])
    return found
