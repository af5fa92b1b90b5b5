"""What models claim of themselves: searches rely on it, so it is tried."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import shoal
from privacy.groups import NUMBERS, PATHS, SEVERITY, WORDS, limits, lists, stats_of
from shoal import catalog
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats, ValueCounts, Whole
from tiers import IS_THOROUGH, PATIENT, examples

SHARES, FACTORS, COUNTS = limits(0.1, 1), limits(0.1, 4), st.integers(1, 4)

# Random instances of every model that is not about a population.
MODELS = {
    "k-anonymity": st.builds(shoal.KAnonymity, COUNTS),
    "distinct-l-diversity": st.builds(shoal.DistinctLDiversity, st.just("ill"), COUNTS),
    "entropy-l-diversity": st.builds(shoal.EntropyLDiversity, st.just("ill"), limits(1, 4)),
    "recursive-cl-diversity": st.builds(
        shoal.RecursiveClDiversity, st.just("ill"), FACTORS, COUNTS
    ),
    "alpha-k": st.builds(shoal.AlphaK, st.just("ill"), SHARES, COUNTS),
    "p-sensitive": st.builds(lambda p, n: shoal.PSensitive("ill", p, p + n), COUNTS, COUNTS),
    "t-closeness": st.builds(
        shoal.TCloseness, st.just("ill"), SHARES,
        st.sampled_from(["equal", "ordered", "hierarchical"]),
    ),
    "s-diversity": st.builds(
        shoal.SDiversity, st.just("ill"), SHARES, st.sampled_from([0, 0.25, 0.5, 1])
    ),
    "severity-closeness": st.builds(
        shoal.SeverityCloseness, st.just("ill"), st.sampled_from([0.01, 0.02, 0.05, 0.1, 0.5])
    ),
    "delta-disclosure": st.builds(shoal.DeltaDisclosure, st.just("ill"), FACTORS),
    "beta-likeness": st.builds(shoal.BetaLikeness, st.just("ill"), FACTORS, st.booleans()),
    "reidentification-risk": st.builds(
        shoal.ReidentificationRisk, SHARES, SHARES | st.none(), limits(0.1, 0.5) | st.none()
    ) | st.builds(shoal.ReidentificationRisk, SHARES),
}  # fmt: skip
POPULATION_MODELS = {"k-map", "delta-presence"}
of_every_model = pytest.mark.parametrize("name", MODELS)


def test_every_model_is_tried():
    assert MODELS.keys() | POPULATION_MODELS == set(catalog.names("model"))


# Examples in which a claim is put to the test; where it is not, nothing is tried.
ENOUGH = 50 if IS_THOROUGH else 15


def of_models_that_claim(claim):
    """Models of which at least some instances say so of themselves."""
    classes = {name: catalog.load("model", name) for name in MODELS}
    names = [name for name, cls in classes.items() if getattr(cls, claim) is not False]
    return pytest.mark.parametrize("name", names)


@st.composite
def alike(draw, values):
    """Groups that have nearly the same mixture of values, so that most models hold."""
    value = st.sampled_from([*values, None])
    mixture = draw(st.lists(value, min_size=2, max_size=6, unique=draw(st.booleans())))
    n_groups = draw(st.integers(2, 5))
    return [
        mixture * draw(st.integers(1, 2)) + draw(st.lists(value, max_size=2))
        for _ in range(n_groups)
    ]


def groups_for(data, name, *, knows_input=True):
    """Some groups, and what tells of them; half of them numbers where models care."""
    is_line = name == "s-diversity" and data.draw(st.booleans())
    values = NUMBERS if is_line else WORDS
    groups = data.draw(alike(values) | lists(values, most=6))
    shape = {"paths": None if is_line else PATHS, "severity": None if is_line else SEVERITY}

    def look(groups):
        # The input is that of the first groups: what a search changes is how they are grouped.
        return stats_of(groups, values=values, knows_input=knows_input, **shape)

    return groups, look


def case(data, name):
    return data.draw(MODELS[name]), *groups_for(data, name)


def try_often(name, claim, on_groups):
    """Try what models claim on random groups; `on_groups` gives the models that it could try.

    Every example has several instances of the model, so that some are met only just.
    """
    n_tried = 0

    @settings(
        examples(ENOUGH, thorough=60),
        suppress_health_check=[*PATIENT.suppress_health_check, HealthCheck.filter_too_much],
    )
    @given(data=st.data())
    def once(data):
        nonlocal n_tried
        models = data.draw(st.lists(MODELS[name], min_size=8, max_size=8))
        claiming = [model for model in models if getattr(model, claim)]
        assume(list(on_groups(data, claiming)))  # otherwise it is not counted as an example
        n_tried += 1

    once()
    assert n_tried >= ENOUGH


@of_models_that_claim("survives_merging")
def test_the_union_of_groups_that_hold_holds(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name)
        assume(len(groups) > 1)
        before, after = look(groups), look([groups[0] + groups[1], *groups[2:]])
        for model in models:
            holds = model.holds(before)
            # Where groups are judged together, the claim is about groups that all hold.
            if holds.all() if name == "reidentification-risk" else holds[:2].all():
                assert model.holds(after)[0]
                yield model

    try_often(name, "survives_merging", on_groups)


@of_models_that_claim("survives_growth")
def test_a_group_that_holds_still_holds_with_more_records(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name)
        values = sorted({value for group in groups for value in group}, key=str)
        more = data.draw(st.lists(st.sampled_from(values), min_size=1, max_size=2))
        more = more * data.draw(st.integers(1, 4))
        before, after = look([*groups, more]), look([groups[0] + more, *groups[1:]])
        for model in models:
            if model.holds(before)[0]:
                assert model.holds(after)[0]
                yield model

    try_often(name, "survives_growth", on_groups)


@of_models_that_claim("is_local")
def test_a_local_model_does_not_look_at_other_groups(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name, knows_input=False)
        chosen = np.array(data.draw(st.lists(st.booleans(), min_size=6, max_size=6)))
        chosen, stats = chosen[: len(groups)], look(groups)
        for model in models:
            holds = model.holds(stats)
            if not chosen.all() and holds[chosen].any():
                assert model.holds(stats.of_groups(chosen)).tolist() == holds[chosen].tolist()
                yield model

    try_often(name, "is_local", on_groups)


@of_every_model
@examples(thorough=60)
@given(data=st.data())
def test_no_group_smaller_than_the_smallest_holds(name, data):
    model, groups, look = case(data, name)
    stats = look(groups)

    assert not model.holds(stats)[stats.sizes < model.smallest].any()


@of_every_model
@examples(thorough=60)
@given(data=st.data())
def test_what_is_left_after_suppression_holds(name, data):
    model, groups, look = case(data, name)
    privacy, stats = Privacy((model, shoal.KAnonymity(2))), look(groups)

    fails = privacy.to_suppress(stats)

    kept = [group for group, failing in zip(groups, fails, strict=True) if not failing]
    assert fails[~privacy.holds(stats)].all()
    if kept:
        assert privacy.holds(stats.of_groups(~fails)).all()
        if model.is_local:  # then what the input was makes no difference either
            assert privacy.holds(look(kept)).all()


# The third group is between the two others; without the second, it is the odd one out.
ODD = [["a"] * 45 + ["b"] * 5, ["b"] * 20, ["a"] * 4 + ["b"] * 6]


@pytest.mark.parametrize(
    "model",
    [
        shoal.TCloseness("ill", 0.3),
        shoal.TCloseness("ill", 0.3, "ordered"),
        shoal.SeverityCloseness("ill", 0.5),
        shoal.DeltaDisclosure("ill", 0.8),
        shoal.BetaLikeness("ill", 1),
    ],
    ids=str,
)
def test_what_holds_may_fail_once_others_are_suppressed(model):
    grave = {"a": 0, "b": 1, "c": 0, "d": 0, "e": 0, None: 0}
    stats = stats_of(ODD, severity=grave, knows_input=False)
    left = stats.of_groups(np.array([True, False, True]))

    assert not model.is_local
    assert model.holds(stats)[2]
    assert not model.holds(left)[1]


def test_what_fails_once_others_are_suppressed_is_suppressed_too():
    privacy, stats = Privacy((shoal.TCloseness("ill", 0.3),)), stats_of(ODD, knows_input=False)

    assert privacy.holds(stats).tolist() == [True, False, True]
    assert privacy.to_suppress(stats).tolist() == [False, True, True]


# Why no more is claimed: records that a group which holds loses, gains or joins, so that it fails.
GROWTH = [
    (shoal.EntropyLDiversity("ill", 2), ["a", "b"], ["a"]),
    (shoal.RecursiveClDiversity("ill", 2, 2), ["a", "b"], ["a"]),
    (shoal.AlphaK("ill", 0.5, 2), ["a", "b"], ["a"]),
    (shoal.TCloseness("ill", 0.1), ["a", "b"], ["a"]),
    (shoal.SDiversity("ill", 0.8, 1), ["a", "b"], ["a", "a", "a", "a"]),
    (shoal.SeverityCloseness("ill", 0.01), ["a", "b"], ["b", "b", "b"]),
    (shoal.DeltaDisclosure("ill", 0.3), ["a", "b"], ["a", "a"]),
    (shoal.BetaLikeness("ill", 0.3), ["a", "b"], ["a"]),
]


@pytest.mark.parametrize(("model", "group", "more"), GROWTH, ids=lambda x: str(x)[:30])
def test_a_model_that_does_not_claim_growth_fails_somewhere(model, group, more):
    others = ["a", "b"] * 20
    before = stats_of([group, others, more], severity=SEVERITY)
    after = stats_of([group + more, others], severity=SEVERITY)

    assert not model.survives_growth
    assert model.holds(before)[0]
    assert not model.holds(after)[0]


def test_numbers_near_each_other_may_be_more_alike_in_a_union():
    model = shoal.SDiversity("ill", 0.5, 0.25)
    others = ["0", "4"]

    def look(groups):
        return stats_of(groups, values=("0", "1", "2", "3", "4"))

    assert not model.survives_merging
    assert model.holds(look([["1", "3"], ["2", "4"], others])).all()
    assert not model.holds(look([["1", "3", "2", "4"], others]))[0]


@of_every_model
@pytest.mark.parametrize("is_search", [True, False])
@examples(thorough=30)
@given(data=st.data())
def test_no_group_at_all_is_no_trouble(name, is_search, data):
    model, groups, look = case(data, name)
    some = look(groups)
    starts = np.zeros(1, dtype=np.int64)
    none = GroupStats(
        starts[:0],
        {"ill": lambda: ValueCounts(starts, starts[:0].astype(np.int32), starts[:0])},
        columns={"ill": some.column("ill")},
        whole=Whole({"ill": some.column("ill").counts}, 2) if is_search else None,
    )

    assert model.holds(none).shape == (0,)
    assert model.holds(none).dtype == np.bool_
    assert Privacy((model,)).to_suppress(none).shape == (0,)
