"""Pitman's estimate: classes grow as those of a Pitman-Yor process do."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.risks.estimators.beta_binomial import mean_inverses
from shoal.risks.estimators.class_sizes import (
    Answer,
    ClassSizes,
    Estimate,
    NoEstimate,
    uniques_of_sample,
)
from shoal.risks.estimators.roots import root_between
from shoal.risks.estimators.sums import sums_to
from shoal.types.arrays import FloatArray

LARGEST_DISCOUNT = 1 - 1e-12
NARROWEST, WIDEST = -30.0, 40.0  # of log(theta + alpha)


class Process(NamedTuple):
    """A Pitman-Yor process: the strength theta and the discount 0 <= alpha < 1."""

    theta: float
    alpha: float


def pitman(sizes: ClassSizes) -> Answer:
    """Population uniques by the Pitman model, its parameters by maximum likelihood (Hoshino, 2001).

    A class of s records gains people as urns do: of N - n further ones, Beta-binomially many
    belong to it. That tells for each size how likely a record is to be unique, and its mean risk.
    """
    known = uniques_of_sample(sizes, "pitman")
    if known is not None:
        return known
    if sizes.n_classes == sizes.n_records:
        return NoEstimate("pitman", "all records are unique, so class sizes tell nothing")
    if sizes.n_classes == 1:
        return NoEstimate("pitman", "all records look alike, so class sizes tell nothing")
    process = fitted(sizes)
    return Estimate(
        "pitman",
        uniques_in(sizes.n_population, process),
        chance_unique(sizes, process),
        mean_inverses(sizes, *process),
    )


def fitted(sizes: ClassSizes) -> Process:
    """The most likely process. For every alpha the best theta, and of these the best alpha.

    A discount below 0 would mean that the population has finitely many classes, all of which
    were nearly seen; then 0 is the most likely one inside the model.
    """
    n_larger = _n_larger(sizes)
    j = np.arange(1, len(n_larger) + 1)

    def slope(alpha: float) -> float:
        theta = _best_theta(sizes, alpha)
        of_classes = sums_to(sizes.n_classes - 1, theta, alpha).ratios
        return of_classes - float((n_larger / (j - alpha)).sum())

    alpha = 0.0
    if slope(0.0) > 0:
        alpha = root_between(slope, 0.0, LARGEST_DISCOUNT)
    return Process(_best_theta(sizes, alpha), alpha)


def _best_theta(sizes: ClassSizes, alpha: float) -> float:
    """Where the likelihood is level in theta: it falls from both sides, so there is one place."""

    def slope(log: float) -> float:
        theta = math.exp(log) - alpha
        of_classes = sums_to(sizes.n_classes - 1, theta, alpha).reciprocals
        return (of_classes - sums_to(sizes.n_records - 1, theta, 1.0).reciprocals) * math.exp(log)

    return math.exp(root_between(slope, NARROWEST, WIDEST)) - alpha


def _n_larger(sizes: ClassSizes) -> FloatArray:
    """How many classes have more than 1, 2, ... records."""
    n_of_size: FloatArray = np.bincount(sizes.sizes, sizes.counts).astype(np.float64)
    return np.cumsum(n_of_size[::-1])[::-1][2:]


def uniques_in(n_population: int, process: Process) -> float:
    """Expected uniques of a large population: Gamma(theta + 1) / Gamma(theta + alpha) N^alpha.

    Where that is more than all people, the mean for N of them, of which it is the limit.
    """
    theta, alpha = process
    log_rise = _log_rise(theta + alpha, 1 - alpha)
    limit = math.exp(log_rise + alpha * math.log(n_population))
    if limit <= n_population:
        return limit
    return n_population * math.exp(log_rise + _log_rise(theta + n_population, alpha - 1))


def chance_unique(sizes: ClassSizes, process: Process) -> float:
    """The probability that a class of one record gains nobody."""
    (theta, alpha), n, n_population = process, sizes.n_records, sizes.n_population
    return math.exp(_log_rise(theta + n_population, alpha - 1) - _log_rise(theta + n, alpha - 1))


def _log_rise(x: float, by: float) -> float:
    """log Gamma(x + by) - log Gamma(x)."""
    return math.lgamma(x + by) - math.lgamma(x)
