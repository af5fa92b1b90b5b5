"""What models claim of themselves: searches rely on it, so it is tried."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from privacy.groups import NUMBERS, PATHS, SEVERITY, WORDS, limits, lists, stats_of
from shoal import catalog
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats, ValueCounts

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
    "severity-closeness": st.builds(shoal.SeverityCloseness, st.just("ill"), limits(0.1, 1)),
    "delta-disclosure": st.builds(shoal.DeltaDisclosure, st.just("ill"), FACTORS),
    "beta-likeness": st.builds(shoal.BetaLikeness, st.just("ill"), FACTORS, st.booleans()),
    "reidentification-risk": st.builds(
        shoal.ReidentificationRisk, SHARES, SHARES | st.none(), limits(0.1, 0.5) | st.none()
    ),
}  # fmt: skip
POPULATION_MODELS = {"k-map", "delta-presence"}
of_every_model = pytest.mark.parametrize("name", MODELS)


def test_every_model_is_tried():
    assert MODELS.keys() | POPULATION_MODELS == set(catalog.names("model"))


def case(data, name):
    """A model, some groups, and what tells of them; half of them numbers where models care."""
    model = data.draw(MODELS[name])
    is_line = name == "s-diversity" and data.draw(st.booleans())
    values = NUMBERS if is_line else WORDS
    groups = data.draw(lists(values, most=6))

    def look(groups):
        paths = None if is_line else PATHS
        severity = None if is_line else SEVERITY
        # The input is that of the first groups: what a search changes is how they are grouped.
        return stats_of(groups, values=values, paths=paths, severity=severity)

    return model, groups, look


@of_every_model
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_union_of_groups_that_hold_holds(name, data):
    model, groups, look = case(data, name)
    if not model.survives_merging or len(groups) < 2:
        return
    holds = model.holds(look(groups))
    merged = [groups[0] + groups[1], *groups[2:]]

    if not (holds.all() if name == "reidentification-risk" else holds[:2].all()):
        return
    assert model.holds(look(merged))[0]


@of_every_model
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_group_that_holds_still_holds_with_more_records(name, data):
    model, groups, look = case(data, name)
    if not model.survives_growth or len(groups) < 2:
        return
    holds = model.holds(look(groups))

    grown = model.holds(look([groups[0] + groups[1], *groups[2:]]))

    assert grown[0] or not holds[0]


@of_every_model
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_local_model_does_not_look_at_other_groups(name, data):
    model, groups, look = case(data, name)
    if not model.is_local:
        return
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=6, max_size=6)))[: len(groups)]
    stats = look(groups)

    assert model.holds(stats.of_groups(chosen)).tolist() == model.holds(stats)[chosen].tolist()


@of_every_model
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_group_smaller_than_the_smallest_holds(name, data):
    model, groups, look = case(data, name)
    stats = look(groups)

    assert not model.holds(stats)[stats.sizes < model.smallest].any()


@of_every_model
@settings(max_examples=100, deadline=None)
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
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_no_group_at_all_is_no_trouble(name, is_search, data):
    model, groups, look = case(data, name)
    some = look(groups)
    starts = np.zeros(1, dtype=np.int64)
    none = GroupStats(
        starts[:0],
        {"ill": lambda: ValueCounts(starts, starts[:0].astype(np.int32), starts[:0])},
        columns={"ill": some.column("ill")},
        totals={"ill": some.column("ill").counts} if is_search else None,
    )

    assert model.holds(none).shape == (0,)
    assert model.holds(none).dtype == np.bool_
    assert Privacy((model,)).to_suppress(none).shape == (0,)
