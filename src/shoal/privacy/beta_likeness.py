"""beta-likeness (Cao and Karras, VLDB 2012), basic and enhanced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.privacy._reference import against_expectations
from shoal.privacy._require import at_most, require_number, require_one_of, rounded_up
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit

Gains = Callable[[FloatArray, FloatArray], FloatArray]  # of shares, against those expected


@dataclass(frozen=True)
class BetaLikeness(PrivacyModel):
    """No value of `column` is much more frequent in a group than in the whole table.

    Its share p in the group exceeds its share q in the table by at most `beta` times q. `enhanced`
    allows no more than -ln(q) times q either, which protects frequent values too.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "flu", "flu"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.KAnonymity(2), shoal.BetaLikeness("ill", beta=1)])
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[44, 52]', '[44, 52]']
    >>> release.verdict.findings[1].achieved  # gout: twice as frequent in a group as in the table
    1.0
    """

    column: str
    beta: float
    enhanced: bool = False
    is_local = False  # what a group is compared with depends on which groups are released
    survives_merging = True  # a share in a union lies between those in its parts
    survives_growth = False
    smallest = 1

    def __post_init__(self) -> None:
        require_number("beta", self.beta, above=0)
        require_one_of("enhanced", self.enhanced, (True, False))

    @property
    def about(self) -> About:
        return About(column=self.column)

    def holds(self, stats: GroupStats) -> BoolArray:
        return at_most(_largest(stats, self.column, self._excess), 0.0)

    def achieved(self, stats: GroupStats) -> float:
        return float(_largest(stats, self.column, _gains).max())

    def demand(self, unit: Unit = RECORD) -> str:
        frequent = ", and frequent values by less" if self.enhanced else ""
        return (
            f"In every group each value of {self.column!r} is at most {1 + self.beta:.4g} times as "
            f"frequent as in the whole table{frequent}."
        )

    def relax(self, stats: GroupStats) -> str:
        gain = self.achieved(stats)
        if gain <= self.beta:
            return "ask for `enhanced: false`"
        return f"ask for a beta of at least {rounded_up(gain)}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The largest factor is {1 + achieved:.4g} (a beta of {achieved:.4g})."

    def _excess(self, shares: FloatArray, expected: FloatArray) -> FloatArray:
        """By how much each value gains more than it may."""
        allowed = np.full(len(shares), self.beta)
        if self.enhanced:
            allowed = np.minimum(allowed, -np.log(expected))
        return np.asarray(_gains(shares, expected) - allowed)


def _largest(stats: GroupStats, column: str, of_shares: Gains) -> FloatArray:
    """Of each group the value with the largest figure."""
    found, shares = stats.counts(column), stats.confidences(column)

    def largest(expected: FloatArray) -> FloatArray:
        figures = of_shares(shares, expected[found.values])
        return np.maximum.reduceat(figures, found.starts[:-1])

    return against_expectations(stats, column, largest)


def _gains(shares: FloatArray, expected: FloatArray) -> FloatArray:
    """By how much each value is more frequent than expected, in shares of that."""
    return np.maximum(shares - expected, 0.0) / expected
