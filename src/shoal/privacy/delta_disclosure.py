"""delta-disclosure privacy (Brickell and Shmatikov, KDD 2008)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.privacy._reference import against_expectations
from shoal.privacy._require import below, require_number, rounded_up
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class DeltaDisclosure(PrivacyModel):
    """Every value of `column` is in each group about as frequent as in the whole table.

    The logarithm of the ratio of the two shares is less than `delta` away from 0, for every value
    of the table: one that a group does not have is infinitely far away.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "flu", "gout", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.DeltaDisclosure("ill", delta=0.5)])
    >>> release.frame["age"].to_list()  # two groups would lack a value each
    ['[21, 52]', '[21, 52]', '[21, 52]', '[21, 52]']
    """

    column: str
    delta: float
    is_local = False  # what a group is compared with depends on which groups are released
    survives_merging = True  # a share in a union lies between those in its parts
    survives_growth = False
    smallest = 1

    def __post_init__(self) -> None:
        require_number("delta", self.delta, above=0)

    @property
    def about(self) -> About:
        return About(column=self.column)

    def holds(self, stats: GroupStats) -> BoolArray:
        return below(self._distances(stats), self.delta)

    def achieved(self, stats: GroupStats) -> float:
        return float(self._distances(stats).max())

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"In every group each value of {self.column!r} is as frequent as in the whole table, "
            f"up to a factor below {_factor(self.delta)}."
        )

    def relax(self, stats: GroupStats) -> str:
        distance = self.achieved(stats)
        if distance == np.inf:
            return (
                f"suppress fewer records (some values of {self.column!r} occur only in suppressed "
                "records)"
            )
        return f"ask for a delta above {rounded_up(distance)}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        if achieved == np.inf:
            return "A group lacks at least one value."
        return f"The largest factor is {_factor(achieved)} (a delta of {achieved:.4g})."

    def _distances(self, stats: GroupStats) -> FloatArray:
        found, shares = stats.counts(self.column), stats.confidences(self.column)
        return against_expectations(
            stats, self.column, lambda expected: _log_ratios(found, shares, expected)
        )


def _log_ratios(found: ValueCounts, shares: FloatArray, expected: FloatArray) -> FloatArray:
    """Of each group the largest |ln(share / share expected)|."""
    ratios = np.abs(np.log(shares / expected[found.values]))
    furthest = np.maximum.reduceat(ratios, found.starts[:-1])
    has_all = found.n_distinct == np.count_nonzero(expected)
    return np.where(has_all, furthest, np.inf)


def _factor(logarithm: float) -> str:
    """What a logarithm means as a factor, if that can be written."""
    return f"{math.exp(logarithm):.4g}" if logarithm < 700 else f"e to the power of {logarithm:.4g}"
