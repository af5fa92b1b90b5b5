"""Recursive (c, l)-diversity (Machanavajjhala et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.privacy._require import below, require_number, require_whole, rounded_up
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class RecursiveClDiversity(PrivacyModel):
    """The most frequent value of `column` is less than `c` times as frequent as the rare ones.

    In every group, the count of the most frequent value is below `c` times the sum of the counts
    from the `l`-th most frequent on.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "flu", "flu", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.RecursiveClDiversity("ill", c=4, l=2)])
    >>> release.verdict.findings[0].achieved  # three with the flu, one with gout
    3.0
    """

    column: str
    c: float
    l: int
    is_local = True
    survives_merging = True  # proved in the paper
    survives_growth = False

    def __post_init__(self) -> None:
        require_number("c", self.c, above=0)
        require_whole("l", self.l, at_least=1)

    @property
    def about(self) -> About:
        return About(column=self.column)

    @property
    def smallest(self) -> int:
        return self.l

    def holds(self, stats: GroupStats) -> BoolArray:
        return below(self._ratios(stats), self.c)

    def achieved(self, stats: GroupStats) -> float:
        """What c would have to exceed; infinite where a group has fewer than l values."""
        return float(self._ratios(stats).max())

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"In every group the most frequent value of {self.column!r} is less than {self.c:g} "
            f"times as frequent as all but the {self.l - 1} most frequent values together."
        )

    def relax(self, stats: GroupStats) -> str:
        ratio = self.achieved(stats)
        if ratio == np.inf:
            return f"ask for an l of at most {stats.counts(self.column).n_distinct.min():,}"
        return f"ask for a c above {rounded_up(ratio)}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        if achieved == np.inf:
            return f"A group has fewer than {self.l} different values."
        return f"In the worst group it is {achieved:.4g} times as frequent."

    def _ratios(self, stats: GroupStats) -> FloatArray:
        """Of each group the largest count, by the sum of all counts but the l - 1 largest.

        Of people, who may have several values, that sum is at most those without the largest;
        with l = 1, where the largest is part of it, at most all of them.
        """
        found = stats.counts(self.column)
        groups = found.groups
        counts = found.counts[np.lexsort((-found.counts, groups))]
        place = np.arange(len(counts)) - found.starts[groups]
        rare = np.bincount(groups, counts * (place >= self.l - 1), minlength=stats.n_groups)
        most = counts[found.starts[:-1]]
        if stats.counts_people:
            rare = np.minimum(rare, stats.sizes - most if self.l > 1 else stats.sizes)
        ratios: FloatArray = np.divide(most, rare, out=np.full(len(most), np.inf), where=rare > 0)
        return ratios
