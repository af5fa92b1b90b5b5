"""(alpha, k)-anonymity (Wong, Li, Fu and Wang, KDD 2006), for every sensitive value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.privacy._require import (
    at_most,
    loosened,
    require_number,
    require_whole,
    rounded_up,
)
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import About, PrivacyModel
from shoal.types.shares import smallest_group
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class AlphaK(PrivacyModel):
    """Every group has at least `k` records, and none of its values more than the share `alpha`.

    Values are those of the sensitive `column`.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "flu", "flu", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.AlphaK("ill", alpha=0.8, k=2)])
    >>> release.frame["age"].to_list()  # of two groups, one would have only the flu
    ['[21, 52]', '[21, 52]', '[21, 52]', '[21, 52]']
    >>> release.verdict.findings[0].achieved
    0.75
    """

    column: str
    alpha: float
    k: int
    is_local = True
    survives_merging = True  # a share in a union lies between those in its parts
    survives_growth = False

    def __post_init__(self) -> None:
        require_number("alpha", self.alpha, above=0, at_most=1)
        require_whole("k", self.k, at_least=1)

    @property
    def about(self) -> About:
        return About(column=self.column, k=self.k)

    @property
    def smallest(self) -> int:
        return max(self.k, smallest_group(loosened(self.alpha)))

    def holds(self, stats: GroupStats) -> BoolArray:
        return at_most(self._largest_shares(stats), self.alpha) & (stats.sizes >= self.k)

    def achieved(self, stats: GroupStats) -> float:
        return float(self._largest_shares(stats).max())

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"Every group has at least {unit.counted(self.k)}, at most {self.alpha:.4g} of them "
            f"with the same value of {self.column!r}."
        )

    def relax(self, stats: GroupStats) -> str:
        if stats.sizes.min() < self.k:
            return f"ask for a k of at most {stats.sizes.min():,}"
        return f"ask for an alpha of at least {rounded_up(self.achieved(stats))}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"In the worst group the share of one value is {achieved:.4g}."

    def _largest_shares(self, stats: GroupStats) -> FloatArray:
        begins = stats.counts(self.column).starts[:-1]
        return np.maximum.reduceat(stats.confidences(self.column), begins)
