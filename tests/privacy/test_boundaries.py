"""Limits that are met exactly, and the outermost values that options may have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import shoal
from privacy.groups import NUMBERS, PATHS, stats_of
from shoal.privacy._require import LARGEST, at_most, below, rounded_down, rounded_up
from shoal.types.stats import GroupStats, Presence


class Matched(NamedTuple):
    """Groups that match so many people, who are in the release with these chances."""

    people: list[int]
    lowest: list[float]
    highest: list[float]
    n_outside: int = 0

    def sizes(self):
        return np.array(self.people)

    def presence(self, counts):
        return Presence(np.array(self.lowest), np.array(self.highest), self.n_outside)


def stats_of_people(*matched, **more):
    found = Matched(*matched, **more)
    return GroupStats(np.ones(len(found.people), dtype=np.int64), {}, matches={"p": lambda: found})


@pytest.mark.parametrize(
    "model",
    [
        lambda: shoal.KAnonymity(1),
        lambda: shoal.DistinctLDiversity("ill", 1),
        lambda: shoal.EntropyLDiversity("ill", 1),
        lambda: shoal.EntropyLDiversity("ill", LARGEST),
        lambda: shoal.RecursiveClDiversity("ill", 0.01, 1),
        lambda: shoal.AlphaK("ill", 1, 1),
        lambda: shoal.AlphaK("ill", 0.01, 1),
        lambda: shoal.PSensitive("ill", 1, 1),
        lambda: shoal.TCloseness("ill", 0),
        lambda: shoal.TCloseness("ill", 1),
        lambda: shoal.SDiversity("ill", 1, 0),
        lambda: shoal.SDiversity("ill", 0.01, 1),
        lambda: shoal.SeverityCloseness("ill", 0),
        lambda: shoal.DeltaDisclosure("ill", 0.01),
        lambda: shoal.BetaLikeness("ill", 0.01),
        lambda: shoal.KMap(1, "p"),
        lambda: shoal.DeltaPresence(0, 0, "p"),
        lambda: shoal.DeltaPresence(1, 1, "p"),
        lambda: shoal.ReidentificationRisk(1, 1, 1),
        lambda: shoal.ReidentificationRisk(0.01, 0.01, 0),
    ],
)
def test_the_outermost_values_of_options_are_allowed(model):
    assert model().demand()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: shoal.AlphaK("ill", 0, 1), "above 0 and at most 1"),
        (lambda: shoal.TCloseness("ill", -1), "at least 0 and at most 1"),
        (lambda: shoal.SeverityCloseness("ill", -1), "at least 0"),
        (lambda: shoal.DeltaDisclosure("ill", 0), "above 0"),
        (lambda: shoal.KAnonymity(0), "at least 1"),
    ],
)
def test_a_refused_option_says_its_range(make, says):
    with pytest.raises(ValueError, match=f" {says}$"):
        make()


@pytest.mark.parametrize("limit", [0.0, 0.5, 1.0, 3.0, 1e6])
def test_a_limit_may_be_met_and_one_that_must_not_be_met_may_not(limit):
    little = 1e-6 * max(limit, 1)
    values = np.array([limit - little, limit, limit + little])

    assert at_most(values, limit).tolist() == [True, True, False]
    assert below(values, limit).tolist() == [True, False, False]


@pytest.mark.parametrize("limit", [0.0, 0.5, 1e6])
def test_what_rounding_adds_to_a_sum_of_shares_does_not_count(limit):
    noise = 1e-10 * max(limit, 1)

    assert at_most(np.array([limit + noise]), limit).all()
    assert not below(np.array([limit - noise]), limit).any()


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [
        (0, "0", "0"),
        (1 / 3, "0.3334", "0.3333"),
        (0.5, "0.5", "0.5"),
        (1, "1", "1"),
        (1234.5, "1235", "1234"),
        (0.1 + 0.2, "0.3", "0.3"),
        (123456, "123500", "123400"),
    ],
)
def test_a_limit_to_ask_for_has_four_digits_and_is_on_the_right_side(value, up, down):
    assert (rounded_up(value), rounded_down(value)) == (up, down)


def test_k_map_counts_people_of_the_population():
    stats = stats_of_people([2, 3, 4], [0] * 3, [1] * 3)

    assert shoal.KMap(3, "p").holds(stats).tolist() == [False, True, True]
    assert shoal.KMap(3, "p").achieved(stats) == 2
    assert shoal.KMap(3, "p").relax(stats) == "ask for a k of at most 2"
    nobody = stats_of_people([0], [0], [0])
    assert shoal.KMap(3, "p").relax(nobody).startswith("use another population")
    assert shoal.KMap(3, "p").relax(stats_of_people([1], [0], [0])).endswith("at most 1")


def test_delta_presence_may_meet_both_its_limits():
    stats = stats_of_people([1, 1, 1, 1], [0.2, 0.1, 0.2, 0.2], [0.5, 0.5, 0.6, 0.4])

    assert shoal.DeltaPresence(0.2, 0.5, "p").holds(stats).tolist() == [True, False, False, True]
    assert shoal.DeltaPresence(0.2, 0.5, "p").achieved(stats) == 0.6


def test_a_group_that_matches_no_person_reveals_nothing_about_the_population():
    stats = stats_of_people([0, 1], [np.inf, 0.5], [0.0, 0.5])

    assert shoal.DeltaPresence(0.5, 0.5, "p").holds(stats).tolist() == [True, True]
    assert shoal.DeltaPresence(0.5, 0.5, "p").achieved(stats) == 0.5


def test_chances_that_add_up_to_more_are_certainty():
    stats = stats_of_people([1], [1.5], [2.5])

    assert shoal.DeltaPresence(1, 1, "p").holds(stats).all()
    assert shoal.DeltaPresence(1, 1, "p").achieved(stats) == 1
    assert shoal.DeltaPresence(0, 0.9, "p").relax(stats).endswith("a max of at least 1")


def test_people_whom_no_group_matches_break_any_least_chance_but_0():
    stats = stats_of_people([1], [0.5], [0.5], n_outside=1)

    assert not shoal.DeltaPresence(0.01, 0.5, "p").holds(stats).any()
    assert shoal.DeltaPresence(0, 0.5, "p").holds(stats).all()
    assert "a min of 0, because 1 record " in shoal.DeltaPresence(0.1, 0.5, "p").relax(stats)
    likely = stats_of_people([1, 1], [0.5, 0.5], [0.5, 0.6])
    assert shoal.DeltaPresence(0, 0.5, "p").relax(likely).endswith("a max of at least 0.6")
    inside = stats_of_people([1, 1], [0.5, 0.4], [0.5, 0.5])
    assert shoal.DeltaPresence(0.5, 0.5, "p").relax(inside).endswith("a min of at most 0.4")


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (shoal.AlphaK("ill", 0.5, 4), "ask for a k of at most 3"),
        (shoal.AlphaK("ill", 0.5, 3), "ask for an alpha of at least 0.6667"),
        (shoal.PSensitive("ill", 3, 4), "ask for a k of at most 3"),
        (shoal.PSensitive("ill", 3, 3), "ask for a p of at most 2"),
        (shoal.DistinctLDiversity("ill", 3), "ask for an l of at most 2"),
        (shoal.RecursiveClDiversity("ill", 1, 3), "ask for an l of at most 2"),
        (shoal.RecursiveClDiversity("ill", 1, 2), "ask for a c above 2"),
        (shoal.KAnonymity(4), "ask for a k of at most 3"),
        (shoal.ReidentificationRisk(0.3), "ask for a highest of at least 0.3334"),
        (shoal.ReidentificationRisk(1 / 3, 0.2), "ask for an average of at least 0.3334"),
        (shoal.ReidentificationRisk(average=0.2), "ask for an average of at least 0.3334"),
        (shoal.SDiversity("ill", 0.1, 0), "ask for a max of at least 0.5556"),
    ],
)
def test_what_to_relax_is_what_the_worst_group_could_meet(model, advice):
    assert model.relax(stats_of([["a", "a", "b"], ["a", "b", "c", "d"]])) == advice


def test_beta_likeness_says_when_only_enhanced_is_too_strict():
    stats = stats_of([["a", "a"], ["a", "b"]])  # a is 1/3 more frequent in the first group

    assert shoal.BetaLikeness("ill", 1, enhanced=True).relax(stats) == "ask for `enhanced: false`"
    assert shoal.BetaLikeness("ill", 0.5).relax(stats) == "ask for a beta of at least 1"
    assert "frequent values by less" in shoal.BetaLikeness("ill", 1, enhanced=True).demand()
    assert "frequent values by less" not in shoal.BetaLikeness("ill", 1).demand()


@pytest.mark.parametrize(
    ("model", "is_local", "survives_merging", "survives_growth", "smallest"),
    [
        (shoal.KAnonymity(3), True, True, True, 3),
        (shoal.KMap(3, "p"), True, True, True, 1),
        (shoal.DistinctLDiversity("ill", 3), True, True, True, 3),
        (shoal.PSensitive("ill", 2, 3), True, True, True, 3),
        (shoal.EntropyLDiversity("ill", 2.5), True, True, False, 3),
        (shoal.EntropyLDiversity("ill", 3), True, True, False, 3),
        (shoal.RecursiveClDiversity("ill", 1, 3), True, True, False, 3),
        (shoal.AlphaK("ill", 0.25, 3), True, True, False, 4),
        (shoal.AlphaK("ill", 0.5, 3), True, True, False, 3),
        (shoal.TCloseness("ill", 0.5), False, True, False, 1),
        (shoal.SeverityCloseness("ill", 0.5), False, True, False, 1),
        (shoal.DeltaDisclosure("ill", 0.5), False, True, False, 1),
        (shoal.BetaLikeness("ill", 0.5), False, True, False, 1),
        (shoal.SDiversity("ill", 0.25, 0), False, True, False, 4),
        (shoal.SDiversity("ill", 0.25, 0.5), False, False, False, 4),
        (shoal.SDiversity("ill", 0.25, 1), False, True, False, 4),
        (shoal.DeltaPresence(0.1, 0.5, "p"), False, False, False, 1),
        (shoal.ReidentificationRisk(0.25), True, True, True, 4),
        (shoal.ReidentificationRisk(0.25, at_risk=0), True, True, True, 4),
        (shoal.ReidentificationRisk(0.25, at_risk=0.1), False, True, False, 1),
        (shoal.ReidentificationRisk(average=0.25), False, True, False, 1),
        (shoal.ReidentificationRisk(0.25, 0.25), False, True, False, 4),
    ],
)
def test_searches_may_rely_on_all_that_is_true_of_a_model(
    model, is_local, survives_merging, survives_growth, smallest
):
    """`test_claims.py` shows that each claim is true; one that is left out makes searches slow."""
    assert model.is_local == is_local
    assert model.survives_merging == survives_merging
    assert model.survives_growth == survives_growth
    assert model.smallest == smallest


def test_alpha_k_asks_for_both_the_share_and_the_size():
    stats = stats_of([["a", "a", "b"], ["a", "b"]])

    assert shoal.AlphaK("ill", 0.5, 2).holds(stats).tolist() == [False, True]
    assert shoal.AlphaK("ill", 0.5, 3).holds(stats).tolist() == [False, False]
    assert shoal.AlphaK("ill", 0.5, 2).achieved(stats) == 2 / 3


def test_delta_disclosure_says_whether_a_value_is_lacking_or_too_rare():
    model = shoal.DeltaDisclosure("ill", 0.1)
    lacking, rare = stats_of([["a", "b"], ["a"]]), stats_of([["a", "b"], ["a", "a", "b"]])

    assert model.relax(lacking).startswith("suppress fewer records")
    assert model.relax(rare).startswith("ask for a delta above 0.2")


@pytest.mark.parametrize(
    ("stats", "r", "expected"),
    [
        (stats_of([["a", "b", None]]), 1, True),
        (stats_of([["a", "4"]], values=("a", "4")), 1, True),
        (stats_of([["a", "b"]]), 0, False),
        (stats_of([["a", "b"]], paths=PATHS), 1, False),
        (stats_of([["0", "4", None]], values=NUMBERS), 1, False),
    ],
)
def test_s_diversity_advises_a_hierarchy_only_where_it_makes_values_less_alike(stats, r, expected):
    assert (
        "give the column a hierarchy" in shoal.SDiversity("ill", 0.1, r).relax(stats)
    ) == expected


def test_s_diversity_says_which_values_are_near():
    assert "0.25 of the domain apart" in shoal.SDiversity("ill", 0.5, 0.25).demand()
    assert "of the domain apart" not in shoal.SDiversity("ill", 0.5, 1).demand()
