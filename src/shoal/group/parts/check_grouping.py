"""Whether what an algorithm returned is a grouping at all.

`verify` sees only what is published, and cannot know that a record is in the wrong box. Algorithms
come from other packages too, so every result is checked.
"""

from __future__ import annotations

import numpy as np

from shoal.errors import NotVerified
from shoal.types.algorithm import Limits
from shoal.types.arrays import SUPPRESSED
from shoal.types.grouping import Grouping
from shoal.types.table import Table


def check_grouping(grouping: Grouping, *, table: Table, limits: Limits, algorithm: str) -> None:
    """Every record in exactly one part, every part inside its box, suppression within its limit."""
    rows, labels = grouping.rows, grouping.labels
    if (np.diff(rows) < 0).any():
        raise NotVerified.no_grouping(algorithm, "its parts are not sorted by row")
    placed = np.bincount(rows, weights=grouping.counts, minlength=table.n_rows)
    if len(placed) != table.n_rows or (placed != table.weights).any():
        raise NotVerified.no_grouping(algorithm, "records are missing or occur twice")
    is_placed = labels != SUPPRESSED
    codes, groups = table.codes[rows[is_placed]], labels[is_placed]
    if ((codes < grouping.low[groups]) | (codes > grouping.high[groups])).any():
        raise NotVerified.no_grouping(algorithm, "a record is outside the box of its group")
    if grouping.n_suppressed > limits.suppression:
        raise NotVerified.no_grouping(algorithm, "more records are suppressed than allowed")
