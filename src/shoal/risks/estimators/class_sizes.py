"""What the estimators are told of a sample, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.types.arrays import FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """How many classes (groups of records that look alike) have each size.

    >>> found = ClassSizes.of(np.array([1, 1, 3]), n_population=50)
    >>> found.sizes.tolist(), found.counts.tolist(), found.n_records, found.fraction
    ([1, 3], [2, 1], 5, 0.1)
    """

    sizes: Int64Array  # those that occur, ascending
    counts: Int64Array  # classes of each
    n_population: int

    @classmethod
    def of(cls, sizes: Int64Array, n_population: int) -> ClassSizes:
        """From the size of every class."""
        different, counts = np.unique(sizes, return_counts=True)
        return cls(different.astype(np.int64), counts.astype(np.int64), n_population)

    @cached_property
    def n_records(self) -> int:
        return int((self.sizes * self.counts).sum())

    @cached_property
    def n_classes(self) -> int:
        return int(self.counts.sum())

    @property
    def fraction(self) -> float:
        """The part of the population that is in the sample."""
        return self.n_records / self.n_population

    def n_of_size(self, size: int) -> int:
        return int(self.counts[self.sizes == size].sum())


@dataclass(frozen=True, eq=False)
class Estimate:
    """What an estimator says of a population.

    `n_uniques`: people who are alone in the population with their values. `chance_unique`: the
    probability that somebody who is unique in the sample is one of them. `expected` has the mean of
    1 / (people in the population who look alike) for each of the sizes; not every method knows it.
    """

    method: str
    n_uniques: float
    chance_unique: float
    expected: FloatArray | None = None


@dataclass(frozen=True)
class NoEstimate:
    """A method cannot answer, and why."""

    method: str
    why: str


Answer = Estimate | NoEstimate


def uniques_of_sample(sizes: ClassSizes, method: str) -> Estimate | None:
    """What needs no estimate, where the sample is the population."""
    if sizes.n_records == sizes.n_population:
        return Estimate(method, float(sizes.n_of_size(1)), 1.0, 1 / sizes.sizes)
    return None
