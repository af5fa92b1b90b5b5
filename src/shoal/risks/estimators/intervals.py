"""Intervals of 95 % for the figures of the tree.

They are measured, not derived: so far were the truths of samples of a known population from what
was estimated (benchmarks/population.py, the first half of its column sets). Errors are those of
the model, and grow with how little of the population is seen; they are nearly always upwards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Interval = tuple[float, float]
Z = 1.96
FEW = 3.7  # of 97.5 %: none were found where so many are expected


class Errors(NamedTuple):
    """On the scale of logits: downwards `low + slope` ln(1 / fraction), upwards `high`."""

    low: float
    slope: float
    high: float


OF_UNIQUES = Errors(0.2, 0.2, 0.2)
OF_MEAN = Errors(0.03, 0.1, 0.1)


def interval_of(
    share: float, *, n_records: int, fraction: float, errors: Errors, highest: float
) -> Interval:
    """Around an estimated share of the records, from 0 to a `highest` that is known.

    To the errors of the model those of drawing are added: of n records so many are unique, give or
    take a square root, and none may be a few.

    >>> low, high = interval_of(0.1, n_records=1000, fraction=0.05, errors=OF_MEAN, highest=0.4)
    >>> round(low, 3), round(high, 3)
    (0.057, 0.134)
    """
    low = high = share
    if 0 < share < 1:
        logit = math.log(share / (1 - share))
        low = _share(logit - errors.low + errors.slope * math.log(fraction))
        high = _share(logit + errors.high)
    low -= Z * math.sqrt(low / n_records)
    high += Z * math.sqrt(high / n_records) + FEW / n_records
    return max(low, 0.0), max(share, min(high, highest))


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
