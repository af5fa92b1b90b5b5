"""Which combinations of up to three columns are counted, where there are too many."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

Places = tuple[int, ...]  # of columns in the table, ascending
LARGEST_COMBINATION = 3


class Choice(NamedTuple):
    """Combinations of one size, in the order of the columns, and how many were left out."""

    counted: list[Places]
    n_left_out: int


def choose(size: int, ranking: Sequence[int], room: int) -> Choice:
    """At most `room` combinations of a size; those of the columns that are ranked first.

    All combinations of the first m columns come before any with the next one, so that the most
    identifying columns are looked at together.

    >>> choose(2, ranking=[3, 0, 2, 1], room=3)
    Choice(counted=[(0, 2), (0, 3), (2, 3)], n_left_out=3)
    """
    n_all = math.comb(len(ranking), size)
    taken = islice(_from_the_first(size, ranking), max(room, 0))
    counted = sorted(tuple(sorted(places)) for places in taken)
    return Choice(counted, n_all - len(counted))


def _from_the_first(size: int, ranking: Sequence[int]) -> Iterator[Places]:
    for last in range(size - 1, len(ranking)):
        for others in combinations(range(last), size - 1):
            yield tuple(ranking[i] for i in (*others, last))
