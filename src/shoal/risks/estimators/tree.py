"""The risk of each record by how rare its values are together, calibrated on the class sizes."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from shoal.risks.estimators.chow_liu import log_probabilities, neighbour_probabilities
from shoal.risks.estimators.class_sizes import NoEstimate
from shoal.risks.estimators.gamma_poisson import Fit, chance_unique, fitted, mean_inverse
from shoal.risks.estimators.intervals import OF_MEAN, OF_UNIQUES, Interval, interval_of
from shoal.risks.rows import Rows
from shoal.types.arrays import FloatArray

METHOD = "tree"


class TreeEstimate(NamedTuple):
    """For each row: the probability to be alone in the population, and the mean of 1 / F."""

    chance: FloatArray
    expected: FloatArray
    fit: Fit


def tree(rows: Rows, n_population: int) -> TreeEstimate | NoEstimate:
    """A class's people in the population are about N times its probability by a tree.

    How far that is to be trusted is read from the sizes of the classes in the sample: people are
    Gamma-Poisson around exp(a) (N pi)^b, and a, b and the shape make these sizes most likely.
    """
    if len(rows.weights) == rows.n:
        return NoEstimate(METHOD, "all records are unique, so class sizes tell nothing")
    if len(rows.weights) == 1:
        return NoEstimate(METHOD, "all records look alike, so class sizes tell nothing")
    fraction = rows.n / n_population
    expected_people = _log_probabilities(rows) + np.log(n_population)
    fit = fitted(expected_people, rows.weights, fraction)
    return TreeEstimate(
        chance_unique(fit, expected_people, rows.weights, fraction),
        mean_inverse(fit, expected_people, rows.weights, fraction),
        fit,
    )


def _log_probabilities(rows: Rows) -> FloatArray:
    """Of the tree and of the neighbours together; half of each, but a factor does not matter."""
    of_tree = log_probabilities(rows)
    if len(rows.columns) == 1:
        return of_tree
    both: FloatArray = np.log(np.exp(of_tree) + neighbour_probabilities(rows))
    return both


def tree_intervals(found: TreeEstimate, rows: Rows, n_population: int) -> dict[str, Interval]:
    """Of the share of records that are unique in the population, and of the mean risk.

    Neither is more than it is in the table itself.
    """
    n, sizes = rows.n, rows.weights
    uniques = float((found.chance * sizes).sum() / n)
    mean = float((found.expected * sizes).sum() / n)
    of_all = partial(interval_of, n_records=n, fraction=n / n_population)
    n_unique = int(np.count_nonzero(sizes == 1))
    return {
        "unique_share": of_all(uniques, errors=OF_UNIQUES, highest=n_unique / n),
        "average": of_all(mean, errors=OF_MEAN, highest=len(sizes) / n),
    }
