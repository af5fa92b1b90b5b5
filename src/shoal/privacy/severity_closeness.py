"""Severity closeness: the condition of t-clustering (Kayem and Meinel) as a model."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.privacy._closeness import Closeness
from shoal.privacy._reference import against_references
from shoal.privacy._require import require_number
from shoal.types.arrays import FloatArray
from shoal.types.model import About
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit
from shoal.types.value_distances import severity_distances


@dataclass(frozen=True)
class SeverityCloseness(Closeness):
    """In every group the mean severity of `column` is nearly that of the whole table.

    With x the ratio of the two means, x ln x - x + 1 is at most `t`. It needs severities of the
    values. A group may still have only one value: this is not t-closeness.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "gout", "flu"]})
    >>> release = shoal.anonymize(patients, quasi=["age"],
    ...                           sensitive={"ill": shoal.severity({"flu": 2, "gout": 6})},
    ...                           privacy=[shoal.SeverityCloseness("ill", t=0.01)])
    >>> release.frame["age"].to_list()  # the mean severity of both groups is 4
    ['[21, 27]', '[21, 27]', '[44, 52]', '[44, 52]']
    """

    column: str
    t: float
    survives_merging = True  # a union's mean lies between those of its parts

    def __post_init__(self) -> None:
        require_number("t", self.t, at_least=0)

    @property
    def about(self) -> About:
        return About(column=self.column, needs=("severity",))

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"In every group the mean severity of {self.column!r} is that of the whole table, up "
            f"to a distance of {self.t:g}."
        )

    def distances(self, stats: GroupStats) -> FloatArray:
        found, severity = stats.counts(self.column), stats.column(self.column).severity
        assert severity is not None  # a policy without severities is refused
        return against_references(
            stats, self.column, lambda shares: severity_distances(severity, found, shares)
        )
