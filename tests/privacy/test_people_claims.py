"""What models claim of themselves where people are counted: searches rely on it, so it is tried."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import shoal
from privacy.groups import NUMBERS, PATHS, SEVERITY, WORDS, entries, stats_of_people
from privacy.test_claims import MODELS, of_models_that_claim, try_often
from shoal.types.named import name_of
from shoal.types.privacy import Privacy, groups_hold

# Models of which any group, small as it is, may hold: nothing fails for good.
ALWAYS_OPEN = ("t-closeness", "severity-closeness", "delta-disclosure", "beta-likeness")


def groups_for(data, name, *, meet, knows_input=True):
    """Some groups of entries, and what tells of them; half of them numbers where models care."""
    is_line = name == "s-diversity" and data.draw(st.booleans())
    values = NUMBERS if is_line else WORDS
    alike = data.draw(st.booleans()) or name == "delta-disclosure"
    groups = data.draw(entries(values, meet=meet, alike=alike))
    shape = {"paths": None if is_line else PATHS, "severity": None if is_line else SEVERITY}

    def look(groups):
        return stats_of_people(groups, values=values, knows_input=knows_input, **shape)

    return groups, look


@of_models_that_claim("survives_merging")
def test_the_union_of_groups_of_different_people_holds(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name, meet=False)
        assume(len(groups) > 1)
        before, after = look(groups), look([groups[0] + groups[1], *groups[2:]])
        for model in models:
            holds = groups_hold(model, before)
            # Where groups are judged together, the claim is about groups that all hold.
            if holds.all() if name == "reidentification-risk" else holds[:2].all():
                assert groups_hold(model, after)[0]
                yield model

    try_often(name, "survives_merging", on_groups)


@of_models_that_claim("survives_growth")
def test_a_group_that_holds_still_holds_with_more_people(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name, meet=False)
        more = data.draw(entries(meet=False, most=4))[0]
        before, after = look([*groups, more]), look([groups[0] + more, *groups[1:]])
        for model in models:
            if groups_hold(model, before)[0]:
                assert groups_hold(model, after)[0]
                yield model

    try_often(name, "survives_growth", on_groups)


@pytest.mark.parametrize("meet", [True, False], ids=["people meet", "people are apart"])
@of_models_that_claim("is_local")
def test_a_local_model_does_not_look_at_people_of_other_groups(name, meet):
    def on_groups(data, models):
        groups, look = groups_for(data, name, meet=meet, knows_input=False)
        chosen = np.array(data.draw(st.lists(st.booleans(), min_size=6, max_size=6)))
        chosen, stats = chosen[: len(groups)], look(groups)
        for model in models:
            holds = groups_hold(model, stats)
            if not chosen.all() and holds[chosen].any():
                left = stats.of_groups(chosen)
                assert groups_hold(model, left).tolist() == holds[chosen].tolist()
                yield model

    try_often(name, "is_local", on_groups)


def claims_where_people_meet(claim):
    """Models of which some instance claims it of groups in which people meet."""
    names = {
        "k-anonymity": shoal.KAnonymity(2),
        "reidentification-risk": shoal.ReidentificationRisk(highest=0.5),
    }
    assert all(getattr(Privacy((model,), people_meet=True), claim) for model in names.values())
    return pytest.mark.parametrize("name", names)


@claims_where_people_meet("survives_merging")
def test_a_union_in_which_people_meet_holds_where_that_is_claimed(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name, meet=True)
        assume(len(groups) > 1)
        before, after = look(groups), look([groups[0] + groups[1], *groups[2:]])
        for model in models:
            privacy = Privacy((model,), people_meet=True)
            if privacy.survives_merging and privacy.holds(before)[:2].all():
                assert privacy.holds(after)[0]
                yield model

    try_often(name, "survives_merging", on_groups)


@claims_where_people_meet("survives_growth")
def test_a_group_that_gains_entries_of_its_own_people_holds_where_that_is_claimed(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name, meet=True)
        more = data.draw(entries(most=4))[0]
        before, after = look([*groups, more]), look([groups[0] + more, *groups[1:]])
        for model in models:
            privacy = Privacy((model,), people_meet=True)
            if privacy.survives_growth and privacy.holds(before)[0]:
                assert privacy.holds(after)[0]
                yield model

    try_often(name, "survives_growth", on_groups)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in ALWAYS_OPEN])
def test_no_part_of_a_group_that_fails_for_good_holds(name):
    def on_groups(data, models):
        groups, look = groups_for(data, name, meet=True)
        n_first = data.draw(st.integers(1, len(groups[0])))
        whole, parts = look(groups), look([groups[0][:n_first], groups[0][n_first - 1 :]])
        for model in models:
            privacy = Privacy((model,), people_meet=True)
            if privacy.lasting_failures(whole)[0]:
                assert not privacy.holds(parts).any()
                yield model

    try_often(name, "demand", on_groups)  # which every model has


# Two groups that hold; in their union people meet, and it fails.
ANN_AND_BOB = [[("ann", {"a"}), ("bob", {"b"})], [("ann", {"b"}), ("bob", {"a"})]]
OTHERS = [(i, {value}) for i, value in enumerate("abababab")]
MEETING = [
    shoal.DistinctLDiversity("ill", 2),
    shoal.EntropyLDiversity("ill", 2),
    shoal.RecursiveClDiversity("ill", 2, 2),
    shoal.AlphaK("ill", 0.5, 2),
    shoal.PSensitive("ill", 2, 2),
    shoal.TCloseness("ill", 0.2),
    shoal.SDiversity("ill", 0.5, 0),
    shoal.DeltaDisclosure("ill", 0.5),
    shoal.BetaLikeness("ill", 0.5),
    shoal.SeverityCloseness("ill", 0.05),
]


@pytest.mark.parametrize("model", MEETING, ids=name_of)
def test_values_may_come_together_where_people_meet_so_nothing_is_claimed(model):
    union = [entry for group in ANN_AND_BOB for entry in group]
    privacy = Privacy((model,), people_meet=True)

    before = stats_of_people([*ANN_AND_BOB, OTHERS], severity=SEVERITY, knows_input=False)
    after = stats_of_people([union, OTHERS], severity=SEVERITY, knows_input=False)

    assert not privacy.survives_merging
    assert not privacy.survives_growth
    assert privacy.holds(before)[:2].all()
    assert not privacy.holds(after)[0]
