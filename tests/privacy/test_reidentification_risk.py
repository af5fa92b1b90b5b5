"""Limits on the risk of a whole release, against their definitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from naive import privacy as naive
from privacy.groups import limits
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats, Whole
from shoal.types.unit import PERSON

SIZES = st.lists(st.integers(1, 8), min_size=1, max_size=8)
LIMIT = limits(0.1, 1)


def stats_of_sizes(sizes):
    return GroupStats(np.array(sizes, dtype=np.int64), {})


def exact(limit):
    return None if limit is None else Fraction(limit).limit_denominator(1000)


@given(SIZES, LIMIT | st.none(), LIMIT | st.none(), limits(0.1, 0.8) | st.sampled_from([None, 0]))
def test_a_release_within_its_limits_holds_and_no_other(sizes, highest, average, at_risk):
    if highest is None:
        average, at_risk = average or 0.25, None
    model = shoal.ReidentificationRisk(highest, average, at_risk)
    asked = {"highest": exact(highest), "average": exact(average), "at_risk": exact(at_risk)}

    holds = model.holds(stats_of_sizes(sizes))

    assert holds.all() == naive.risk_holds(sizes, **asked)
    fails = Privacy((model,)).to_suppress(stats_of_sizes(sizes))
    left = [size for size, failing in zip(sizes, fails, strict=True) if not failing]
    assert not left or naive.risk_holds(left, **asked)


@given(SIZES, LIMIT)
def test_no_more_records_go_than_must_for_an_average(sizes, average):
    model = shoal.ReidentificationRisk(average=average)

    fails = Privacy((model,)).to_suppress(stats_of_sizes(sizes))

    least = min(
        sum(size for i, size in enumerate(sizes) if not kept >> i & 1)
        for kept in range(2 ** len(sizes))
        if not kept
        or naive.risk_holds(
            [size for i, size in enumerate(sizes) if kept >> i & 1], average=exact(average)
        )
    )
    assert sum(size for size, failing in zip(sizes, fails, strict=True) if failing) == least


def test_what_was_achieved_is_what_was_asked_for():
    stats = stats_of_sizes([2, 4, 4, 10])

    assert shoal.ReidentificationRisk(0.5).achieved(stats) == 0.5
    assert shoal.ReidentificationRisk(average=0.5).achieved(stats) == 4 / 20
    assert shoal.ReidentificationRisk(0.2, at_risk=0.5).achieved(stats) == 0.5
    assert shoal.ReidentificationRisk(0.2, at_risk=0.0).achieved(stats) == 0.5


@pytest.mark.parametrize(("risk", "size"), [(1, 1), (0.5, 2), (1 / 3, 3), (0.09, 12), (0.2, 5)])
def test_a_risk_is_a_size(risk, size):
    model = shoal.ReidentificationRisk(risk)

    assert model.smallest == size
    assert model.holds(stats_of_sizes([size, max(size - 1, 1)])).tolist() == [True, size == 1]


def test_a_search_that_sees_some_groups_asks_every_one_for_the_limit():
    model = shoal.ReidentificationRisk(0.2, average=0.2, at_risk=0.5)
    some = GroupStats(np.array([2, 5]), {}, whole=Whole({}, 7))

    assert model.holds(some).tolist() == [False, True]


def test_the_tiniest_risk_asks_for_more_records_than_there_are():
    assert shoal.ReidentificationRisk(5e-324).smallest == 2**53


@pytest.mark.parametrize("limits", [{"average": 0.2}, {"highest": 0.2, "at_risk": 0.1}])
def test_what_holds_may_fail_once_a_large_group_is_suppressed(limits):
    model, stats = shoal.ReidentificationRisk(**limits), stats_of_sizes([1, 9])

    assert not model.is_local
    assert model.holds(stats).all()
    assert not model.holds(stats.of_groups(np.array([True, False]))).any()


def test_records_whose_risk_is_exactly_the_limit_are_not_at_risk():
    model = shoal.ReidentificationRisk(0.2, at_risk=0.5)

    assert model.achieved(stats_of_sizes([1, 5, 10])) == 1 / 16


@pytest.mark.parametrize(
    ("model", "demand", "found"),
    [
        (shoal.ReidentificationRisk(0.2), "at most 0.2 for every record.", "The highest risk"),
        (
            shoal.ReidentificationRisk(0.2, at_risk=0.1),
            "at most 0.2 for all but 0.1 of the records.",
            "The share of records",
        ),
        (shoal.ReidentificationRisk(average=0.2), "is at most 0.2 on average.", "The average risk"),
        (
            shoal.ReidentificationRisk(0.2, 0.1),
            "at most 0.2 for every record and at most 0.1 on average.",
            "The highest risk",
        ),
    ],
)
def test_a_risk_says_which_limits_it_has_and_which_figure_it_found(model, demand, found):
    assert model.demand().endswith(demand)
    assert model.found(0.15).startswith(found)


def test_the_demand_says_what_the_risk_is_about():
    model = shoal.ReidentificationRisk(highest=0.2)

    assert "a record is linked to its person is at most 0.2 for every record" in model.demand()
    assert "a person is picked out is at most 0.2 for every person" in model.demand(PERSON)
