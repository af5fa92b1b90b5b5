"""Long sums of smooth terms, by Euler and Maclaurin's formula behind the first terms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FIRST = 512  # terms that are added one by one
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
_FIRST = np.arange(1, FIRST + 1, dtype=np.float64)


class Sums(NamedTuple):
    """Over i from 1: of 1 / (theta + i alpha), and of i / (theta + i alpha)."""

    reciprocals: float
    ratios: float


def sums_to(last: int, theta: float, alpha: float) -> Sums:
    """Both sums up to i = `last`, which may be millions.

    >>> [round(x, 12) for x in sums_to(3, 1.0, 0.5)]
    [1.566666666667, 2.866666666667]
    """
    i = _FIRST[: min(last, FIRST)]
    below = 1 / (theta + i * alpha)
    reciprocals, ratios = float(below.sum()), float((i * below).sum())
    if last > FIRST:
        rest = _rest(float(FIRST + 1), float(last), theta, alpha)
        reciprocals, ratios = reciprocals + rest.reciprocals, ratios + rest.ratios
    return Sums(reciprocals, ratios)


def _rest(first: float, last: float, theta: float, alpha: float) -> Sums:
    """The integral, half of both ends, and two corrections by derivatives."""
    x, dx = panels(first, last)
    below = 1 / (theta + alpha * x)
    ends = np.array([first, last])
    at = 1 / (theta + alpha * ends)
    slope, third = at**2, 6 * at**4
    corrected = float((slope[1] - slope[0]) / 12 - alpha**2 * (third[1] - third[0]) / 720)
    return Sums(
        float((below * dx).sum() + at.sum() / 2 - alpha * corrected),
        float((x * below * dx).sum() + (ends * at).sum() / 2 + theta * corrected),
    )


def panels(first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of Gauss and Legendre, in panels that are twice as long each time."""
    n = max(1, int(np.ceil(np.log2(last / first))))
    edges = first * (last / first) ** (np.arange(n + 1) / n)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    x = (middle[:, None] + half[:, None] * NODES).ravel()
    return x, (half[:, None] * WEIGHTS).ravel()
