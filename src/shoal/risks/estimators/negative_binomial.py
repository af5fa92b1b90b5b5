"""The risk of a record from survey weights: how many people it stands for."""

from __future__ import annotations

import numpy as np

from shoal.types.arrays import FloatArray, Int64Array

LARGE = 32  # classes of so many records need few terms of the series, whatever the weights
N_TERMS = 64


def mean_inverse(n_records: Int64Array, n_people: FloatArray) -> FloatArray:
    """E[1 / F] of classes that have f records, whose weights add up to `n_people`.

    F - f is negative binomial with p = f / `n_people` (Benedetti and Franconi, 1998). Then E[1 / F]
    is the integral of y^(f-1) q / (q + y) over 0..1, with q = p / (1 - p), which is
    p^f / f times 2F1(f, f; f+1; 1-p). It lies between p / f and 1 / f.

    >>> mean_inverse(np.array([1, 2, 2]), np.array([10.0, 10.0, 2.0])).round(6).tolist()
    [0.255843, 0.14941, 0.5]
    """
    f = n_records.astype(np.float64)
    p = f / n_people
    is_recurrent = (p < 0.5) & (n_records < LARGE)
    found = np.empty(len(f))
    found[~is_recurrent] = _by_series(f[~is_recurrent], p[~is_recurrent])
    found[is_recurrent] = _by_recurrence(n_records[is_recurrent], p[is_recurrent])
    return found


def _by_series(f: FloatArray, p: FloatArray) -> FloatArray:
    """p times the sum of (1-p)^k k! (f-1)! / (f+k)!; all terms are positive.

    They fall as 1 / C(f+k, k), and at least as fast as (1-p)^k.
    """
    term = 1 / f
    total = term.copy()
    for k in range(N_TERMS):
        term = term * (1 - p) * ((k + 1) / (f + k + 1))
        total += term
    return p * total


def _by_recurrence(n_records: Int64Array, p: FloatArray) -> FloatArray:
    """From f = 1 up: I(f+1) = q/f - q I(f). As q < 1, errors shrink from step to step."""
    q = p / (1 - p)
    value = -q * np.log(p)
    found = value.copy()
    for f in range(1, int(n_records.max(initial=1))):
        value = q / f - q * value
        found = np.where(n_records == f + 1, value, found)
    return found


def chance_unique(n_records: Int64Array, n_people: FloatArray) -> FloatArray:
    """The probability that a record is alone in the population: p for f = 1, else 0."""
    return np.where(n_records == 1, n_records / n_people, 0.0)
