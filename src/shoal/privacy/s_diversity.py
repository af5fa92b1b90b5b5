"""S-diversity, a bound on range disclosure (Loukides and Shao, PAIS 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.privacy._reference import against_references
from shoal.privacy._require import at_most, loosened, require_number, rounded_up
from shoal.types.alikeness import alike_pairs
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import About, PrivacyModel
from shoal.types.shares import smallest_group
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class SDiversity(PrivacyModel):
    """The values of `column` in a group are not all alike: their S-diversity is at most `max`.

    S-diversity is the mean likeness of two records drawn from the group, where two values are alike
    if they are at most the share `r` of the domain apart. It is 1 where all values are the same,
    and small where they are many and far apart.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "flu", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.SDiversity("ill", max=0.5, r=0)])
    >>> release.frame["age"].to_list(), release.verdict.findings[0].achieved
    (['[21, 27]', '[21, 27]', '[44, 52]', '[44, 52]'], 0.5)
    """

    column: str
    max: float
    r: float = 1.0
    is_local = False  # the domain is that of the released records
    survives_growth = False

    def __post_init__(self) -> None:
        require_number("max", self.max, above=0, at_most=1)
        require_number("r", self.r, at_least=0, at_most=1)

    @property
    def about(self) -> About:
        return About(column=self.column)

    @property
    def survives_merging(self) -> bool:
        """Otherwise similarity is not a kernel: a union may be more alike than its parts."""
        return self.r in (0, 1)

    @property
    def smallest(self) -> int:
        """At least every record is like itself."""
        return smallest_group(loosened(self.max))

    def holds(self, stats: GroupStats) -> BoolArray:
        return at_most(self._diversities(stats), self.max)

    def achieved(self, stats: GroupStats) -> float:
        return float(self._diversities(stats).max())

    def demand(self, unit: Unit = RECORD) -> str:
        near = "" if self.r == 1 else f" (0 if more than {self.r:g} of the domain apart)"
        return (
            f"In every group the mean similarity of two values of {self.column!r} is at most "
            f"{self.max:g}{near}."
        )

    def relax(self, stats: GroupStats) -> str:
        asked = f"ask for a max of at least {rounded_up(self.achieved(stats))}"
        column = stats.column(self.column)
        are_numbers = np.isfinite(column.measured[: len(column.labels)]).all()
        if self.r == 0 or column.hierarchy is not None or are_numbers:
            return asked
        return f"{asked}, or for r: 0, or give the column a hierarchy (else all values are near)"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The group with the most similar values has {achieved:.4g}."

    def _diversities(self, stats: GroupStats) -> FloatArray:
        found, column = stats.counts(self.column), stats.column(self.column)
        alike = against_references(
            stats, self.column, lambda shares: alike_pairs(column, found, shares > 0, self.r)
        )
        return np.asarray(alike / found.sizes**2)
