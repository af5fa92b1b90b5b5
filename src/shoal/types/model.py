"""What a privacy model is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from shoal.types.arrays import BoolArray
from shoal.types.stats import GroupStats


@runtime_checkable
class PrivacyModel(Protocol):
    """A promise about every group of a release.

    `survives_merging`: the union of groups that hold, holds. `survives_growth`: a group that holds
    still holds with any records added. `is_local`: whether a group holds depends on its own
    records alone; otherwise it may fail once other groups are suppressed. `smallest`: no group
    with fewer records can hold, so that searches need not ask. `demand` and `found` say in a
    sentence what is required and what an achieved value means.

    A model about a sensitive column has a field `column`, and may say what that `needs`: a
    hierarchy, severities. One about a population has a field `population`, the path of its file.
    A method `relax(stats)` may say what to ask for instead, where one group of all records fails.
    """

    @property
    def survives_merging(self) -> bool: ...
    @property
    def survives_growth(self) -> bool: ...
    @property
    def is_local(self) -> bool: ...
    @property
    def smallest(self) -> int: ...
    def holds(self, stats: GroupStats) -> BoolArray: ...
    def achieved(self, stats: GroupStats) -> float: ...
    def demand(self) -> str: ...
    def found(self, achieved: float) -> str: ...
