"""k-map (Sweeney 2001)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import counted
from shoal.privacy._require import require_whole
from shoal.types.arrays import BoolArray
from shoal.types.model import About, PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class KMap(PrivacyModel):
    """Every released record could be any of at least `k` people of the `population`, a file.

    >>> import polars as pl, shoal
    >>> from tempfile import TemporaryDirectory
    >>> patients = pl.DataFrame({"age": [21, 44]})
    >>> with TemporaryDirectory() as folder:
    ...     pl.DataFrame({"age": [21, 22, 44, 45]}).write_csv(f"{folder}/town.csv")
    ...     release = shoal.anonymize(patients, quasi={"age": shoal.intervals(10)},
    ...                               privacy=[shoal.KMap(2, f"{folder}/town.csv")],
    ...                               algorithm="flash")
    >>> release.frame["age"].to_list()  # each is alone here, but not in the town
    ['[20, 29]', '[40, 49]']
    """

    k: int
    population: str
    is_local = survives_merging = survives_growth = True  # wider cells match no fewer people
    smallest = 1

    def __post_init__(self) -> None:
        require_whole("k", self.k, at_least=1)

    @property
    def about(self) -> About:
        return About(population=self.population, k=self.k)

    def holds(self, stats: GroupStats) -> BoolArray:
        return stats.matches(self.population).sizes() >= self.k

    def achieved(self, stats: GroupStats) -> int:
        return int(stats.matches(self.population).sizes().min())

    def demand(self, unit: Unit = RECORD) -> str:
        return f"Every {unit.one} matches at least {counted(self.k, 'record')} of the population."

    def relax(self, stats: GroupStats) -> str:
        n_people = self.achieved(stats)
        if n_people == 0:
            return "use another population (no person in it matches these records)"
        return f"ask for a k of at most {n_people:,}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The group with the fewest matches has {int(achieved):,}."
