"""Options are named by their way through the policy."""

from __future__ import annotations

import pytest

import shoal
from shoal.comparison.measures import measure_of, measures_asked, measures_of
from shoal.comparison.options import with_option
from shoal.comparison.variants import Asked, policy_digest, variants_of
from shoal.errors import PolicyError, ShoalError


def policy(**more) -> shoal.Policy:
    rules = {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
            "zip.code": {"role": "quasi", "weight": 2},
            "ill": "sensitive",
        },
        "privacy": [
            {"model": "k-anonymity", "k": 5},
            {"model": "t-closeness", "column": "ill", "t": 0.4},
        ],
    }
    return shoal.Policy.of_mapping(rules | more)


def paths(found) -> list[tuple]:
    return [(v.method, v.k, v.options, v.seed) for v in found]


@pytest.mark.parametrize(
    ("path", "value", "changed"),
    [
        ("k", 10, ("privacy", 0, "k")),
        ("privacy.t-closeness.t", "0.2", ("privacy", 1, "t")),
        ("suppression", "0.01", ("suppression",)),
        ("columns.zip.code.weight", "3.5", ("columns", "zip.code", "weight")),
        ("algorithm.strict", "false", ("algorithm", "strict")),
        ("mondrian.strict", False, ("algorithm", "strict")),
        ("missing", "suppress", ("missing",)),
    ],
)
def test_an_option_changes_its_key_and_nothing_else(path, value, changed):
    rules = policy(suppression=0.5, missing="error", algorithm={"name": "mondrian", "strict": True})
    before, after = rules.keys(), with_option(rules, path, value).keys()

    differing = {
        place for place in {*flat(before), *flat(after)}
        if flat(before).get(place) != flat(after).get(place)
    }  # fmt: skip
    assert differing == {changed}
    assert str(flat(after)[changed]).lower() == str(value).lower()


def flat(keys, path=()) -> dict:
    """Every value by the way to it."""
    if not isinstance(keys, dict | list):
        return {path: keys}
    inside = keys.items() if isinstance(keys, dict) else enumerate(keys)
    return {p: v for key, value in inside for p, v in flat(value, (*path, key)).items()}


def test_one_of_tgcs_weights_decides_the_other_whatever_the_policy_said():
    rules = policy(algorithm={"name": "tgc", "weights": {"utility": 0.3, "protection": 0.7}})

    found = with_option(rules, "algorithm.weights.utility", "0.6").algorithm

    assert (found.weights.utility, found.weights.protection) == (0.6, 0.4)


@pytest.mark.parametrize(
    ("path", "values", "said"),
    [
        ("algorithm.strct", [1], r"did you mean 'algorithm.strict'\?"),
        ("algorithm", [1], "say which option"),
        ("algoritm.strict", [1], r"did you mean 'algorithm'\?"),
        ("privacy.t-closenes.t", [1], r"did you mean 't-closeness'\?"),
        ("privacy.t-closeness.tt", [1], r"did you mean 't'\?"),
        ("columns.agee.weight", [1], r"did you mean 'age'\?"),
        ("columns.age.wight", [1], r"did you mean 'weight'\?"),
        ("seed", [1, 2], "say how many `seeds`"),
        ("suppression", [], "no value is given"),
        ("suppression", ["much"], "must be a number"),
        ("k", ["2.5"], "must be a whole number"),
        ("tgc.s", [5], "mondrian has no such option"),
    ],
)
def test_an_option_that_cannot_be_had_is_refused_with_the_nearest_name(path, values, said):
    with pytest.raises(PolicyError, match=said):
        variants_of(policy(), Asked.of(policy(), vary={path: values}))


def test_every_algorithm_is_tried_with_every_k_and_option_that_it_has():
    asked = Asked.of(policy(), ["mondrian", "tgc", "flash"], [2, 5], {"tgc.r": [0.5, 1]}, seeds=2)

    found = paths(variants_of(policy(), asked))

    assert [one for one in found if one[0] == "mondrian"] == [
        ("mondrian", 2, (), 0), ("mondrian", 5, (), 0),
    ]  # fmt: skip
    tgc = [one[1:] for one in found if one[0] == "tgc"]
    assert len(tgc) == len(set(tgc)) == 2 * 2 * 2
    assert (5, (("tgc.r", "0.5"),), 1) in tgc
    assert len(found) == 2 + 8 + 2  # flash and mondrian use no seed


def test_the_policys_own_algorithm_keeps_its_options():
    rules = policy(algorithm={"name": "mondrian", "strict": False})

    found = variants_of(rules, Asked.of(rules, ["mondrian", "ola"]))

    assert [v.policy.algorithm for v in found] == [shoal.Mondrian(strict=False), shoal.Ola()]


def test_algorithms_of_one_name_are_told_apart():
    asked = Asked.of(policy(), [shoal.Mondrian(), shoal.Mondrian(strict=False)])

    assert [v.method for v in variants_of(policy(), asked)] == [
        "mondrian",
        "mondrian (strict: false)",
    ]


def test_all_means_every_algorithm():
    asked = Asked.of(policy(), "all")

    assert {v.method for v in variants_of(policy(), asked)} == set(shoal.catalog.names("algorithm"))


def test_an_unknown_algorithm_is_refused_with_the_nearest_name():
    with pytest.raises(PolicyError, match=r"did you mean 'mondrian'\?"):
        Asked.of(policy(), ["mondrain"])


def test_more_runs_than_anybody_waits_for_are_refused():
    with pytest.raises(ShoalError, match="more than 10,000 runs"):
        variants_of(policy(), Asked.of(policy(), k=range(2, 10_100)))


def test_the_id_of_a_policy_is_that_of_what_decides_its_release():
    said = policy(context={"purpose": "to see"})

    assert policy_digest(said) == policy_digest(policy())
    assert policy_digest(policy().with_k(6)) != policy_digest(policy())


def test_measures_are_named_with_their_options():
    assert measure_of("c-l:figure=l").label == measure_of({"name": "c-l", "figure": "l"}).label
    assert not measure_of("c-l:figure=l").lower_is_better
    assert measure_of("query-error:age+zip:queries=10").metric == shoal.QueryError(
        ("age", "zip"), queries=10
    )
    assert measure_of(shoal.Loss()).label == "loss"


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("los", r"did you mean 'loss'\?"),
        ("c-l:figur=l", r"did you mean 'figure'\?"),
        ("c-l:figure=q", "must be one of c, l, alone"),
        ("loss:5", "loss takes no options"),
        ("fitness", "is about severities, and the policy has none"),
        ("entropy", "for searches only"),
        (5, "a measure is a name"),
    ],
)
def test_a_measure_that_cannot_be_had_is_refused(measure, said):
    with pytest.raises(PolicyError, match=said):
        measures_asked(policy(), [measure])


def test_protection_needs_a_sensitive_column():
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])

    with pytest.raises(PolicyError, match="Give the role sensitive to a column"):
        measures_asked(rules, ["protection"])
    assert "protection" not in [m.label for m in measures_of(rules)]
    assert "protection" in [m.label for m in measures_of(policy())]


def test_what_every_summary_has_comes_first():
    assert [m.label for m in measures_of(policy())][:3] == ["loss", "ncp", "il"]
