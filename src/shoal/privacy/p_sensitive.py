"""p-sensitive k-anonymity (Truta and Vinay, 2006)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import BadOption, counted
from shoal.privacy._require import require_whole
from shoal.types.arrays import BoolArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class PSensitive(PrivacyModel):
    """Every group has at least `k` records and `p` different values of the sensitive `column`.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "flu", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.PSensitive("ill", p=2, k=2)])
    >>> release.frame.rows()
    [('[21, 27]', 'flu'), ('[21, 27]', 'gout'), ('[44, 52]', 'flu'), ('[44, 52]', 'gout')]
    """

    column: str
    p: int
    k: int
    is_local = survives_merging = survives_growth = True

    def __post_init__(self) -> None:
        require_whole("p", self.p, at_least=1)
        require_whole("k", self.k, at_least=1)
        if self.p > self.k:
            raise BadOption("p must be at most k, because a record has one value")

    @property
    def about(self) -> About:
        return About(column=self.column, k=self.k)

    @property
    def smallest(self) -> int:
        return self.k

    def holds(self, stats: GroupStats) -> BoolArray:
        return (stats.counts(self.column).n_distinct >= self.p) & (stats.sizes >= self.k)

    def achieved(self, stats: GroupStats) -> int:
        return int(stats.counts(self.column).n_distinct.min())

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"Every group has at least {unit.counted(self.k)} and "
            f"{counted(self.p, 'different value')} of {self.column!r}."
        )

    def relax(self, stats: GroupStats) -> str:
        if stats.sizes.min() < self.k:
            return f"ask for a k of at most {stats.sizes.min():,}"
        return f"ask for a p of at most {self.achieved(stats):,}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The least varied group has {counted(int(achieved), 'different value')}."
