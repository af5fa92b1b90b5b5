"""What models demand, in numbers and in words."""

from __future__ import annotations

import numpy as np
import pytest

import shoal
from shoal import catalog
from shoal.types.named import name_of
from shoal.types.stats import GroupStats, ValueCounts

STATS = GroupStats(
    np.array([2, 3]),
    {"ill": lambda: ValueCounts(np.array([0, 1, 3]), np.array([0, 0, 1]), np.array([2, 1, 2]))},
)


def test_k_anonymity_looks_at_sizes():
    assert shoal.KAnonymity(3).holds(STATS).tolist() == [False, True]
    assert shoal.KAnonymity(3).achieved(STATS) == 2


def test_distinct_l_diversity_looks_at_different_values():
    assert shoal.DistinctLDiversity("ill", 2).holds(STATS).tolist() == [False, True]
    assert shoal.DistinctLDiversity("ill", 2).achieved(STATS) == 1


@pytest.mark.parametrize(
    ("model", "demand"),
    [
        (shoal.KAnonymity(1), "Nothing: with k = 1 a record may be unique."),
        (shoal.KAnonymity(2), "Every record looks like at least 1 other."),
        (shoal.KAnonymity(5), "Every record looks like at least 4 others."),
        (shoal.DistinctLDiversity("ill", 1), "Every group has at least 1 value of 'ill'."),
        (
            shoal.DistinctLDiversity("ill", 2),
            "Every group has at least 2 different values of 'ill'.",
        ),
        (
            shoal.DistinctLDiversity("ill", 3),
            "Every group has at least 3 different values of 'ill'.",
        ),
    ],
)
def test_a_model_says_what_it_demands(model, demand):
    assert model.demand() == demand


def test_a_model_says_what_it_found():
    assert shoal.KAnonymity(5).found(7) == "The smallest group has 7 records."
    assert (
        shoal.DistinctLDiversity("ill", 2).found(1)
        == "The least varied group has 1 different value."
    )


@pytest.mark.parametrize("k", [0, -1, 2.5, "5", True, None])
def test_k_must_be_a_whole_number(k):
    with pytest.raises(ValueError, match="k must be a whole number, at least 1"):
        shoal.KAnonymity(k)


# Is it local, does it survive merging and growth, and how small can a group be that holds?
CLAIMS = {
    shoal.KAnonymity(3): (True, True, True, 3),
    shoal.KMap(3, "people.csv"): (True, True, True, 1),
    shoal.DeltaPresence(0, 0.5, "people.csv"): (False, False, False, 1),
    shoal.DistinctLDiversity("ill", 2): (True, True, True, 2),
    shoal.EntropyLDiversity("ill", 1.8): (True, True, False, 2),
    shoal.RecursiveClDiversity("ill", 2, 3): (True, True, False, 3),
    shoal.AlphaK("ill", 0.6, 3): (True, True, False, 3),
    shoal.PSensitive("ill", 2, 3): (True, True, True, 3),
    shoal.TCloseness("ill", 0.2): (False, True, False, 1),
    shoal.SDiversity("ill", 0.8): (False, True, False, 2),
    shoal.SeverityCloseness("ill", 0.05): (False, True, False, 1),
    shoal.DeltaDisclosure("ill", 1.5): (False, True, False, 1),
    shoal.BetaLikeness("ill", 1.2): (False, True, False, 1),
    shoal.BetaLikeness("ill", 1.2, enhanced=True): (False, True, False, 1),
    shoal.ReidentificationRisk(0.3): (True, True, True, 4),
    shoal.ReidentificationRisk(0.3, 0.15, 0.1): (False, True, False, 1),
}


@pytest.mark.parametrize(("model", "claims"), CLAIMS.items(), ids=str)
def test_a_model_claims_all_that_is_true_of_it(model, claims):
    """`test_claims.py` shows that no claim is false; one that is not made costs searches time."""
    assert claims == (
        model.is_local,
        model.survives_merging,
        model.survives_growth,
        model.smallest,
    )


def test_the_claims_of_every_model_are_listed():
    assert {name_of(model) for model in CLAIMS} == set(catalog.names("model"))
