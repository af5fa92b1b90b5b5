"""k-anonymity (Sweeney 2002)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.privacy._require import require_whole
from shoal.types.arrays import BoolArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class KAnonymity(PrivacyModel):
    """Every record looks like at least `k` - 1 others.

    >>> import numpy as np
    >>> KAnonymity(3).holds(GroupStats(np.array([2, 3, 9]), {})).tolist()
    [False, True, True]
    """

    k: int
    is_local = survives_merging = survives_growth = True  # a union is never smaller than its parts

    def __post_init__(self) -> None:
        require_whole("k", self.k, at_least=1)

    @property
    def about(self) -> About:
        return About(k=self.k)

    @property
    def smallest(self) -> int:
        return self.k

    def holds(self, stats: GroupStats) -> BoolArray:
        return stats.sizes >= self.k

    def achieved(self, stats: GroupStats) -> int:
        return int(stats.sizes.min())

    def demand(self, unit: Unit = RECORD) -> str:
        if self.k == 1:
            return f"Nothing: with k = 1 a {unit.one} may be unique."
        return f"Every {unit.one} looks like at least {unit.others(self.k - 1)}."

    def relax(self, stats: GroupStats) -> str:
        return f"ask for a k of at most {self.achieved(stats):,}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The smallest group has {unit.counted(int(achieved))}."
