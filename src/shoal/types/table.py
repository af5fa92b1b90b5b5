"""The table that algorithms see: distinct rows of codes, with the number of records of each."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.column import Axis, SensitiveColumn


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

    @property
    def n_rows(self) -> int:
        return len(self.weights)

    @property
    def n_records(self) -> int:
        return int(self.weights.sum())


@dataclass(frozen=True, eq=False, repr=False)
class Encoding:
    """A table, the row of each input record (-1: suppressed beforehand), and notes for the user."""

    table: Table
    row_of_record: Int32Array
    notes: tuple[str, ...] = ()

    @property
    def n_records(self) -> int:
        return len(self.row_of_record)

    @property
    def n_suppressed(self) -> int:
        return int((self.row_of_record < 0).sum())
