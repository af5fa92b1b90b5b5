"""What models have in common that keep every group within a distance of the whole table."""

from __future__ import annotations

from abc import abstractmethod

from shoal.privacy._require import at_most, rounded_up
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.model import PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


class Closeness(PrivacyModel):
    """No group is further than `t` from the whole table."""

    t: float
    is_local = False  # what a group is compared with depends on which groups are released
    survives_growth = False
    smallest = 1

    @abstractmethod
    def distances(self, stats: GroupStats) -> FloatArray:
        """How far each group is, from the input or the released records, whichever is more."""

    def holds(self, stats: GroupStats) -> BoolArray:
        return at_most(self.distances(stats), self.t)

    def achieved(self, stats: GroupStats) -> float:
        return float(self.distances(stats).max())

    def relax(self, stats: GroupStats) -> str:
        return f"ask for a t of at least {rounded_up(self.achieved(stats))}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The largest distance of a group is {achieved:.4g}."
