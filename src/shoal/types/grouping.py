"""What every algorithm returns: which records hide together, and in which box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shoal.types.arrays import SUPPRESSED, BoolArray, Int32Array, Int64Array
from shoal.types.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class Grouping:
    """Groups of records and the box around each.

    A *part* is some of the records of one table row. Most algorithms place rows whole, and then
    part i is row i; one that separates equal records lists a row in several parts.
    """

    rows: Int32Array  # [parts] the table row of each part, ascending
    counts: Int64Array  # [parts] how many of its records
    labels: Int32Array  # [parts] the group, or -1: suppressed
    low: Int32Array  # [groups, quasi-identifiers]
    high: Int32Array
    levels: tuple[int, ...] | None = None  # one level per column, for full-domain recodings
    trace: Mapping[str, Any] = field(default_factory=dict)  # what the algorithm reports
    notes: tuple[str, ...] = ()  # what the user should know of how it was found

    @classmethod
    def of_rows(
        cls, table: Table, labels: Int32Array, low: Int32Array, high: Int32Array, **more: Any
    ) -> Grouping:
        """A grouping that places every row whole."""
        rows = np.arange(table.n_rows, dtype=np.int32)
        return cls(rows, table.weights, labels, low, high, **more)

    @property
    def n_groups(self) -> int:
        return len(self.low)

    @property
    def n_suppressed(self) -> int:
        return int(self.counts[self.labels == SUPPRESSED].sum())

    @property
    def separates_equal_records(self) -> bool:
        return bool((self.rows[1:] == self.rows[:-1]).any())

    def without(self, failing: BoolArray) -> Grouping:
        """The same, with the records of the groups marked in `failing` suppressed."""
        new_label = np.where(failing, SUPPRESSED, np.cumsum(~failing) - 1).astype(np.int32)
        is_placed = self.labels != SUPPRESSED
        labels = np.full_like(self.labels, SUPPRESSED)
        labels[is_placed] = new_label[self.labels[is_placed]]
        return replace(self, labels=labels, low=self.low[~failing], high=self.high[~failing])
