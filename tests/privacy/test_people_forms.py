"""The person form of every model, against its definition."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import shoal
from naive import people as naive
from naive import privacy as of_records
from privacy.earth_mover import distance_in, earth_movers_distance
from privacy.groups import NUMBERS, PATHS, SEVERITY, WORDS, entries, stats_of, stats_of_people
from privacy.test_claims import MODELS, of_every_model
from shoal import catalog
from shoal.types.named import name_of
from shoal.types.privacy import Privacy, achieved, groups_hold
from tiers import examples

CLOSE = 1e-8
DOCS = Path(__file__).parents[2] / "docs"


class Form(NamedTuple):
    """What a model asks of one group, and what it says of the worst."""

    smallest: int
    holds: Callable[[dict], bool]
    figure: Callable[[dict], float]
    worst: Callable[[list[float]], float] = max


def exact(limit):
    """The number that a float was meant to be."""
    return Fraction(limit).limit_denominator(1000)


def form_of(model, tables, values, paths):
    """The definition of a model, which compares groups with the tables if it does so at all."""
    pairs = naive.incidences

    def furthest(of_table):
        return lambda group: max(of_table(group, table) for table in tables)

    def bounded(figure, limit, smallest=1):
        return Form(smallest, lambda group: figure(group) <= limit + CLOSE / 2, figure)

    match name_of(model):
        case "k-anonymity":
            return Form(model.k, lambda group: True, len, min)
        case "distinct-l-diversity":
            return Form(model.l, lambda g: n_values(g) >= model.l, n_values, min)
        case "p-sensitive":
            return Form(model.k, lambda g: n_values(g) >= model.p, n_values, min)
        case "entropy-l-diversity":
            return Form(
                math.ceil(exact(model.l)),
                lambda group: of_records.is_as_mixed_as(pairs(group), exact(model.l)),
                lambda group: of_records.mixture(pairs(group)),
                min,
            )
        case "recursive-cl-diversity":
            return Form(
                model.l,
                lambda group: naive.most_by_rare(group, model.l) < exact(model.c),
                lambda group: naive.most_by_rare(group, model.l),
            )
        case "alpha-k":
            return Form(
                max(model.k, math.ceil(1 / exact(model.alpha))),
                lambda group: naive.largest_confidence(group) <= exact(model.alpha),
                naive.largest_confidence,
            )
        case "t-closeness":
            return bounded(furthest(lambda g, table: moved(model, g, table, values)), model.t)
        case "severity-closeness":
            return bounded(furthest(severity_distance), model.t)
        case "s-diversity":
            figure = furthest(
                lambda g, table: of_records.s_diversity(
                    pairs(g), pairs(*table), exact(model.r), paths
                )
            )
            smallest = math.ceil(1 / exact(model.max))
            return Form(smallest, lambda group: figure(group) <= exact(model.max), figure)
        case "delta-disclosure":
            factor = math.exp(model.delta)
            return Form(
                1,
                lambda group: all(naive.is_undisclosed(group, t, factor) for t in tables),
                furthest(naive.disclosure),
            )
        case "beta-likeness":
            beta, enhanced = exact(model.beta), model.enhanced
            return Form(
                1,
                lambda group: all(naive.is_like(group, t, beta, enhanced=enhanced) for t in tables),
                furthest(lambda group, table: max(0, *naive.gains(group, table).values())),
            )


def n_values(group):
    return of_records.n_different(naive.incidences(group))


def moved(model, group, table, values):
    found = naive.incidences(*table)
    distance = distance_in(model.distance, found, values)
    return earth_movers_distance(naive.incidences(group), found, distance)


def severity_distance(group, table):
    return of_records.severity_distance(naive.incidences(group), naive.incidences(*table), SEVERITY)


def shape_for(name, data):
    """Values, and what is known of them; s-diversity looks at numbers too."""
    if name == "s-diversity" and data.draw(st.booleans()):
        return NUMBERS, {"values": NUMBERS}
    return WORDS, {"paths": PATHS, "severity": SEVERITY}


ABOUT_VALUES = [name for name in MODELS if name != "reidentification-risk"]


@pytest.mark.parametrize("knows_input", [True, False])
@pytest.mark.parametrize("meet", [True, False], ids=["people meet", "people are apart"])
@pytest.mark.parametrize("name", ABOUT_VALUES)
@examples(5, thorough=20)
@given(data=st.data())
def test_the_person_form_of_a_model_is_that_of_the_definition(name, meet, knows_input, data):
    values, shape = shape_for(name, data)
    groups = data.draw(entries(values, meet=meet, alike=data.draw(st.booleans())))
    suppressed = data.draw(entries(values, meet=meet, most=2))[0]
    stats = stats_of_people(groups, suppressed=suppressed, knows_input=knows_input, **shape)
    people = [naive.met(group) for group in groups]
    everyone = naive.met([entry for group in [*groups, suppressed] for entry in group])
    tables = [[everyone], people] if knows_input else [people]

    for model in data.draw(st.lists(MODELS[name], min_size=4, max_size=4)):
        form = form_of(model, tables, values, shape.get("paths"))
        figures = [form.figure(each) for group in people for each in naive.judged(group)]
        limit = getattr(model, "t", getattr(model, "delta", math.inf))
        assume(not any(1e-12 < abs(figure - limit) < CLOSE for figure in figures))

        assert groups_hold(model, stats).tolist() == [
            len(group) >= form.smallest and all(map(form.holds, naive.judged(group)))
            for group in people
        ]
        assert achieved(model, stats) == pytest.approx(float(form.worst(figures)), abs=1e-9)


@of_every_model
@examples(10, thorough=40)
@given(data=st.data())
def test_where_everyone_has_one_value_the_person_form_is_the_record_form(name, data):
    values, shape = shape_for(name, data)
    groups = data.draw(entries(values, meet=False, several=False, alike=data.draw(st.booleans())))
    suppressed = data.draw(entries(values, meet=False, several=False, most=2))[0]
    as_values = [[value for _, (value,) in group] for group in [*groups, suppressed]]
    knows_input = data.draw(st.booleans())
    people = stats_of_people(groups, suppressed=suppressed, knows_input=knows_input, **shape)
    records = stats_of(as_values[:-1], suppressed=as_values[-1], knows_input=knows_input, **shape)

    for model in data.draw(st.lists(MODELS[name], min_size=8, max_size=8)):
        assert groups_hold(model, people).tolist() == model.holds(records).tolist()
        assert achieved(model, people) == model.achieved(records)
        privacy = Privacy((model,))
        assert privacy.to_suppress(people).tolist() == privacy.to_suppress(records).tolist()
        assert privacy.failing(people) == privacy.failing(records)


@given(data=st.data())
def test_risks_are_those_of_a_release_with_as_many_records_as_it_has_people(data):
    model = data.draw(MODELS["reidentification-risk"])
    groups = data.draw(entries())
    sizes = [len(naive.met(group)) for group in groups]

    holds = groups_hold(model, stats_of_people(groups))

    asked = (model.highest, model.average, model.at_risk)
    highest, average, at_risk = (None if limit is None else exact(limit) for limit in asked)
    assert holds.all() == of_records.risk_holds(
        sizes, highest=highest, average=average, at_risk=at_risk
    )


TWO_WITH_ALL = [("ann", {"a", "b", "c"}), ("bob", {"a", "b", "c"})]
APART = [("cem", {"a"}), ("dee", {"b"}), ("eve", {"c"}), ("fay", {"d"})]


@pytest.mark.parametrize(
    "model",
    [
        shoal.DistinctLDiversity("ill", 2),
        shoal.EntropyLDiversity("ill", 2),
        shoal.RecursiveClDiversity("ill", 3, 2),
        shoal.PSensitive("ill", 2, 2),
        shoal.AlphaK("ill", 0.9, 2),
        shoal.TCloseness("ill", 0.5),
        shoal.SDiversity("ill", 0.5, 0),
        shoal.DeltaDisclosure("ill", 2),
        shoal.BetaLikeness("ill", 0.9),
        shoal.SeverityCloseness("ill", 0.05),
    ],
    ids=name_of,
)
def test_what_all_people_of_a_group_have_is_known_of_them_however_much_else_they_have(model):
    groups = [TWO_WITH_ALL, APART]
    of_pairs = [[value for _, values in group for value in values] for group in groups]

    as_people = stats_of_people(groups, severity=SEVERITY)
    as_records = stats_of(of_pairs, severity=SEVERITY)

    assert not groups_hold(model, as_people)[0]
    if name_of(model) not in ("delta-disclosure", "severity-closeness"):
        assert model.holds(as_records)[0]  # as if each value were that of a person of its own


@of_every_model
@examples(10, thorough=40)
@given(data=st.data())
def test_no_group_of_fewer_people_than_the_smallest_holds(name, data):
    values, shape = shape_for(name, data)
    stats = stats_of_people(data.draw(entries(values)), **shape)

    for model in data.draw(st.lists(MODELS[name], min_size=8, max_size=8)):
        is_small = stats.sizes < model.smallest
        assert not groups_hold(model, stats)[is_small].any()
        assert Privacy((model,), people_meet=True).lasting_failures(stats)[is_small].all()


@of_every_model
@examples(10, thorough=40)
@given(data=st.data())
def test_what_is_left_after_suppression_holds_for_its_people(name, data):
    values, shape = shape_for(name, data)
    groups = data.draw(entries(values))
    stats = stats_of_people(groups, **shape)

    for model in data.draw(st.lists(MODELS[name], min_size=4, max_size=4)):
        privacy = Privacy((model, shoal.KAnonymity(2)), people_meet=True)
        fails = privacy.to_suppress(stats)
        assert fails[~privacy.holds(stats)].all()
        if not fails.all():
            assert privacy.holds(stats.of_groups(~fails)).all()


def test_the_input_is_compared_with_where_it_differs_in_nothing_but_the_number_of_people():
    """Ann is in both groups with another value in each, so values are as many as in the input."""
    groups = [[("ann", {"a"}), ("bob", {"b"}), ("cem", {"b"})], [("ann", {"b"}), ("dee", {"a"})]]

    stats = stats_of_people(groups)

    assert [shares.tolist()[:2] for shares in stats.expectations("ill")] == [
        [0.5, 0.75],
        [0.4, 0.6],
    ]
    assert not groups_hold(shoal.DeltaDisclosure("ill", 0.3), stats).any()  # 0.41 in both


def test_what_to_relax_says_what_would_hold_for_people():
    stats = stats_of_people([[("ann", {"a", "b"}), ("bob", {"a", "c"}), ("cem", {"a"})]])
    model = shoal.DistinctLDiversity("ill", 2)

    (asked,) = Privacy((model,)).relaxed(stats)

    assert "ask for an l of at most 1" in asked  # all three have one of the values
    assert np.all(groups_hold(shoal.DistinctLDiversity("ill", 1), stats))


@pytest.mark.parametrize("name", catalog.names("model"))
def test_the_page_of_a_model_defines_its_person_form(name):
    page = (DOCS / "models" / f"{name}.md").read_text(encoding="utf-8")

    _, _, section = page.partition("\n## With people\n")
    assert section.strip().startswith("With [`person`](../policy.md) in the policy")
