"""The table that algorithms see: distinct rows of codes, with the number of records of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.people import NO_PERSON, PeopleOfRows
from shoal.types.sensitive import SensitiveColumn
from shoal.types.unit import ENTRY, PERSON, RECORD, Unit


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """The population from which the people of a table come, as different rows and their counts.

    The population has values that the table has not, so it has axes of its own, with the leaves of
    both; `place[i]` gives for each code of the table's axis i the code on that of the population. A
    value without a leaf comes after missing, and only the root covers it.
    """

    codes: Int32Array  # [rows, quasi-identifiers]
    weights: Int64Array
    axes: tuple[Axis, ...]
    places: tuple[Int32Array, ...]

    @property
    def n_people(self) -> int:
        return int(self.weights.sum())

    def with_columns(self, order: Sequence[int]) -> Population:
        return replace(
            self,
            codes=np.ascontiguousarray(self.codes[:, order]),
            axes=tuple(self.axes[i] for i in order),
            places=tuple(self.places[i] for i in order),
        )


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Folded records: one row per different combination of quasi and sensitive values.

    Rows are in lexicographic order of their codes, so that nothing depends on the order in
    which the records came. Where `people` are known, what is folded are their entries; of the
    values that an entry has, `sensitive` shows one, for algorithms that look at values themselves.
    """

    codes: Int32Array  # [rows, quasi-identifiers]
    sensitive: Int32Array  # [rows, sensitive columns]
    weights: Int64Array  # [rows], records in each row
    axes: tuple[Axis, ...]
    sensitive_columns: tuple[SensitiveColumn, ...] = ()
    populations: Mapping[str, Population] = field(default_factory=dict)  # by their files
    people: PeopleOfRows | None = None  # where it is known; then `weights` count entries

    @property
    def n_rows(self) -> int:
        return len(self.weights)

    @property
    def n_records(self) -> int:
        return int(self.weights.sum())

    @property
    def unit(self) -> Unit:
        """What the sizes of groups count."""
        return RECORD if self.people is None else PERSON

    @property
    def placed(self) -> Unit:
        """What algorithms place and suppress: records, people, or entries of these."""
        return ENTRY if self.people is not None and self.people.may_meet else self.unit

    @property
    def size(self) -> int:
        """How many records or, where they are known, different people there are."""
        if self.people is None:
            return self.n_records
        n_alone = int(self.weights[self.people.person == NO_PERSON].sum())
        return n_alone + len(np.unique(self.people.person[self.people.person != NO_PERSON]))

    @property
    def n_unique(self) -> int:
        """Records, or people, that no other looks like in all quasi-identifiers.

        Rows are in the order of these.
        """
        is_new = np.append(True, (self.codes[1:] != self.codes[:-1]).any(axis=1))
        begins = np.flatnonzero(is_new)
        is_alone = np.add.reduceat(self.weights, begins) == 1
        if self.people is None:
            return int(is_alone.sum())
        who = self.people.person[begins[is_alone]]
        return int((who == NO_PERSON).sum()) + len(np.unique(who[who != NO_PERSON]))

    @cached_property
    def n_codes(self) -> dict[str, int]:
        """How many codes each column has."""
        of_sensitive = {column.name: column.n_codes for column in self.sensitive_columns}
        return of_sensitive | {axis.name: axis.n_codes for axis in self.axes}

    def column(self, name: str) -> Int32Array:
        """The codes of a column, by row."""
        for i, axis in enumerate(self.axes):
            if axis.name == name:
                return np.ascontiguousarray(self.codes[:, i])
        names = [column.name for column in self.sensitive_columns]
        return np.ascontiguousarray(self.sensitive[:, names.index(name)])

    @cached_property
    def totals(self) -> dict[str, Int64Array]:
        """How often each value of the sensitive columns occurs."""
        return {
            column.name: np.bincount(*self._values(i), minlength=column.n_codes).astype(np.int64)
            for i, column in enumerate(self.sensitive_columns)
        }

    def _values(self, i: int) -> tuple[Int32Array, Int64Array]:
        """All values of a sensitive column, each with the records or entries that have it."""
        if self.people is None:
            return self.sensitive[:, i], self.weights
        rows, values = self.people.values[i].spread(self.people.sets[:, i])
        return values, self.weights[rows]

    def with_columns(self, order: Sequence[int]) -> Table:
        """The same with its quasi-identifiers in another order; rows keep their places."""
        if list(order) == list(range(len(self.axes))):
            return self
        return replace(
            self,
            codes=np.ascontiguousarray(self.codes[:, order]),
            axes=tuple(self.axes[i] for i in order),
            populations={file: p.with_columns(order) for file, p in self.populations.items()},
        )

    def place(self, name: str) -> int | None:
        """Which of the sensitive columns a column is, None if it is none of them."""
        names = [column.name for column in self.sensitive_columns]
        return names.index(name) if name in names else None


@dataclass(frozen=True, eq=False, repr=False)
class Encoding:
    """A table, what it was folded from, and notes for the user.

    `row_of_record` is the table's row of each row of the source, -1 where that was suppressed
    beforehand. A row of the source is one record, or as many as the source counts. Where people are
    known, records of one entry have the same number in `entry_of_record`, and stay together.
    """

    table: Table
    row_of_record: Int32Array
    n_suppressed: int = 0  # records, or entries of people
    notes: tuple[str, ...] = ()
    entry_of_record: Int32Array | None = None

    @property
    def n_records(self) -> int:
        """Records or, where people are known, their entries."""
        return self.table.n_records + self.n_suppressed
