"""Models that compare groups with a whole table, against their definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import shoal
from naive import privacy as naive
from privacy.earth_mover import distance_in, earth_movers_distance
from privacy.groups import NUMBERS, PATHS, SEVERITY, WORDS, limits, lists, stats_of, tables_of
from tiers import examples

SUPPRESSED = st.lists(st.sampled_from([*WORDS, None]), max_size=5)


def exact(limit):
    """The number that a float was meant to be."""
    return Fraction(limit).limit_denominator(1000)


@pytest.mark.parametrize("knows_input", [True, False])
@pytest.mark.parametrize(
    ("kind", "values"),
    [("equal", WORDS), ("ordered", WORDS), ("ordered", NUMBERS), ("hierarchical", WORDS)],
)
@examples(10, thorough=40)
@given(data=st.data(), t=limits(0.1, 1))
def test_t_closeness_is_the_solution_of_a_linear_program(kind, values, knows_input, data, t):
    groups = data.draw(lists(values))
    suppressed = data.draw(st.lists(st.sampled_from([*values, None]), max_size=5))
    paths = PATHS if kind == "hierarchical" else None
    stats = stats_of(
        groups, suppressed=suppressed, values=values, paths=paths, knows_input=knows_input
    )
    tables = tables_of(groups, suppressed)[0 if knows_input else 1 :]
    figures = [
        max(earth_movers_distance(g, table, distance_in(kind, table, values)) for table in tables)
        for g in groups
    ]

    model = shoal.TCloseness("ill", t, kind)

    np.testing.assert_allclose(model.distances(stats), figures, atol=1e-9)
    assert model.achieved(stats) == pytest.approx(max(figures), abs=1e-9)
    assert model.holds(stats).tolist() == [figure <= t + 2e-9 for figure in figures]


def test_the_salaries_of_the_paper_are_as_far_as_it_says():
    """Section 5.2 of the paper: P1 = {3, 4, 5}, P2 = {6, 8, 11}, of 3 to 11 thousand."""
    salaries = [str(salary) for salary in (3, 4, 5, 6, 7, 8, 9, 10, 11)]
    others = ["7", "9", "10"]
    stats = stats_of([["3", "4", "5"], ["6", "8", "11"], others], values=tuple(salaries))

    figures = shoal.TCloseness("ill", 0.2, "ordered").distances(stats)

    np.testing.assert_allclose(figures[:2], [0.375, 1 / 6], atol=1e-12)


def test_a_hierarchy_whose_only_leaf_is_the_root_still_tells_missing_from_it():
    stats = stats_of([["*"], [None]], values=("*",), paths={"*": ("*",)})

    figures = shoal.TCloseness("ill", 0.2, "hierarchical").distances(stats)

    assert figures.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("knows_input", [True, False])
@pytest.mark.parametrize("enhanced", [True, False])
@given(groups=lists(), suppressed=SUPPRESSED, beta=limits(0.1, 4))
def test_beta_likeness_is_that_of_the_definition(knows_input, enhanced, groups, suppressed, beta):
    model = shoal.BetaLikeness("ill", beta, enhanced)
    stats = stats_of(groups, suppressed=suppressed, knows_input=knows_input)
    tables = tables_of(groups, suppressed)[0 if knows_input else 1 :]

    assert model.holds(stats).tolist() == [
        all(naive.is_like(g, table, exact(beta), enhanced=enhanced) for table in tables)
        for g in groups
    ]
    largest = max(max(naive.gains(g, table).values()) for g in groups for table in tables)
    assert model.achieved(stats) == pytest.approx(float(largest), abs=1e-9)


@pytest.mark.parametrize("knows_input", [True, False])
@given(groups=lists(WORDS[:3]), suppressed=SUPPRESSED, factor=limits(1.2, 4))
def test_delta_disclosure_is_that_of_the_definition(knows_input, groups, suppressed, factor):
    model = shoal.DeltaDisclosure("ill", math.log(factor))
    stats = stats_of(groups, suppressed=suppressed, knows_input=knows_input)
    tables = tables_of(groups, suppressed)[0 if knows_input else 1 :]

    assert model.holds(stats).tolist() == [
        all(naive.is_undisclosed(g, table, exact(factor)) for table in tables) for g in groups
    ]
    furthest = max(naive.disclosure(g, table) for g in groups for table in tables)
    assert model.achieved(stats) == pytest.approx(furthest, abs=1e-9)


@pytest.mark.parametrize("knows_input", [True, False])
@given(groups=lists(), suppressed=SUPPRESSED, t=st.sampled_from([0, 0.001, 0.01, 0.1, 0.5, 1]))
def test_severity_closeness_is_that_of_the_definition(knows_input, groups, suppressed, t):
    model = shoal.SeverityCloseness("ill", t)
    stats = stats_of(groups, suppressed=suppressed, severity=SEVERITY, knows_input=knows_input)
    tables = tables_of(groups, suppressed)[0 if knows_input else 1 :]
    figures = [
        max(naive.severity_distance(group, table, SEVERITY) for table in tables) for group in groups
    ]
    assume(not any(1e-12 < abs(figure - t) < 1e-8 for figure in figures))

    np.testing.assert_allclose(model.distances(stats), figures, atol=1e-12)
    assert model.achieved(stats) == pytest.approx(max(figures), abs=1e-12)
    assert model.holds(stats).tolist() == [figure <= t + 1e-11 for figure in figures]


def test_where_nothing_is_grave_everything_is_equally_grave():
    nothing = dict.fromkeys(SEVERITY, 0)
    stats = stats_of([["a"], ["b", None]], severity=nothing)

    assert shoal.SeverityCloseness("ill", 0).holds(stats).all()


@pytest.mark.parametrize(
    "model",
    [
        shoal.TCloseness("ill", 0),
        shoal.TCloseness("ill", 0, "ordered"),
        shoal.BetaLikeness("ill", 0.1, enhanced=True),
        shoal.DeltaDisclosure("ill", 0.1),
        shoal.SeverityCloseness("ill", 0),
    ],
    ids=str,
)
def test_a_column_of_one_value_discloses_nothing(model):
    stats = stats_of([["b"], ["b", "b"]], severity=SEVERITY)

    assert model.holds(stats).tolist() == [True, True]
    assert model.achieved(stats) == 0


def test_a_value_that_only_suppressed_records_have_is_missing_in_every_group():
    groups = [["a", "b"], ["b", "a"]]

    model = shoal.DeltaDisclosure("ill", 100)

    assert model.holds(stats_of(groups)).all()
    assert not model.holds(stats_of(groups, suppressed=["c"])).any()
    assert model.achieved(stats_of(groups, suppressed=["c"])) == math.inf


def test_the_words_of_a_model_never_overflow():
    assert "e to the power of 1000" in shoal.DeltaDisclosure("ill", 1000).demand()
    assert "e to the power of 800" in shoal.DeltaDisclosure("ill", 1000).found(800)
