"""The risk of a table that is a sample, estimated for its population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal.errors import BadOption, nearest
from shoal.risks.estimators.by_name import BY_SIZES
from shoal.risks.estimators.class_sizes import ClassSizes, NoEstimate, uniques_of_sample
from shoal.risks.estimators.intervals import Interval
from shoal.risks.estimators.negative_binomial import chance_unique, mean_inverse
from shoal.risks.estimators.tree import tree, tree_intervals
from shoal.risks.rows import Rows
from shoal.types.arrays import FloatArray

BY_WEIGHTS, BY_TREE = "weights", "tree"
ESTIMATORS = (BY_TREE, *BY_SIZES, BY_WEIGHTS)
SEVERAL_ROWS = (
    "some people have several records that differ, and the methods take each record for another "
    "person"
)


@dataclass(frozen=True, eq=False, repr=False)
class RowEstimate:
    """For each row: the probability to be alone in the population, and the mean of 1 / F.

    F is how many people of the population look like it. Not every method knows the mean.
    """

    method: str
    chance: FloatArray
    expected: FloatArray | None
    n_uniques: float | None = None  # in the population
    intervals: Mapping[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class EstimatedRisk:
    """What is expected of a table's records, each among the people of the population.

    `n_unique` of the table are alone in the population, which has `n_uniques` of that kind.
    `average` is the journalist's mean risk, and the share that a marketer finds; `highest` is that
    of a record, and `n_at_risk` have one above the threshold. None: the method does not tell.
    `intervals` are of 95 %, where a method has them.
    """

    method: str
    n_counted: int
    n_unique: float
    n_uniques: float | None
    average: float | None
    highest: float | None
    n_at_risk: int | None
    intervals: Mapping[str, Interval] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        at_risk = self.n_at_risk
        share = None if at_risk is None else at_risk / self.n_counted
        return {
            "method": self.method,
            "unique_in_population": {"records": self.n_unique, "share": self.unique_share},
            "population_uniques": self.n_uniques,
            "average": self.average,
            "highest": self.highest,
            "at_risk": None if at_risk is None else {"records": at_risk, "share": share},
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
        }

    @property
    def unique_share(self) -> float:
        return self.n_unique / self.n_counted


@dataclass(frozen=True, eq=False)
class Estimates:
    """The estimates of a table and of its release, and what they rest on."""

    n_population: int
    assumed: tuple[str, ...]
    data: EstimatedRisk | NoEstimate
    release: EstimatedRisk | NoEstimate | None = None

    @property
    def found(self) -> dict[str, EstimatedRisk]:
        """What was estimated: of the data, of the release, or of neither."""
        return {name: a for name, a in self._answers.items() if isinstance(a, EstimatedRisk)}

    @property
    def not_found(self) -> dict[str, NoEstimate]:
        return {name: a for name, a in self._answers.items() if isinstance(a, NoEstimate)}

    @property
    def _answers(self) -> dict[str, EstimatedRisk | NoEstimate]:
        return {"data": self.data} | ({} if self.release is None else {"release": self.release})

    def as_dict(self) -> dict[str, Any]:
        return {
            "population": self.n_population,
            "assumed": list(self.assumed),
            "data": answer_facts(self.data),
            "release": None if self.release is None else answer_facts(self.release),
        }


def answer_facts(found: EstimatedRisk | NoEstimate) -> dict[str, Any]:
    if isinstance(found, NoEstimate):
        return {"method": found.method, "why_not": found.why}
    return found.as_dict()


def refuse_estimator(name: str | None) -> None:
    if name is not None and name not in ESTIMATORS:
        raise BadOption(
            f"There is no estimator {name!r}{nearest(str(name), ESTIMATORS)} "
            f"There are {', '.join(ESTIMATORS)}."
        )


def estimate_rows(
    method: str, rows: Rows, n_population: int, weights: FloatArray | None
) -> RowEstimate | NoEstimate:
    """By the method of this name; `weights` are sums over the records of each row."""
    if rows.owners is not None:
        return NoEstimate(method, SEVERAL_ROWS)
    if method == BY_WEIGHTS:
        return _by_weights(rows, n_population, weights)
    if method == BY_TREE and rows.n < n_population:
        return _by_tree(rows, n_population)
    sizes = ClassSizes.of(rows.weights, n_population)
    answer = uniques_of_sample(sizes, method) or BY_SIZES[method](sizes)
    if isinstance(answer, NoEstimate):
        return answer
    place = np.searchsorted(sizes.sizes, rows.weights)
    return RowEstimate(
        answer.method,
        chance=np.where(rows.weights == 1, answer.chance_unique, 0.0),
        expected=None if answer.expected is None else answer.expected[place],
        n_uniques=answer.n_uniques,
    )


def _by_tree(rows: Rows, n_population: int) -> RowEstimate | NoEstimate:
    found = tree(rows, n_population)
    if isinstance(found, NoEstimate):
        return found
    return RowEstimate(
        BY_TREE, found.chance, found.expected, intervals=tree_intervals(found, rows, n_population)
    )


def _by_weights(rows: Rows, n_population: int, weights: FloatArray | None) -> RowEstimate:
    """Without weights of their own, all records stand for equally many people."""
    equal: FloatArray = rows.weights * np.float64(n_population / rows.n)
    people = np.maximum(equal if weights is None else weights, rows.weights)
    return RowEstimate(
        BY_WEIGHTS,
        chance=chance_unique(rows.weights, people),
        expected=mean_inverse(rows.weights, people),
    )


def figures_of(
    found: RowEstimate | NoEstimate, rows: Rows, threshold: float
) -> EstimatedRisk | NoEstimate:
    """What is expected of all records together."""
    if isinstance(found, NoEstimate):
        return found
    expected, n = found.expected, rows.n
    return EstimatedRisk(
        method=found.method,
        n_counted=n,
        n_unique=float((found.chance * rows.weights).sum()),
        n_uniques=found.n_uniques,
        average=None if expected is None else float((expected * rows.weights).sum() / n),
        highest=None if expected is None else float(expected.max()),
        n_at_risk=None if expected is None else int(rows.weights[expected > threshold].sum()),
        intervals=found.intervals,
    )
