"""Severity closeness: the condition of t-clustering (Kayem and Meinel) as a model."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.distances import severity_distances
from shoal.privacy._reference import against_references
from shoal.privacy._require import at_most, require_number, rounded_up
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.stats import GroupStats


@dataclass(frozen=True)
class SeverityCloseness:
    """In every group the mean severity of `column` is nearly that of the whole table.

    With x the ratio of the two means, x ln x - x + 1 is at most `t`. It needs severities of the
    values. A group may still hold one value only: this is no t-closeness.
    """

    column: str
    t: float
    is_local = False  # what a group is compared with depends on which groups are released
    survives_merging = True  # a union's mean lies between those of its parts
    survives_growth = False
    smallest = 1
    needs = ("severity",)

    def __post_init__(self) -> None:
        require_number("t", self.t, at_least=0)

    def holds(self, stats: GroupStats) -> BoolArray:
        return at_most(self._distances(stats), self.t)

    def achieved(self, stats: GroupStats) -> float:
        return float(self._distances(stats).max())

    def demand(self) -> str:
        return (
            f"In every group the mean severity of {self.column!r} is that of the whole table, up "
            f"to a distance of {self.t:g}."
        )

    def relax(self, stats: GroupStats) -> str:
        return f"ask for a t of at least {rounded_up(self.achieved(stats))}"

    def found(self, achieved: float) -> str:
        return f"The furthest group is {achieved:.4g} away."

    def _distances(self, stats: GroupStats) -> FloatArray:
        found, severity = stats.counts(self.column), stats.column(self.column).severity
        assert severity is not None  # a policy without severities is refused
        return against_references(
            stats, self.column, lambda shares: severity_distances(severity, found, shares)
        )
