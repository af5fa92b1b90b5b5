"""Zayatz's estimate: the classes of the sample stand for those of the population."""

from __future__ import annotations

import numpy as np

from shoal.risks.estimators.class_sizes import Answer, ClassSizes, Estimate, NoEstimate
from shoal.types.arrays import FloatArray


def zayatz(sizes: ClassSizes) -> Answer:
    """Population uniques, if the population had classes of the sizes that the sample has.

    A class of s people shows one of them in the sample with the probability h(s). Of the records
    that are unique in the sample, the part c1 h(1) / sum of c_s h(s) is unique in the population
    (Zayatz, 1991).
    """
    n_unique = sizes.n_of_size(1)
    if n_unique == 0:
        return NoEstimate("zayatz", "no record is unique in the table")
    once = seen_once(sizes)
    chance = float(once[0] * n_unique / (once * sizes.counts).sum())
    return Estimate("zayatz", n_unique * chance / sizes.fraction, chance)


def seen_once(sizes: ClassSizes) -> FloatArray:
    """The probability that a sample has exactly one of a class's people, for every size.

    Hypergeometric: s n / N times the product over i < s of (N - n - i + 1) / (N - i).
    """
    n, n_population = sizes.n_records, sizes.n_population
    i = np.arange(1, int(sizes.sizes[-1]), dtype=np.float64)
    with np.errstate(divide="ignore"):  # too large to be seen once: log 0
        logs = np.log(np.maximum(n_population - n - i + 1, 0)) - np.log(n_population - i)
    products = np.exp(np.concatenate([[0.0], np.cumsum(logs)]))
    once: FloatArray = sizes.sizes * (n / n_population) * products[sizes.sizes - 1]
    return once
