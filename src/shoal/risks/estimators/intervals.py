"""Intervals of 95 % for the figures of the tree.

They are measured, not derived: so far were the truths of samples of a known population from what
was estimated (benchmarks/population.py, the first half of its column sets). Errors are those of
the model, and grow with how little of the population is seen; they are nearly always upwards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Interval = tuple[float, float]
OF_DRAWING = 0.5  # of a standard error: estimate and truth are about the same sample
FEW = 1  # record


class Errors(NamedTuple):
    """On the scale of logits: downwards `low + slope` ln(1 / fraction), upwards `high`."""

    low: float
    slope: float
    high: float


OF_UNIQUES = Errors(0.15, 0.14, 0.05)
OF_MEAN = Errors(0.15, 0.04, 0.03)


def interval_of(
    share: float, *, n_records: int, fraction: float, errors: Errors, highest: float
) -> Interval:
    """Around an estimated share of the records, from 0 to a `highest` that is known.

    To the errors of the model those of drawing are added, a part of the square root of the number
    of records that are meant.

    >>> low, high = interval_of(0.1, n_records=1000, fraction=0.05, errors=OF_MEAN, highest=0.4)
    >>> round(low, 3), round(high, 3)
    (0.074, 0.109)
    """
    low = high = share
    if 0 < share < 1:
        logit = math.log(share / (1 - share))
        low = _share(logit - errors.low + errors.slope * math.log(fraction))
        high = _share(logit + errors.high)
    low -= OF_DRAWING * math.sqrt(low / n_records)
    high += OF_DRAWING * math.sqrt(high / n_records) + FEW / n_records
    return max(low, 0.0), max(share, min(high, highest))


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
