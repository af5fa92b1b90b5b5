"""Classes whose people are Gamma-Poisson around what a model expects: fitted, and then asked.

A class has Poisson(L) people in the population, of which the sample has each with the probability
f. L is Gamma with the mean m = exp(a) x^b, x being what the model expects, and the shape r. Only
classes with a record are seen, so sizes are negative binomial without 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.types.arrays import FloatArray, Int64Array

STEP = 0.05  # of log x: classes that are closer are counted together
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
START = np.array([0.5, 0.95, 1.0])  # a, b, log r
SPREAD = np.array([1.0, 0.15, 1.5])  # how far from there they are looked for, before data
LOWEST, HIGHEST = START - 5 * SPREAD, START + 5 * SPREAD
MOST_STEPS = 100
LARGEST = 700.0  # exponents
BLOCK = 100_000  # classes at once, each with the terms of an integral


class Fit(NamedTuple):
    a: float
    b: float
    shape: float

    def mean(self, log_x: FloatArray) -> FloatArray:
        found: FloatArray = np.exp(np.clip(self.a + self.b * log_x, -LARGEST, LARGEST))
        return found


def fitted(log_x: FloatArray, sizes: Int64Array, fraction: float) -> Fit:
    """The most likely a, b and shape, held near their usual values where sizes tell little.

    By Newton's method with differences, which every step shortens until it is an improvement.
    """
    counted = _counted(log_x, sizes)
    point = START.copy()
    value = _loss(point, counted, fraction)
    for _ in range(MOST_STEPS):
        step = _newton_step(point, counted, fraction)
        for _ in range(30):
            there = np.clip(point + step, LOWEST, HIGHEST)
            at = _loss(there, counted, fraction)
            if at < value:
                break
            step = step / 2
        if not at < value - 1e-10 * abs(value):
            break
        point, value = there, at
    return Fit(float(point[0]), float(point[1]), float(np.exp(point[2])))


class Counted(NamedTuple):
    """Classes that have the same size and nearly the same expectation."""

    log_x: FloatArray
    sizes: Int64Array
    n: FloatArray
    of_size: Int64Array  # classes of more than 0, 1, 2, ... records


def _counted(log_x: FloatArray, sizes: Int64Array) -> Counted:
    place = np.round(log_x / STEP).astype(np.int64)
    place -= place.min()
    width = int(place.max()) + 1
    keys, number = np.unique(sizes * width + place, return_inverse=True)
    n = np.bincount(number).astype(np.float64)
    means = np.bincount(number, log_x) / n
    of_size = np.bincount(sizes)
    return Counted(means, keys // width, n, np.cumsum(of_size[::-1])[::-1][1:])


def _loss(point: FloatArray, counted: Counted, fraction: float) -> float:
    """Minus the log likelihood of sizes without 0, and of the parameters themselves."""
    a, b, log_shape = point.tolist()
    shape = np.exp(log_shape)
    mean = fraction * np.exp(np.clip(a + b * counted.log_x, -50.0, 50.0))
    none = -shape * np.log1p(mean / shape)  # log of the probability of 0
    of_sizes = counted.sizes * (np.log(mean) - np.log(shape + mean))
    seen = np.log(-np.expm1(none))
    rising = np.log(shape + np.arange(len(counted.of_size)))
    likelihood = (counted.n * (none + of_sizes - seen)).sum() + (counted.of_size * rising).sum()
    return float(-likelihood + 0.5 * (((point - START) / SPREAD) ** 2).sum())


def _newton_step(point: FloatArray, counted: Counted, fraction: float) -> FloatArray:
    """By differences; where the curve bends the wrong way, its bend is turned round."""
    h = 1e-4
    moves = h * np.eye(3)

    def at(*places: FloatArray) -> float:
        return _loss(np.sum([point, *places], axis=0), counted, fraction)

    ends = np.array([[at(move), at(-move)] for move in moves])
    middle = at()
    slope = (ends[:, 0] - ends[:, 1]) / (2 * h)
    bend = np.diag((ends.sum(axis=1) - 2 * middle) / h**2)
    for i in range(3):
        for j in range(i):
            corners = at(moves[i], moves[j]) + at(-moves[i], -moves[j])
            rest = ends[i].sum() + ends[j].sum() - 2 * middle
            bend[i, j] = bend[j, i] = (corners - rest) / (2 * h**2)
    values, vectors = np.linalg.eigh(bend)
    stiff = np.maximum(np.abs(values), 1e-3)
    step: FloatArray = -vectors @ ((vectors.T @ slope) / stiff)
    return step


def _probability(fit: Fit, log_x: FloatArray, fraction: float) -> FloatArray:
    """F - f, given f, is negative binomial with shape r + f and this probability."""
    ratio = fit.shape / fit.mean(log_x)
    found: FloatArray = (ratio + fraction) / (ratio + 1)
    return found


def chance_unique(fit: Fit, log_x: FloatArray, sizes: Int64Array, fraction: float) -> FloatArray:
    """The probability that a class of one record gains nobody; 0 for larger classes."""
    p = _probability(fit, log_x, fraction)
    return np.where(sizes == 1, p ** (fit.shape + 1), 0.0)


def mean_inverse(fit: Fit, log_x: FloatArray, sizes: Int64Array, fraction: float) -> FloatArray:
    """E[1 / F | f] = p times the integral of y^(f-1) (p + (1-p) y)^(r-1) over 0..1.

    In the logarithm of p + (1-p) y the integrand is smooth, also where p is small.
    """
    p = _probability(fit, log_x, fraction)
    found = [
        _integral(p[i : i + BLOCK], sizes[i : i + BLOCK].astype(np.float64), fit.shape)
        for i in range(0, len(p), BLOCK)
    ]
    return np.minimum(np.concatenate(found), 1 / sizes)


def _integral(p: FloatArray, sizes: FloatArray, shape: float) -> FloatArray:
    p = np.minimum(p, 1 - 1e-12)
    length = -np.log(p)
    total = np.zeros(len(p))
    for node, weight in zip((NODES + 1) / 2, WEIGHTS / 2, strict=True):
        log_s = (node - 1) * length
        log_y = np.log(np.expm1(node * length)) - length - np.log1p(-p)
        total += weight * np.exp((sizes - 1) * log_y + shape * log_s)
    found: FloatArray = total * length * p / (1 - p)
    return found
