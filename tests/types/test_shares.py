"""The smallest group whose risk is within a share: one answer for the model and for the figures."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.read.source import Source
from shoal.runs.risk import risk_of
from shoal.types.shares import is_within, smallest_group
from shoal.types.stats import GroupStats

BELOW_AN_ELEVENTH = [0.0909090909, 0.090909090909, 0.09090909090909]


@given(st.integers(1, 10**6))
def test_a_share_of_one_in_n_is_met_by_n_records_and_not_by_fewer(n):
    assert smallest_group(1 / n) == n
    assert smallest_group(float(np.nextafter(1 / n, 0))) == n + 1


@pytest.mark.parametrize("share", ["1", "0.5", "0.2", "0.1", "0.05", "0.04", "0.01", "0.001"])
def test_a_share_that_is_written_as_a_decimal_means_what_it_says(share):
    n = round(1 / float(share))

    assert smallest_group(float(share)) == n
    assert is_within(np.array([1, 1]), np.array([n, n - 1 or 1]), float(share)).tolist() == [
        True,
        n == 1,
    ]


@pytest.mark.parametrize("threshold", [*BELOW_AN_ELEVENTH, 1 / 11, 0.1, 0.09])
def test_the_model_holds_for_the_groups_that_are_not_at_risk_and_for_no_other(threshold):
    model = shoal.ReidentificationRisk(highest=threshold)
    policy = shoal.Policy.of_roles(quasi=["a"], privacy=[shoal.KAnonymity(2)])
    for size in (10, 11, 12):
        source = Source.of_frame(pl.DataFrame({"a": ["x"] * size}))
        risk = risk_of(source, policy, threshold=threshold)

        holds = model.holds(GroupStats(np.array([size]), {}))

        assert holds.tolist() == [risk.data.prosecutor.n_at_risk == 0]


@pytest.mark.parametrize("threshold", BELOW_AN_ELEVENTH)
def test_a_risk_just_above_the_limit_is_too_high(threshold):
    stats = GroupStats(np.array([11]), {})

    assert not shoal.ReidentificationRisk(highest=threshold).holds(stats).any()
    assert not shoal.ReidentificationRisk(average=threshold).holds(stats).any()
