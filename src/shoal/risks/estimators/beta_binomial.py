"""Mean risks under a Pitman-Yor process: 1 / F, where a class of the sample has F people."""

from __future__ import annotations

import numpy as np

from shoal.risks.estimators.class_sizes import ClassSizes
from shoal.risks.estimators.sums import panels
from shoal.types.arrays import FloatArray, Int64Array

ONE_BY_ONE = 4096  # terms that are added as they are
SMALL = 48  # classes of fewer records are summed, for others a series is exact


def mean_inverses(sizes: ClassSizes, theta: float, alpha: float) -> FloatArray:
    """E[1 / F | f] for each size f.

    F - f is Beta-binomial(N - n, f - alpha, theta + n - f + alpha). For small f terms are added,
    and behind the first thousands, where they are smooth, by panels.
    """
    is_small = sizes.sizes < SMALL
    n, n_population = sizes.n_records, sizes.n_population
    found = np.empty(len(sizes.sizes))
    found[~is_small] = _by_series(sizes.sizes[~is_small], n, n_population, theta, alpha)
    found[is_small] = [
        _by_sum(int(size), n_population - n, size - alpha, theta + n - size + alpha)
        for size in sizes.sizes[is_small]
    ]
    return found


def _by_series(
    sizes: Int64Array, n: int, n_population: int, theta: float, alpha: float
) -> FloatArray:
    """With y = F - 1 - alpha and c = 1 + alpha, 1 / F = 1/y - c/(y(y-1)) + c(c+1)/(y(y-1)(y-2)) ...

    The mean of 1 / (y (y-1) ... (y-k)) is a product of k + 1 quotients. Terms alternate and fall
    until k is half of the size, where they are below 1e-12.
    """
    term = np.ones(len(sizes))
    total = np.zeros(len(sizes))
    for k in range(SMALL // 2):
        step = (theta + n - 1 - k) / ((sizes - 1 - k - alpha) * (theta + n_population - 1 - k))
        term = term * step
        total += term
        term = term * -(1 + alpha + k)
    return total


def _by_sum(size: int, n_others: int, a: float, b: float) -> float:
    """The mean of 1 / (size + X), X Beta-binomial(n_others, a, b)."""
    last = min(n_others, ONE_BY_ONE)
    x = np.arange(last, dtype=np.float64)
    ratios = (n_others - x) * (a + x) / ((x + 1) * (b + n_others - x - 1))
    logs = np.concatenate([[0.0], np.cumsum(np.log(ratios))])
    top = logs.max()
    terms = np.exp(logs - top)
    inverses = 1 / (size + np.arange(last + 1))
    mass, mean = terms.sum(), (terms * inverses).sum()
    if n_others > ONE_BY_ONE:
        x, dx = panels(ONE_BY_ONE + 0.5, n_others + 0.5)
        start = float(ONE_BY_ONE)
        density = logs[-1] - top + _log_term(x, n_others, a, b)
        density -= _log_term(np.array([start]), n_others, a, b)[0]
        rest = np.exp(density) * dx
        slope = (terms[-1] - terms[-2]) / 24  # midpoints: the first correction of Euler, Maclaurin
        mass += rest.sum() + slope
        mean += (rest / (size + x)).sum() + slope * inverses[-1]
    return float(mean / mass)


def _log_term(x: FloatArray, n_others: int, a: float, b: float) -> FloatArray:
    """log of the probability of x, but for a constant; x may lie between whole numbers."""
    return _log_rise(x + 1, a - 1) + _log_rise(n_others - x + 1, b - 1)


def _log_rise(x: FloatArray, by: float) -> FloatArray:
    """log Gamma(x + by) - log Gamma(x), x of at least 1/2, without losing digits where x is large.

    By Stirling's series, for arguments that are raised to 10 or more before.
    """
    raised = np.zeros(len(x))
    x = x.copy()
    for _ in range(10):
        is_low = np.minimum(x, x + by) < 10
        raised[is_low] += np.log(x[is_low]) - np.log(x[is_low] + by)
        x[is_low] += 1
    y = x + by
    main = (x - 0.5) * np.log1p(by / x) + by * np.log(y) - by
    return raised + main + _stirling(y) - _stirling(x)


def _stirling(x: FloatArray) -> FloatArray:
    square = 1 / (x * x)
    series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))
    found: FloatArray = series / x
    return found
