"""Parts of rows that belong together, added up."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import Int64Array, IntArray
from shoal.types.grouping import Grouping


class Counted(NamedTuple):
    """Different pairs, ascending by the first of each and then by the second, with their counts."""

    first: IntArray
    second: IntArray
    counts: Int64Array


def add_up(first: IntArray, second: IntArray, counts: Int64Array) -> Counted:
    """The counts of equal pairs together.

    >>> add_up(np.array([1, 0, 1]), np.array([5, 5, 5]), np.array([2, 1, 3])).counts.tolist()
    [1, 5]
    """
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    begins = np.flatnonzero(np.append(True, (np.diff(first) != 0) | (np.diff(second) != 0)))
    return Counted(first[begins], second[begins], np.add.reduceat(counts[order], begins))


def joined_parts(grouping: Grouping) -> Grouping:
    """The same with parts in the order of rows, those of one row and one group added up."""
    rows, labels, counts = add_up(grouping.rows, grouping.labels, grouping.counts)
    return replace(
        grouping, rows=rows.astype(np.int32), counts=counts, labels=labels.astype(np.int32)
    )
