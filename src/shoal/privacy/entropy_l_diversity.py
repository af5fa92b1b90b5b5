"""Entropy l-diversity (Machanavajjhala et al. 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.privacy._require import SLACK, at_most, require_number, rounded_down
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class EntropyLDiversity(PrivacyModel):
    """Values of `column` are as mixed in every group as `l` equally frequent ones would be.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "flu", "flu", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.EntropyLDiversity("ill", l=1.5)])
    >>> round(release.verdict.findings[0].achieved, 2)  # of three with the flu and one with gout
    1.75
    """

    column: str
    l: float
    is_local = True
    survives_merging = True  # entropy is concave: a union has at least that of the lower part
    survives_growth = False

    def __post_init__(self) -> None:
        require_number("l", self.l, at_least=1)

    @property
    def about(self) -> About:
        return About(column=self.column)

    @property
    def smallest(self) -> int:
        """A group of n records is at most as mixed as n different values."""
        return math.ceil(self.l * (1 - 2 * SLACK))  # the slack of a logarithm is a factor

    def holds(self, stats: GroupStats) -> BoolArray:
        return at_most(-self._entropies(stats), -math.log(self.l))

    def achieved(self, stats: GroupStats) -> float:
        return float(np.exp(self._entropies(stats).min()))

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"In every group the values of {self.column!r} are as mixed as {self.l:g} equally "
            "frequent ones."
        )

    def relax(self, stats: GroupStats) -> str:
        return f"ask for an l of at most {rounded_down(self.achieved(stats))}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The least mixed group is as mixed as {achieved:.4g} equally frequent values."

    def _entropies(self, stats: GroupStats) -> FloatArray:
        found = stats.counts(self.column)
        bits = -found.shares * np.log(found.shares)
        return np.bincount(found.groups, bits, minlength=stats.n_groups).astype(np.float64)
