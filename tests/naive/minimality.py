"""What a group that was not divided tells, by trying every way to give its values to its people."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations


def beliefs(values, cuts, holds):
    """For each person how likely each value is.

    `cuts`: for each cut that was tried, the set of people on its left. An assignment is possible if
    every cut leaves a side whose values do not hold. None: no assignment is possible.
    """
    people = range(len(values))
    possible = [
        given
        for given in permutations(values)
        if all(
            not holds([given[p] for p in people if p in left])
            or not holds([given[p] for p in people if p not in left])
            for left in cuts
        )
    ]
    if not possible:
        return None
    return [
        {
            value: Fraction(count, len(possible))
            for value, count in Counter(given[p] for given in possible).items()
        }
        for p in people
    ]
