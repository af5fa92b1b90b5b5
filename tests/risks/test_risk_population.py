"""The journalist: how many people of the population fit a record, or the cells of a release."""

from __future__ import annotations

from datetime import date

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from naive import risk as naive
from shoal.errors import InputError
from shoal.read.source import Source
from shoal.runs.risk import risk_of
from tiers import examples

VALUES = st.sampled_from(["x", "y", None])
RECORDS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8)
THRESHOLDS = st.sampled_from([0.09, 0.25, 0.5, 1.0])


def frame(records, **columns):
    return pl.DataFrame(records, schema=columns or {"a": pl.String, "b": pl.String}, orient="row")


def policy(*columns, **settings):
    quasi = settings.pop("quasi", list(columns) or ["a", "b"])
    return shoal.Policy.of_roles(quasi=quasi, privacy=[shoal.KAnonymity(2)], **settings)


@given(RECORDS, RECORDS, THRESHOLDS)
@examples(10, thorough=60)
def test_the_journalist_agrees_with_the_definition(records, others, threshold):
    population = records + others

    risk = shoal.risk(frame(records), policy(), frame(population), threshold=threshold)

    risks = naive.population_risks(records, population)
    journalist = risk.data.journalist
    assert journalist.highest == float(max(risks))
    assert journalist.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
    assert journalist.n_at_risk == naive.n_above(risks, threshold)
    assert risk.data.marketer == journalist.average
    assert risk.data.n_fewer_in_population == 0
    assert risk.n_population == len(population)


@given(RECORDS, RECORDS)
@examples(10, thorough=40)
def test_a_population_without_everybody_never_lowers_a_risk_too_far(records, population):
    data = shoal.risk(frame(records), policy(), frame(population)).data

    risks = naive.population_risks(records, population)
    assert data.journalist.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
    assert data.journalist.highest <= data.prosecutor.highest
    assert data.n_fewer_in_population == sum(
        population.count(record) < records.count(record) for record in records
    )


def test_that_people_are_absent_from_the_population_is_said():
    risk = shoal.risk(frame([("x", "y"), ("x", "x")]), policy(), frame([("x", "x")]))

    assert any("For 1 record (50.0%) the population file has fewer" in note for note in risk.notes)


def test_without_a_population_no_figure_is_invented():
    risk = shoal.risk(frame([("x", "y")]), policy())

    assert risk.data.journalist is None
    assert risk.as_dict()["data"]["journalist"] is None
    assert any("journalist's risk is unknown" in note for note in risk.notes)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["7", "8"], ["7.0", "8", "word"]),  # a word among their numbers
        (["7", "8.5"], ["7", "8.50"]),
        (["2021-03-05"], ["2021/03/05", "never"]),
        (["07", "8"], ["07", "8"]),
    ],
)
def test_values_of_csv_files_are_equal_if_they_mean_the_same_in_the_data(ours, theirs):
    data, population = (
        Source(pl.DataFrame({"a": values}), is_text=True) for values in (ours, theirs)
    )

    risk = risk_of(data, policy("a"), population=population)

    assert risk.data.n_fewer_in_population == 0


def test_codes_with_leading_zeros_are_not_the_numbers_without():
    data, population = (
        Source(pl.DataFrame({"a": values}), is_text=True) for values in (["07"], ["7"])
    )

    assert risk_of(data, policy("a"), population=population).data.n_fewer_in_population == 1


def test_frames_of_any_kind_are_compared():
    data = pl.DataFrame({"born": [date(2021, 3, 5)] * 2, "n": [1, 2]})
    population = pd.DataFrame({"born": ["2021-03-05"] * 3, "n": [1.0, 1.0, 2.0]})

    risk = shoal.risk(data, policy("born", "n"), population)

    assert risk.data.journalist.average == 0.75


def test_missing_values_of_the_policy_are_missing_in_the_population():
    data, population = (
        Source(pl.DataFrame({"a": values}), is_text=True) for values in (["NA", "1"], ["NA", "1"])
    )
    rules = policy("a", missing_values=["NA"])

    assert risk_of(data, rules, population=population).data.n_fewer_in_population == 0


@pytest.mark.parametrize("ours", [[None, None], ["1", None]])
@pytest.mark.parametrize("kind", [pl.String, pl.Int64, pl.Date, pl.Null])
def test_columns_without_any_value_are_compared_too(ours, kind):
    data = pl.DataFrame({"a": pl.Series(ours, dtype=pl.String)})
    population = pl.DataFrame({"a": pl.Series([None] * 3, dtype=kind)})

    found = shoal.risk(data, policy("a"), population, release=data).data

    assert found.n_fewer_in_population == sum(value is not None for value in ours)


def test_a_population_without_the_columns_is_refused_with_the_nearest_name():
    population = pl.DataFrame({"a": ["x"], "B": ["y"], "more": [1]})

    with pytest.raises(InputError, match=r"no column 'b'; did you mean 'B'\?") as caught:
        shoal.risk(frame([("x", "y")]), policy(), population)

    assert "2 quasi-identifiers" in str(caught.value)


AGES = st.lists(st.tuples(st.integers(0, 39), st.sampled_from("fm")), min_size=2, max_size=12)


@given(AGES, AGES)
@examples(10, thorough=60)
def test_cells_of_a_release_match_the_people_they_cover(people, others):
    schema = {"age": pl.Int64, "sex": pl.String}
    data, population = frame(people, **schema), frame(people + others, **schema)
    rules = policy(quasi={"age": shoal.intervals(10, 20), "sex": None})
    release = frame([(_decade(age), sex) for age, sex in people], age=pl.String, sex=pl.String)

    found = shoal.risk(data, rules, population, release).release

    decades = [(age // 10, sex) for age, sex in people]
    everybody = decades + [(age // 10, sex) for age, sex in others]
    risks = naive.population_risks(decades, everybody)
    assert found.journalist.highest == float(max(risks))
    assert found.journalist.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
    assert found.prosecutor.average == pytest.approx(float(naive.average(decades, (0, 1))))


def _decade(age):
    return f"[{age // 10 * 10}, {age // 10 * 10 + 9}]"


@pytest.mark.parametrize("algorithm", ["mondrian", "flash", "k-member"])
def test_a_release_of_our_own_fits_at_least_its_own_people(algorithm):
    rows = [(20 + i % 13, ("f", "m", None)[i % 3], f"0{i % 7}139") for i in range(60)]
    people = frame(rows, age=pl.Int64, sex=pl.String, zip=pl.String)
    quasi = {"age": shoal.intervals(5, 10), "sex": None, "zip": shoal.prefix(5)}
    rules = policy(quasi=quasi, algorithm=algorithm)
    release = rules.anonymize(people)

    risk = shoal.risk(people, rules, people, release.frame)

    assert risk.release.n_unique == 0
    assert risk.release.prosecutor.highest == 1 / min(release.verdict.group_sizes)
    assert risk.release.n_groups == release.verdict.n_groups
    assert risk.release.n_fewer_in_population == 0
    assert risk.release.journalist.highest <= risk.release.prosecutor.highest
