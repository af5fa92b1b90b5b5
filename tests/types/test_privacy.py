"""Models together: which groups are left out so that all others hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from shoal.types.arrays import BoolArray
from shoal.types.model import PrivacyModel
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True)
class NoMajority(PrivacyModel):
    """No group has half of all records: where one is left out, others can have it."""

    is_local = survives_merging = survives_growth = False
    smallest = 1

    def holds(self, stats: GroupStats) -> BoolArray:
        return 2 * stats.sizes < stats.sizes.sum()

    def achieved(self, stats: GroupStats) -> int:
        return int(stats.sizes.max())

    def demand(self, unit: Unit = RECORD) -> str:
        return "No group has the majority."

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The largest group has {unit.counted(int(achieved))}."


@pytest.mark.parametrize(
    ("sizes", "left_out"),
    [
        ([1, 1, 1], []),
        ([1, 16, 1, 8, 4, 1], [16, 8, 4]),  # one after another
        ([4, 2, 1], [4, 2, 1]),
    ],
)
def test_groups_are_left_out_until_all_others_hold(sizes, left_out):
    stats = GroupStats(np.array(sizes), {})

    is_left_out = Privacy((NoMajority(),)).to_suppress(stats)

    assert sorted(stats.sizes[is_left_out], reverse=True) == left_out


def test_the_search_for_groups_to_leave_out_ends_where_too_many_are():
    stats = GroupStats(np.array([16, 8, 4, 1, 1, 1]), {})

    is_left_out = Privacy((NoMajority(),)).to_suppress(stats, limit=20)

    assert stats.sizes[is_left_out].sum() > 20
