"""Limits on the risk that a record is linked to its person (as regulators give them)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.errors import BadOption
from shoal.privacy._require import require_number, rounded_up
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.model import PrivacyModel
from shoal.types.shares import is_within, smallest_group
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class ReidentificationRisk(PrivacyModel):
    """The probability of picking a person's record from its group is small.

    It is 1 / size of the group. `highest` bounds it for every record or, with `at_risk`, for all
    but that share of the records; `average` bounds its mean. Regulators often ask for 0.09.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52, 53]})
    >>> release = shoal.anonymize(patients, quasi=["age"],
    ...                           privacy=[shoal.ReidentificationRisk(highest=0.5)])
    >>> release.frame["age"].to_list(), release.verdict.findings[0].achieved
    (['[21, 44]', '[21, 44]', '[21, 44]', '[52, 53]', '[52, 53]'], 0.5)
    """

    highest: float | None = None
    average: float | None = None
    at_risk: float | None = None
    survives_merging = True  # larger groups have a lower risk

    def __post_init__(self) -> None:
        if self.highest is None and self.average is None:
            raise BadOption("highest or average must be set, for example to 0.09")
        for name, value in (("highest", self.highest), ("average", self.average)):
            if value is not None:
                require_number(name, value, above=0, at_most=1)
        if self.at_risk is not None:
            if self.highest is None:
                raise BadOption("highest must be set too: at-risk counts records above it")
            require_number("at-risk", self.at_risk, at_least=0, at_most=1)

    @property
    def is_local(self) -> bool:
        return self.average is None and not self.at_risk

    @property
    def survives_growth(self) -> bool:
        return self.is_local

    @property
    def smallest(self) -> int:
        return 1 if self.highest is None or self.at_risk else smallest_group(self.highest)

    def holds(self, stats: GroupStats) -> BoolArray:
        """Where a limit is not for every record, the smallest groups fail that must go for it."""
        result = np.ones(stats.n_groups, dtype=np.bool_)
        if self.highest is not None:
            is_safe = stats.sizes >= smallest_group(self.highest)
            if self.at_risk and stats.is_whole:
                n_unsafe = np.where(is_safe, 0, stats.sizes)
                is_safe |= _stay(stats.sizes, n_unsafe, self.at_risk)
            result &= is_safe
        if self.average is not None:
            is_low = stats.sizes >= smallest_group(self.average)
            if stats.is_whole:
                is_low |= _stay(stats.sizes, np.ones_like(stats.sizes), self.average)
            result &= is_low
        return result

    def achieved(self, stats: GroupStats) -> float:
        """The share of records at risk, or the highest risk, or the average, as is asked for."""
        n_records = stats.sizes.sum()
        if self.highest is None:
            return float(stats.n_groups / n_records)
        if self.at_risk:
            is_safe = stats.sizes >= smallest_group(self.highest)
            return float(stats.sizes[~is_safe].sum() / n_records)
        return float(1 / stats.sizes.min())

    def demand(self, unit: Unit = RECORD) -> str:
        asked = []
        if self.highest is not None:
            whose = (
                f"all but {self.at_risk:.4g} of the {unit.many}"
                if self.at_risk
                else f"every {unit.one}"
            )
            asked.append(f"at most {self.highest:.4g} for {whose}")
        if self.average is not None:
            asked.append(f"at most {self.average:.4g} on average")
        linked = "a record is linked to its person" if unit == RECORD else "a person is picked out"
        return f"The risk that {linked} is {' and '.join(asked)}."

    def relax(self, stats: GroupStats) -> str:
        """Of one group, whose risk is the highest and the average."""
        n_records = int(stats.sizes.min())
        is_too_high = self.highest is not None and n_records < smallest_group(self.highest)
        limit = "a highest" if is_too_high else "an average"
        return f"ask for {limit} of at least {rounded_up(1 / n_records)}"

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        if self.highest is None:
            return f"The average risk is {achieved:.4g}."
        if self.at_risk:
            return f"The share of {unit.many} with a higher risk is {achieved:.4g}."
        return f"The highest risk is {achieved:.4g}."


def _stay(sizes: Int64Array, units: Int64Array, limit: float) -> BoolArray:
    """Which groups may stay so that all units are at most the share `limit` of all records.

    The smallest go first, as long as there are too many units.
    """
    order = np.argsort(sizes, kind="stable")
    left = np.cumsum(sizes[order][::-1])[::-1]
    too_many = ~is_within(np.cumsum(units[order][::-1])[::-1], left, limit)
    n_go = int(np.argmin(np.append(too_many, False)))  # with none left there are not too many
    stays = np.zeros(len(sizes), dtype=np.bool_)
    stays[order[n_go:]] = True
    return stays
