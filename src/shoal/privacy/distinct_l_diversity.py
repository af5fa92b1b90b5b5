"""Distinct l-diversity (Machanavajjhala et al. 2006, in its simplest form)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import counted
from shoal.privacy._require import require_whole
from shoal.types.arrays import BoolArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class DistinctLDiversity(PrivacyModel):
    """Every group holds at least `l` different values of the sensitive `column`.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "flu", "gout"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.DistinctLDiversity("ill", l=2)])
    >>> release.frame.rows()
    [('[21, 27]', 'flu'), ('[21, 27]', 'gout'), ('[44, 52]', 'flu'), ('[44, 52]', 'gout')]
    """

    column: str
    l: int
    is_local = survives_merging = survives_growth = True  # a union has no fewer values

    def __post_init__(self) -> None:
        require_whole("l", self.l, at_least=1)

    @property
    def about(self) -> About:
        return About(column=self.column)

    @property
    def smallest(self) -> int:
        return self.l

    def holds(self, stats: GroupStats) -> BoolArray:
        return stats.counts(self.column).n_distinct >= self.l

    def achieved(self, stats: GroupStats) -> int:
        return int(stats.counts(self.column).n_distinct.min())

    def demand(self, unit: Unit = RECORD) -> str:
        values = counted(self.l, "different value") if self.l > 1 else "1 value"
        return f"Every group has at least {values} of {self.column!r}."

    def relax(self, stats: GroupStats) -> str:
        return f"ask for an l of at most {self.achieved(stats):,}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The least varied group has {counted(int(achieved), 'different value')}."
