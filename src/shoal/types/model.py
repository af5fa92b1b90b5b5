"""What a privacy model is."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import Field, dataclass
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from shoal.types.arrays import BoolArray
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class About:
    """What a model is about.

    `column`: the sensitive column whose values it looks at, and what that column `needs`.
    `population`: the file of the people that it counts. `k`: how many must look alike, records or,
    with a population, people. A model that gives `column`, `population` or `k` has a field of that
    name, which several tables, a policy's folder or `--k` may replace.
    """

    column: str | None = None
    needs: tuple[Literal["hierarchy", "severity"], ...] = ()
    population: str | None = None
    k: int | None = None


@runtime_checkable
class PrivacyModel(Protocol):
    """A promise about every group of a release.

    Its options are the fields of its own frozen dataclass; its file's name is its public name, and
    `aliases` are others. Inherit from this class, and say:

    `survives_merging`: the union of groups that hold, holds. `survives_growth`: a group that holds
    still holds with any records added. `is_local`: whether a group holds depends on its own
    records alone; otherwise it may fail once other groups are suppressed. `smallest`: no group
    with fewer records can hold, so that searches need not ask. `demand` and `found` say in a
    sentence what is required and what an achieved value means; `unit` is what sizes count.

    `about` and `relax` have defaults; override them where they do not fit.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    aliases: ClassVar[tuple[str, ...]] = ()

    @property
    def about(self) -> About:
        return About()

    def relax(self, stats: GroupStats) -> str:
        """What to ask for instead, where one group of all records fails."""
        return "ask for less"

    @property
    @abstractmethod
    def survives_merging(self) -> bool: ...
    @property
    @abstractmethod
    def survives_growth(self) -> bool: ...
    @property
    @abstractmethod
    def is_local(self) -> bool: ...
    @property
    @abstractmethod
    def smallest(self) -> int: ...
    @abstractmethod
    def holds(self, stats: GroupStats) -> BoolArray: ...
    @abstractmethod
    def achieved(self, stats: GroupStats) -> float: ...
    @abstractmethod
    def demand(self, unit: Unit = RECORD) -> str: ...
    @abstractmethod
    def found(self, achieved: float, unit: Unit = RECORD) -> str: ...
