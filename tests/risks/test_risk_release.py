"""Before and after, side by side; and what is refused."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import BadOption, InputError, PolicyError
from shoal.read.source import Source
from shoal.runs.risk import risk_of

PEOPLE = pl.DataFrame({"age": [21, 22, 31, 32, 70], "sex": ["f", "f", "m", "m", "f"]})
RELEASED = pl.DataFrame({"age": ["2*", "2*", "3*", "3*"], "sex": ["f", "f", "m", "m"]})


@pytest.fixture
def policy():
    return shoal.Policy.of_roles(quasi=["age", "sex"], privacy=[shoal.KAnonymity(2)])


def test_figures_of_the_release_stand_beside_those_of_the_data(policy):
    risk = shoal.risk(PEOPLE, policy, release=RELEASED)

    assert (risk.data.n_unique, risk.release.n_unique) == (5, 0)
    assert (risk.data.marketer, risk.release.marketer) == (1.0, 0.5)
    assert risk.n_fewer_records == 1
    assert any("1 record fewer than the data" in note for note in risk.notes)


def test_cells_are_compared_letter_by_letter(policy):
    cells = {"age": ["1.0", "1", "01", "NA", ""], "sex": ["f"] * 5}
    release = Source(pl.DataFrame(cells), is_text=True)

    risk = risk_of(Source.of_frame(PEOPLE), policy, release=release)

    assert risk.release.n_groups == 5


def test_a_release_has_no_more_records_than_its_data(policy):
    with pytest.raises(InputError, match="5 records, but the original has only 4"):
        shoal.risk(PEOPLE[:4], policy, release=PEOPLE)


def test_a_release_that_lacks_a_column_is_refused_by_name(policy):
    with pytest.raises(PolicyError, match="column 'sex' is not in the release"):
        shoal.risk(PEOPLE, policy, release=RELEASED.drop("sex"))


def test_a_column_of_the_policy_that_is_not_in_the_data_is_refused_by_name(policy):
    with pytest.raises(PolicyError, match=r"column 'sex' is not in the data"):
        shoal.risk(PEOPLE.drop("sex"), policy)


def test_a_table_without_records_is_refused(policy):
    with pytest.raises(InputError, match="no records"):
        shoal.risk(PEOPLE[:0], policy)
    with pytest.raises(InputError, match="no records"):
        shoal.risk(PEOPLE, policy, PEOPLE[:0])


@pytest.mark.parametrize("threshold", [0, -0.1, 1.01, float("nan"), float("inf")])
def test_a_threshold_that_is_no_risk_is_refused(policy, threshold):
    with pytest.raises(InputError, match="above 0 and at most 1"):
        shoal.risk(PEOPLE, policy, threshold=threshold)


@pytest.mark.parametrize("setting", ["most_combinations", "threads"])
def test_other_numbers_are_at_least_one(policy, setting):
    with pytest.raises(BadOption, match=f"{setting} must be a whole number, at least 1"):
        shoal.risk(PEOPLE, policy, **{setting: 0})


def test_a_mean_says_nothing_about_people_of_a_population():
    columns = {"age": {"role": "quasi", "publish": "mean"}, "sex": "quasi"}
    models = [{"model": "k-anonymity", "k": 2}]
    policy = shoal.Policy.of_mapping({"columns": columns, "privacy": models})

    with pytest.raises(InputError, match="'age' publishes a mean"):
        shoal.risk(PEOPLE, policy, PEOPLE, RELEASED)
