"""Parameters out of range are refused: the message begins with the option's name."""

from __future__ import annotations

import math

import pytest

import shoal
from shoal.errors import PolicyError
from shoal.policy.fields import build
from shoal.types.named import name_of

GOOD = {
    shoal.KAnonymity: {"k": 2},
    shoal.DistinctLDiversity: {"column": "ill", "l": 2},
    shoal.EntropyLDiversity: {"column": "ill", "l": 2},
    shoal.RecursiveClDiversity: {"column": "ill", "c": 2, "l": 2},
    shoal.AlphaK: {"column": "ill", "alpha": 0.5, "k": 2},
    shoal.PSensitive: {"column": "ill", "p": 2, "k": 3},
    shoal.TCloseness: {"column": "ill", "t": 0.2, "distance": "equal"},
    shoal.SDiversity: {"column": "ill", "max": 0.5, "r": 0.5},
    shoal.SeverityCloseness: {"column": "ill", "t": 0.2},
    shoal.DeltaDisclosure: {"column": "ill", "delta": 1},
    shoal.BetaLikeness: {"column": "ill", "beta": 1, "enhanced": True},
    shoal.KMap: {"k": 2, "population": "people.csv"},
    shoal.DeltaPresence: {"min": 0.1, "max": 0.5, "population": "people.csv"},
    shoal.ReidentificationRisk: {"highest": 0.2, "average": 0.1, "at-risk": 0.1},
}
NO_COUNT = [0, -1, 2.5, math.nan, math.inf, "2", True, None]
NO_NUMBER = [-0.1, math.nan, math.inf, -math.inf, "x", True, None, 10**400]
BAD = [
    (shoal.KAnonymity, "k", NO_COUNT),
    (shoal.DistinctLDiversity, "l", NO_COUNT),
    (shoal.EntropyLDiversity, "l", [0.9, *NO_NUMBER]),
    (shoal.RecursiveClDiversity, "c", [0, *NO_NUMBER]),
    (shoal.RecursiveClDiversity, "l", NO_COUNT),
    (shoal.AlphaK, "alpha", [0, 1.1, *NO_NUMBER]),
    (shoal.AlphaK, "k", NO_COUNT),
    (shoal.PSensitive, "p", [4, *NO_COUNT]),
    (shoal.PSensitive, "k", NO_COUNT),
    (shoal.TCloseness, "t", [1.1, *NO_NUMBER]),
    (shoal.TCloseness, "distance", ["Equal", "", 1, None, True]),
    (shoal.SDiversity, "max", [0, 1.1, *NO_NUMBER]),
    (shoal.SDiversity, "r", [1.1, *NO_NUMBER]),
    (shoal.SeverityCloseness, "t", NO_NUMBER),
    (shoal.DeltaDisclosure, "delta", [0, *NO_NUMBER]),
    (shoal.BetaLikeness, "beta", [0, *NO_NUMBER]),
    (shoal.BetaLikeness, "enhanced", ["perhaps", 1, None]),
    (shoal.KMap, "k", NO_COUNT),
    (shoal.DeltaPresence, "min", [1.1, *NO_NUMBER]),
    (shoal.DeltaPresence, "max", [0.05, 1.1, *NO_NUMBER]),
    (shoal.ReidentificationRisk, "highest", [0, 1.1, *[x for x in NO_NUMBER if x is not None]]),
    (shoal.ReidentificationRisk, "average", [0, 1.1, *[x for x in NO_NUMBER if x is not None]]),
    (shoal.ReidentificationRisk, "at-risk", [1.1, *[x for x in NO_NUMBER if x is not None]]),
]
CASES = [(cls, option, value) for cls, option, values in BAD for value in values]


@pytest.mark.parametrize(
    ("cls", "option", "value"), CASES, ids=lambda x: getattr(x, "__name__", str(x)[:9])
)
def test_a_parameter_out_of_range_is_refused_by_its_name(cls, option, value):
    given = {name.replace("-", "_"): v for name, v in (GOOD[cls] | {option: value}).items()}

    with pytest.raises(ValueError, match=f"^{option} must be ") as caught:
        cls(**given)

    assert "inf" not in str(caught.value)


@pytest.mark.parametrize(("cls", "option", "value"), [(c, o, v[0]) for c, o, v in BAD])
def test_a_policy_points_at_the_key(cls, option, value):
    with pytest.raises(PolicyError) as caught:
        build(cls, GOOD[cls] | {option: value}, ("privacy", 0))

    assert caught.value.path == ("privacy", 0, option)


@pytest.mark.parametrize("cls", GOOD)
def test_what_is_in_range_is_taken_from_text_too(cls):
    as_text = {name: v if isinstance(v, bool) else str(v) for name, v in GOOD[cls].items()}

    model = build(cls, as_text, ("privacy", 0))

    assert model == cls(**{name.replace("-", "_"): v for name, v in GOOD[cls].items()})
    assert name_of(model) in (path.replace("_", "-") for path in [cls.__module__.split(".")[-1]])


@pytest.mark.parametrize("options", [{}, {"at_risk": 0.1}, {"average": 0.1, "at_risk": 0.1}])
def test_a_risk_needs_a_limit(options):
    with pytest.raises(ValueError, match=r"^highest "):
        shoal.ReidentificationRisk(**options)


@pytest.mark.parametrize("cls", GOOD)
def test_every_model_says_what_it_demands_and_found(cls):
    model = cls(**{name.replace("-", "_"): v for name, v in GOOD[cls].items()})

    for sentence in (model.demand(), model.found(2.0), model.found(0.5)):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


@pytest.mark.parametrize("cls", [shoal.RecursiveClDiversity, shoal.DeltaDisclosure])
def test_what_is_not_there_at_all_is_said_in_words(cls):
    assert cls(**GOOD[cls]).found(math.inf).startswith("A group ")


@pytest.mark.parametrize(
    ("distance", "needs"), [("equal", ()), ("ordered", ()), ("hierarchical", ("hierarchy",))]
)
def test_only_a_distance_in_a_hierarchy_needs_one(distance, needs):
    assert shoal.TCloseness("ill", 0.2, distance).about.needs == needs
