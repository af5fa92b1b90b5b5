"""Estimates of a population, term by term."""

from __future__ import annotations

import math
from fractions import Fraction


def hypergeometric_once(n_population, size, n):
    """P[exactly one of `size` people is among n of N], in whole numbers."""
    return Fraction(size * math.comb(n_population - size, n - 1), math.comb(n_population, n))


def zayatz(counts, n_population):
    """The number of uniques; `counts` are classes by size."""
    n = sum(size * c for size, c in counts.items())
    once = {size: c * hypergeometric_once(n_population, size, n) for size, c in counts.items()}
    return float(counts[1] * once[1] / sum(once.values()) * n_population / n)


def pitman_log_likelihood(counts, theta, alpha):
    """The logarithm of Pitman's probability of these classes, but for a constant."""
    n, u = sum(size * c for size, c in counts.items()), sum(counts.values())
    return (
        sum(math.log(theta + i * alpha) for i in range(1, u))
        - sum(math.log(theta + i) for i in range(1, n))
        + sum(c * sum(math.log(j - alpha) for j in range(1, s)) for s, c in counts.items())
    )


def mean_inverse_of_class(size, n, n_population, theta, alpha):
    """E[1 / F | f = size] by adding the probabilities of urns, one further person at a time."""
    chances = {size: 1.0}
    for n_seen in range(n, n_population):
        grown = {}
        for people, chance in chances.items():
            joins = (people - alpha) / (theta + n_seen)
            grown[people] = grown.get(people, 0.0) + chance * (1 - joins)
            grown[people + 1] = grown.get(people + 1, 0.0) + chance * joins
        chances = grown
    return sum(chance / people for people, chance in chances.items())


def expected_classes(k, a, b, fraction, seen, most=4000):
    """Of k classes with 1 + negative binomial people, those of which a sample has `seen`."""
    total, chance = 0.0, b**a
    for people in range(1, most):
        if people >= seen:
            ways = math.comb(people, seen) * fraction**seen
            total += chance * ways * (1 - fraction) ** (people - seen)
        chance *= (a + people - 1) / people * (1 - b)
    return k * total


def mean_inverse_of_weights(f, n_people, most=200_000):
    """E[1 / F | f], F - f negative binomial with p = f / n_people, term by term."""
    p = f / n_people
    chance, total = p**f, 0.0
    for people in range(f, most):
        total += chance / people
        chance *= people / (people - f + 1) * (1 - p)
    return total
