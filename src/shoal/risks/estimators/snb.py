"""The shifted negative binomial estimate (SNB) of Chen and McNulty."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.risks.estimators.class_sizes import (
    Answer,
    ClassSizes,
    Estimate,
    NoEstimate,
    uniques_of_sample,
)
from shoal.risks.estimators.roots import root_between

N_STEPS = 400
LOGITS = np.linspace(-30.0, 30.0, N_STEPS + 1)  # of b


class Classes(NamedTuple):
    """K classes; a class has 1 + X people, X negative binomial with shape a and probability b."""

    k: float
    a: float
    b: float


def snb(sizes: ClassSizes) -> Answer:
    """Population uniques, if class sizes are one more than a negative binomial number.

    The number of classes K is estimated first (Shlosser), then shape and probability so that the
    expected classes of one and of two records are those of the sample. Uniques are K b^a.
    """
    known = uniques_of_sample(sizes, "snb")
    if known is not None:
        return known
    n_unique, n_pairs = sizes.n_of_size(1), sizes.n_of_size(2)
    if not n_unique or not n_pairs:
        which = "is unique in the table" if not n_unique else "is in a class of two"
        return NoEstimate("snb", f"no record {which}, and the method needs some")
    found = fitted(sizes)
    if found is None:
        return NoEstimate("snb", "no such population has as many classes of one and two records")
    n_uniques = found.k * found.b**found.a
    return Estimate("snb", n_uniques, min(n_uniques * sizes.fraction / n_unique, 1.0))


def n_classes_in_population(sizes: ClassSizes) -> float:
    """Shlosser's estimate of the number of classes, in the form of Haas and Stokes."""
    f, s, c = sizes.fraction, sizes.sizes, sizes.counts
    a = (s * f**2 * (1 - f**2) ** (s - 1) * c).sum()
    b = (((1 - f**2) ** s - (1 - f) ** s) * c).sum()
    unseen, once = ((1 - f) ** s * c).sum(), (s * f * (1 - f) ** (s - 1) * c).sum()
    return float(sizes.n_classes + sizes.n_of_size(1) * (a / b) * (unseen / once) ** 2)


def fitted(sizes: ClassSizes) -> Classes | None:
    """Where both equations hold: along the curve that the second gives, the first changes sign."""
    k = n_classes_in_population(sizes)

    def excess(logit: float) -> float:
        b = _probability(logit)
        return _seen_once(k, _shape(sizes, b), b, sizes.fraction) - sizes.n_of_size(1)

    signs = np.array([excess(logit) > 0 for logit in LOGITS])
    changes = np.flatnonzero(signs[1:] != signs[:-1])
    if not len(changes):
        return None
    i = changes[-1]  # the largest b: the smallest classes
    b = _probability(root_between(excess, LOGITS[i], LOGITS[i + 1]))
    return Classes(k, _shape(sizes, b), b)


def _probability(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _shape(sizes: ClassSizes, b: float) -> float:
    """The shape a with which pairs are as frequent among singles as in the sample.

    Pairs / singles = a (1-b) f (2 - (1-a) d) / (2 (1-d) (1-d + a d)) with d = (1-f)(1-b): a
    quadratic equation in a, which has one positive root.
    """
    f = sizes.fraction
    d, ratio = (1 - f) * (1 - b), sizes.n_of_size(2) / sizes.n_of_size(1)
    square = (1 - b) * f * d
    linear = (1 - b) * f * (2 - d) - 2 * ratio * (1 - d) * d
    constant = 2 * ratio * (1 - d) ** 2
    root = math.sqrt(linear**2 + 4 * square * constant)
    if linear > 0:  # the form that subtracts nothing
        return 2 * constant / (linear + root)
    return (root - linear) / (2 * square)


def _seen_once(k: float, a: float, b: float, f: float) -> float:
    """Expected classes of which the sample has one record."""
    d = (1 - f) * (1 - b)
    return k * f * math.exp(a * math.log(b / (1 - d))) * (a * d / (1 - d) + 1)
