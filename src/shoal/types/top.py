"""The highest value that a column publishes: whatever is above it is told as `90+`."""

from __future__ import annotations

from shoal.types.column import DistinctValues
from shoal.types.grid import plain

SIGN = "+"


def top_label(top: float) -> str:
    """
    >>> top_label(90), top_label(2.5)
    ('90+', '2.5+')
    """
    return plain(int(top) if float(top).is_integer() else top) + SIGN


def is_top_coded(column: DistinctValues) -> bool:
    """Whether the last value of a column stands for all that are no less."""
    return column.numbers is not None and bool(column.labels) and column.labels[-1].endswith(SIGN)
