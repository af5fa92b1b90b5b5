"""Shares of a group or table, compared with a limit."""

from __future__ import annotations

from shoal.types.arrays import BoolArray, Int64Array

MOST_RECORDS = 2**53  # no group has so many

# There is no tolerance. A share is one division of counts, rounded once, and so is a limit that is
# written as 0.2 or computed as 1 / 3: where they mean the same, they are the same number. Sums of
# shares need a tolerance, and models that make such sums have one (`privacy/_require.py`); here it
# would let a risk pass that is above the limit.


def is_within(parts: Int64Array, wholes: Int64Array, share: float) -> BoolArray:
    """Whether the parts, as counts of records, are at most such a share of their wholes."""
    within: BoolArray = parts / wholes <= share
    return within


def smallest_group(share: float) -> int:
    """The fewest records of which one alone is at most such a share.

    So a record among so many that look alike has a risk of at most `share`. Where more than there
    will ever be are needed, it is `MOST_RECORDS`.

    >>> smallest_group(0.2), smallest_group(0.09), smallest_group(1 / 3), smallest_group(1.0)
    (5, 12, 3, 1)
    """
    if share * MOST_RECORDS < 1:
        return MOST_RECORDS
    size = max(int(1 / share) - 1, 1)  # one less: the division may have been rounded up
    while 1 / size > share:
        size += 1
    return size
