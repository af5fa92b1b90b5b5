"""delta-presence (Nergiz, Atzori and Clifton, SIGMOD 2007)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.errors import counted
from shoal.privacy._require import at_most, require_number, rounded_down, rounded_up
from shoal.types.arrays import BoolArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats, Presence
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class DeltaPresence(PrivacyModel):
    """An adversary is unsure whether a person of the `population`, a file, is in the release.

    The chance that somebody is, by what the cells say, lies between `min` and `max`. With `min`
    above 0 every person of the population must be matched by some group.

    >>> import polars as pl, shoal
    >>> from tempfile import TemporaryDirectory
    >>> patients = pl.DataFrame({"age": [21, 44]})
    >>> with TemporaryDirectory() as folder:
    ...     pl.DataFrame({"age": [21, 22, 44, 45]}).write_csv(f"{folder}/town.csv")
    ...     release = shoal.anonymize(patients, quasi={"age": shoal.intervals(10)},
    ...                               privacy=[shoal.DeltaPresence(0, 0.5, f"{folder}/town.csv")],
    ...                               algorithm="flash")
    >>> release.frame["age"].to_list(), release.verdict.findings[0].achieved
    (['[20, 29]', '[40, 49]'], 0.5)
    """

    min: float
    max: float
    population: str
    is_local = False  # chances add up where groups overlap
    survives_merging = survives_growth = False  # cells of a union match other people besides
    smallest = 1

    def __post_init__(self) -> None:
        require_number("min", self.min, at_least=0, at_most=1)
        require_number("max", self.max, at_least=self.min, at_most=1)

    @property
    def about(self) -> About:
        return About(population=self.population)

    def holds(self, stats: GroupStats) -> BoolArray:
        found = self._presence(stats)
        is_enough = at_most(-found.lowest, -self.min)
        if self.min > 0 and stats.is_whole and found.n_outside > 0:
            is_enough = np.zeros_like(is_enough)  # those outside have no chance at all
        return is_enough & at_most(found.highest, self.max)

    def achieved(self, stats: GroupStats) -> float:
        return float(self._presence(stats).highest.max())

    def demand(self, unit: Unit = RECORD) -> str:
        return (
            "For every person of the population, the probability of being in the release is "
            f"between {self.min:g} and {self.max:g}."
        )

    def relax(self, stats: GroupStats) -> str:
        found = self._presence(stats)
        if not at_most(found.highest, self.max).all():
            return f"ask for a max of at least {rounded_up(found.highest.max())}"
        if found.n_outside:
            return (
                f"ask for a min of 0, because {counted(found.n_outside, 'record')} of the "
                "population have values that no cell covers"
            )
        return f"ask for a min of at most {rounded_down(found.lowest.min())}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The largest probability is {achieved:.4g}."

    def _presence(self, stats: GroupStats) -> Presence:
        """Sums of chances, where groups overlap, are at most certainty.

        A group that matches no person of the population reveals nothing about it.
        """
        found = stats.matches(self.population).presence(stats.sizes)
        matches_no_person = stats.matches(self.population).sizes() == 0
        return found._replace(
            lowest=np.where(matches_no_person, 1.0, np.minimum(found.lowest, 1.0)),
            highest=np.where(matches_no_person, 0.0, np.minimum(found.highest, 1.0)),
        )
