"""Rows that differ in sensitive values only are one row to a search that looks at sizes alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.types.grouping import Grouping
from shoal.types.table import Table


def folded(table: Table) -> Table:
    """The same records without their sensitive values."""
    begins = _begins(table)
    return Table(
        codes=np.ascontiguousarray(table.codes[begins]),
        sensitive=np.zeros((len(begins), 0), dtype=np.int32),
        weights=np.add.reduceat(table.weights, begins),
        axes=table.axes,
    )


def unfolded(grouping: Grouping, table: Table) -> Grouping:
    """A grouping of the folded table as one of the table.

    Records are thought of in a line, in the order of rows; each piece between two ends, of rows or
    of parts, is a part of its own.
    """
    order = np.lexsort((grouping.labels, grouping.rows))
    of_parts, of_rows = np.cumsum(grouping.counts[order]), np.cumsum(table.weights)
    ends = np.union1d(of_parts, of_rows)
    first = np.append(0, ends[:-1])
    rows = np.searchsorted(of_rows, first, side="right").astype(np.int32)
    labels = grouping.labels[order][np.searchsorted(of_parts, first, side="right")]
    return replace(grouping, rows=rows, counts=ends - first, labels=labels)


def _begins(table: Table) -> np.ndarray:
    """Where a row begins that differs from the one before: rows are in order."""
    return np.flatnonzero(np.append(True, (table.codes[1:] != table.codes[:-1]).any(axis=1)))
