"""Models about the values in a group alone, against their definitions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from naive import privacy as naive
from privacy.groups import NUMBERS, PATHS, WORDS, limits, lists, stats_of, tables_of
from shoal.types.stats import GroupStats
from tiers import only_thorough


def exact(limit):
    """The number that a float was meant to be."""
    return Fraction(limit).limit_denominator(1000)


@given(lists(), st.integers(1, 6))
def test_k_anonymity_counts_records(groups, k):
    stats = stats_of(groups)

    assert shoal.KAnonymity(k).holds(stats).tolist() == [len(g) >= k for g in groups]
    assert shoal.KAnonymity(k).achieved(stats) == min(map(len, groups))


@given(lists(), st.integers(1, 6))
def test_distinct_l_diversity_counts_values_and_missing_is_one(groups, l):
    model, stats = shoal.DistinctLDiversity("ill", l), stats_of(groups)

    assert model.holds(stats).tolist() == [naive.n_different(g) >= l for g in groups]
    assert model.achieved(stats) == min(map(naive.n_different, groups))


@given(lists(), limits(1, 4))
def test_entropy_l_diversity_is_that_of_the_definition(groups, l):
    model, stats = shoal.EntropyLDiversity("ill", l), stats_of(groups)

    assert model.holds(stats).tolist() == [naive.is_as_mixed_as(g, exact(l)) for g in groups]
    assert model.achieved(stats) == pytest.approx(min(map(naive.mixture, groups)), abs=1e-9)


@given(lists(), limits(0.1, 4), st.integers(1, 4))
def test_recursive_cl_diversity_is_that_of_the_definition(groups, c, l):
    model, stats = shoal.RecursiveClDiversity("ill", c, l), stats_of(groups)
    figures = [naive.most_by_rare(group, l) for group in groups]

    assert model.holds(stats).tolist() == [figure < exact(c) for figure in figures]
    assert model.achieved(stats) == pytest.approx(float(max(figures)), abs=1e-9)


def test_a_most_frequent_value_of_exactly_c_times_the_rare_ones_is_too_frequent():
    stats = stats_of([["a"] * 11 + ["b"] * 10])  # 1.1 * 10 is a little more than 11 in floats

    assert shoal.RecursiveClDiversity("ill", 1.1, 2).holds(stats).tolist() == [False]
    assert shoal.RecursiveClDiversity("ill", 1.11, 2).holds(stats).tolist() == [True]


@given(lists(), limits(0.1, 1), st.integers(1, 6))
def test_alpha_k_is_that_of_the_definition(groups, alpha, k):
    model, stats = shoal.AlphaK("ill", alpha, k), stats_of(groups)
    shares = [naive.largest_share(group) for group in groups]

    assert model.holds(stats).tolist() == [
        share <= exact(alpha) and len(group) >= k
        for share, group in zip(shares, groups, strict=True)
    ]
    assert model.achieved(stats) == pytest.approx(float(max(shares)), abs=1e-12)


@given(lists(), st.integers(1, 6), st.integers(0, 4))
def test_p_sensitive_is_that_of_the_definition(groups, p, more):
    model, stats = shoal.PSensitive("ill", p, p + more), stats_of(groups)

    assert model.holds(stats).tolist() == [
        naive.n_different(g) >= p and len(g) >= p + more for g in groups
    ]
    assert model.achieved(stats) == min(map(naive.n_different, groups))


@pytest.mark.parametrize("knows_input", [True, False])
@pytest.mark.parametrize(
    ("values", "paths"), [(WORDS, None), (WORDS, PATHS), (NUMBERS, None)], ids=str
)
@given(data=st.data(), r=st.sampled_from([0, 0.25, 0.4, 0.5, 2 / 3, 0.75, 1]), most=limits(0.1, 1))
def test_s_diversity_is_the_sum_over_all_pairs(values, paths, knows_input, data, r, most):
    groups = data.draw(lists(values))
    suppressed = data.draw(st.lists(st.sampled_from([*values, None]), max_size=4))
    stats = stats_of(
        groups, suppressed=suppressed, values=values, paths=paths, knows_input=knows_input
    )
    tables = tables_of(groups, suppressed)[0 if knows_input else 1 :]
    figures = [
        max(naive.s_diversity(group, table, exact(r), paths) for table in tables)
        for group in groups
    ]

    model = shoal.SDiversity("ill", most, r)

    assert model.holds(stats).tolist() == [figure <= exact(most) for figure in figures]
    assert model.achieved(stats) == pytest.approx(float(max(figures)), abs=1e-12)


@only_thorough
def test_the_same_group_is_as_alike_among_a_million_others():
    group = ["0.1", "0.4", "0.7", "1"]  # steps of 0.3 of the domain, which no float is
    stats = stats_of([group], values=("0", *group), suppressed=["0"])
    found, column = stats.counts("ill"), stats.column("ill")
    n_groups = 1_000_000
    many = type(stats)(
        np.tile(stats.sizes, n_groups),
        {
            "ill": lambda: type(found)(
                np.arange(0, 4 * n_groups + 1, 4), np.tile(found.values, n_groups),
                np.tile(found.counts, n_groups),
            )
        },
        columns={"ill": column},
    )  # fmt: skip
    model = shoal.SDiversity("ill", 1, 0.3)

    figures = model._diversities(many)

    expected = naive.s_diversity(group, [*group, "0"], Fraction("0.3"))
    np.testing.assert_allclose(figures, float(expected), atol=1e-10)


def test_numbers_far_from_zero_are_as_alike_as_those_near_it():
    near, far = ["0", "3", "10"], ["1000000000000", "1000000000003", "1000000000010"]
    model = shoal.SDiversity("ill", 1, 0.3)

    figures = [model.achieved(stats_of([values], values=tuple(values))) for values in (near, far)]

    assert figures[0] == pytest.approx(float(naive.s_diversity(near, near, Fraction("0.3"))))
    assert figures[1] == pytest.approx(figures[0])


def test_distances_of_the_largest_numbers_are_measured():
    values = ["-1.7e308", "0", "1.7e308"]
    stats = stats_of([values], values=tuple(values))

    assert shoal.SDiversity("ill", 1, 0.5).achieved(stats) == pytest.approx((3 + 4 * 0.5) / 9)


def test_missing_is_a_leaf_only_where_it_occurs():
    groups = [["a", "b"], ["d", "e"]]
    stats = stats_of(groups, suppressed=[None], paths=PATHS, knows_input=False)

    expected = naive.s_diversity(["d", "e"], list("abde"), 1, PATHS)
    assert shoal.SDiversity("ill", 1).achieved(stats) == pytest.approx(float(expected))


def test_the_leaves_of_a_rule_are_the_values_that_occur():
    stats = stats_of([["a", "c"], ["a", "d"]], suppressed=["b", "e"], paths=PATHS)
    column = replace(stats.column("ill"), lists_leaves=False, counts=None)
    of_a_rule = GroupStats(
        stats.sizes, {"ill": lambda: stats.counts("ill")}, columns={"ill": column}
    )
    paths = {value: PATHS[value] for value in "acd"}

    figures = shoal.SDiversity("ill", 1)._diversities(of_a_rule)

    assert figures.tolist() == pytest.approx(
        [float(naive.s_diversity(group, list("acd"), 1, paths)) for group in ("ac", "ad")]
    )


def test_values_beyond_all_numbers_are_only_different():
    huge = "9" * 400
    stats = stats_of([["1", huge], ["1", "1"]], values=("1", huge))

    assert shoal.SDiversity("ill", 0.8, 0.5)._diversities(stats).tolist() == [0.75, 1.0]


@pytest.mark.parametrize("model", [shoal.AlphaK("ill", 0.1, 1), shoal.SDiversity("ill", 0.1, 0)])
def test_shares_that_are_met_exactly_hold(model):
    stats = stats_of([list("abcdefghij")], values=tuple("abcdefghij"))

    assert model.holds(stats).all()
    assert model.smallest == 10
