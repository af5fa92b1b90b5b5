"""The table that algorithms see: distinct rows of codes, with the number of records of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.sensitive import SensitiveColumn


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


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Folded records: one row per different combination of quasi and sensitive values.

    Rows are in lexicographic order of their codes, so that nothing depends on the order in
    which the records came.
    """

    codes: Int32Array  # [rows, quasi-identifiers]
    sensitive: Int32Array  # [rows, sensitive columns]
    weights: Int64Array  # [rows], records in each row
    axes: tuple[Axis, ...]
    sensitive_columns: tuple[SensitiveColumn, ...] = ()
    populations: Mapping[str, Population] = field(default_factory=dict)  # by their files

    @property
    def n_rows(self) -> int:
        return len(self.weights)

    @property
    def n_records(self) -> int:
        return int(self.weights.sum())

    @property
    def n_unique(self) -> int:
        """Records that no other looks like in all quasi-identifiers; rows are in their order."""
        is_new = np.append(True, (self.codes[1:] != self.codes[:-1]).any(axis=1))
        sizes = np.add.reduceat(self.weights, np.flatnonzero(is_new))
        return int((sizes == 1).sum())

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
            column.name: np.bincount(
                self.sensitive[:, i], self.weights, minlength=column.n_codes
            ).astype(np.int64)
            for i, column in enumerate(self.sensitive_columns)
        }


@dataclass(frozen=True, eq=False, repr=False)
class Encoding:
    """A table, what it was folded from, and notes for the user.

    `row_of_record` is the table's row of each row of the source, -1 where that was suppressed
    beforehand. A row of the source is one record, or as many as the source counts.
    """

    table: Table
    row_of_record: Int32Array
    n_suppressed: int = 0  # records
    notes: tuple[str, ...] = ()

    @property
    def n_records(self) -> int:
        return self.table.n_records + self.n_suppressed
