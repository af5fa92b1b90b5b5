"""t-closeness (Li, Li and Venkatasubramanian, ICDE 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from shoal.privacy._closeness import Closeness
from shoal.privacy._reference import against_references
from shoal.privacy._require import require_number, require_one_of
from shoal.types.arrays import FloatArray
from shoal.types.model import About
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit
from shoal.types.value_distances import Distance, distances


@dataclass(frozen=True)
class TCloseness(Closeness):
    """The values of `column` are distributed in every group nearly as in the whole table.

    No group is further than `t` from the table, by the earth mover's distance. `distance` says how
    far two values are: `equal` (any two equally), `ordered` (by their places in order) or
    `hierarchical` (by the height at which they meet).

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "ill": ["flu", "gout", "flu", "flu"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.KAnonymity(2), shoal.TCloseness("ill", t=0.3)])
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[44, 52]', '[44, 52]']
    >>> release.verdict.findings[1].achieved  # gout: 1/2 or none of a group, 1/4 of the table
    0.25
    """

    column: str
    t: float
    distance: Distance = "equal"
    survives_merging = True  # the distance is convex

    def __post_init__(self) -> None:
        require_number("t", self.t, at_least=0, at_most=1)
        require_one_of("distance", self.distance, get_args(Distance))

    @property
    def about(self) -> About:
        by_tree = self.distance == "hierarchical"
        return About(column=self.column, needs=("hierarchy",) if by_tree else ())

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            f"In every group the values of {self.column!r} are distributed as in the whole table, "
            f"up to a distance of {self.t:g}."
        )

    def distances(self, stats: GroupStats) -> FloatArray:
        found, column = stats.counts(self.column), stats.column(self.column)
        return against_references(
            stats, self.column, lambda shares: distances(self.distance, column, found, shares)
        )
