"""The numbers of a column that is released as it is, added up by row and by group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from shoal.errors import BadOption, nearest
from shoal.types.arrays import FloatArray, Int32Array
from shoal.types.column import RawColumn
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec


class KeptNumbers(NamedTuple):
    """Sums and counts of a column: of the rows of the table, and of the groups of the release.

    Records without a number count nothing.
    """

    sums_of_rows: FloatArray
    counts_of_rows: FloatArray
    sums_of_groups: FloatArray
    counts_of_groups: FloatArray

    @classmethod
    def of(cls, outcome: Outcome, name: str) -> KeptNumbers:
        beside = outcome.beside
        if beside is None:
            raise BadOption(f"{name!r}: sums and means need the records, which were only counted.")
        refuse_column(name, beside.specs)
        table, groups = outcome.table, outcome.stats
        return cls(
            *_added(beside.before(name), beside.rows, table.n_rows),
            *_added(beside.after(name), beside.groups, groups.n_groups),
        )


def refuse_column(name: str, columns: Mapping[str, ColumnSpec]) -> None:
    """Refuse a column that is not released as it is."""
    kept = [other for other, spec in columns.items() if spec.handled_as in ("keep", "sensitive")]
    if name not in kept:
        raise BadOption(
            f"{name!r} must be a column that is kept as it is, or sensitive{nearest(name, kept)}"
        )


def _added(column: RawColumn, places: Int32Array, n: int) -> tuple[FloatArray, FloatArray]:
    """What the records at each place add up to, and how many have a number, in any order."""
    if column.numbers is None or column.kind not in ("integer", "number"):
        raise BadOption(f"{column.name!r} has no numbers, so there is no sum and no mean of it.")
    numbers = np.append(column.numbers.astype(np.float64), np.nan)[column.codes]
    is_known = ~np.isnan(numbers) & (places >= 0)
    numbers, places = numbers[is_known], places[is_known]
    order = np.lexsort((numbers, places))  # sums of fractions depend on it
    sums = np.bincount(places[order], numbers[order], minlength=n)
    return sums.astype(np.float64), np.bincount(places, minlength=n).astype(np.float64)
