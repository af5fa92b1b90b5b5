"""Recipes: the policy that each writes runs unchanged, and says why."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.datasets import adult
from shoal.errors import PolicyError
from shoal.proposals.recipes import RECIPES


def hospital(n=300):
    rng = np.random.default_rng(7)
    born = [
        datetime.date(1930, 1, 1) + datetime.timedelta(int(d)) for d in rng.integers(0, 29000, n)
    ]
    admitted = [
        datetime.date(2024, 1, 1) + datetime.timedelta(int(d)) for d in rng.integers(0, 700, n)
    ]
    return pl.DataFrame(
        {
            "mrn": [f"M{i:05}" for i in range(n)],
            "last_name": [f"Name{i}" for i in range(n)],
            "dob": [f"{d.month:02}/{d.day:02}/{d.year}" for d in born],
            "age": [2024 - d.year for d in born],
            "sex": rng.choice(["f", "m"], n),
            "zip": [f"{z:05}" for z in rng.integers(10000, 10400, n)],
            "state": rng.choice(["NY", "NJ", "CT"], n),
            "admission_date": [d.isoformat() for d in admitted],
            "diagnosis": rng.choice(["C50.9", "E11.9", "I10", "J45.0"], n),
            "note": [f"patient {i} said {i * 7919 % 10007} things on day {i}" for i in range(n)],
        }
    )


@pytest.fixture
def visits(tmp_path):
    path = tmp_path / "visits.csv"
    hospital().write_csv(path)
    return path


@pytest.mark.parametrize("name", RECIPES)
def test_the_policy_of_a_recipe_runs_unchanged_on_a_hospitals_table(visits, name, tmp_path):
    proposal = shoal.propose(visits, recipe=name)
    proposal.write(tmp_path / "policy.yaml")

    release = shoal.anonymize(visits, policy=tmp_path / "policy.yaml")

    assert release.verdict.holds
    assert release.policy.suppression == RECIPES[name].suppression
    assert min(release.verdict.group_sizes) >= RECIPES[name].k
    assert release.policy.context.threshold == RECIPES[name].threshold
    assert {"mrn", "last_name", "note"}.isdisjoint(release.frame.columns)


@pytest.mark.parametrize("name", RECIPES)
def test_the_policy_of_a_recipe_runs_unchanged_on_the_bundled_table(name):
    table = adult().head(2000)

    release = shoal.anonymize(table, policy=shoal.propose(table, recipe=name).policy())

    assert min(release.verdict.group_sizes) >= RECIPES[name].k


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda recipe: recipe.name)
def test_a_recipe_says_the_source_of_its_numbers_in_the_policy(visits, recipe):
    text = " ".join(shoal.propose(visits, recipe=recipe.name).text().replace("#", " ").split())

    assert f"Recipe {recipe.name}: {recipe.about}." in text
    assert f"k = {recipe.k}: {' '.join(recipe.k_reason.split())}." in text
    assert recipe.suppression_reason in text
    assert recipe.threshold is None or recipe.threshold_reason in text
    assert recipe.threshold is None or 1 / recipe.k <= recipe.threshold


def test_safe_harbor_leaves_years_ages_up_to_ninety_and_no_small_place(visits):
    columns = shoal.propose(visits, recipe="hipaa-safe-harbor").policy().columns
    release = shoal.anonymize(
        visits, policy=shoal.propose(visits, recipe="hipaa-safe-harbor").policy()
    )

    assert (columns["zip"].role, columns["state"].role) == ("quasi", "quasi")
    assert columns["zip"].zip3 == ()
    digits = release.frame["zip"].str.extract_all(r"\d+").explode().drop_nulls()
    assert set(digits.str.len_chars()) <= {3}
    assert columns["dob"].age_on
    assert columns["dob"].top == columns["age"].top == 90
    notes = " ".join(shoal.propose(visits, recipe="hipaa-safe-harbor").notes)
    assert "{date:" not in notes  # ages and years have no months
    ends = release.frame["admission_date"].str.extract_all(r"\d{4}-\d\d-\d\d").explode()
    assert set(ends.str.tail(5).drop_nulls()) <= {"01-01", "12-31"}
    ages = release.frame["age"].str.extract_all(r"\d+").explode().cast(pl.Int64)
    assert ages.max() <= 90


def test_a_recipe_without_years_only_leaves_the_months_of_other_dates(visits):
    columns = shoal.propose(visits, recipe="ema").policy().columns

    assert columns["admission_date"].bounds.step == "month"
    assert columns["dob"].bounds is None
    assert columns["dob"].age_on


def test_a_small_table_gets_a_smaller_k_and_a_note():
    proposal = shoal.propose(hospital(8), recipe="open-data")

    assert proposal.k == 8
    assert any("asks for 20" in note for note in proposal.notes)


def test_an_unknown_recipe_is_refused_with_the_nearest():
    with pytest.raises(PolicyError, match="did you mean 'ema'"):
        shoal.propose(hospital(8), recipe="emma")


def test_ages_are_not_taken_for_numbers_of_states():
    columns = shoal.propose(pl.DataFrame({"age": range(20, 40)})).policy().columns

    assert columns["age"].hierarchy is None


def test_safe_harbor_releases_no_small_place_and_nothing_finer_than_a_year():
    n = 60
    frame = pl.DataFrame(
        {
            "county": ["Kent", "Essex"] * (n // 2),
            "Wohnort": ["Bonn", "Ulm", "Kiel"] * (n // 3),
            "precinct": [1, 2] * (n // 2),
            "diagnosis_month": ["2023-01", "2023-02"] * (n // 2),
            "seen": ["2023Q1", "2023Q2", "2023Q3"] * (n // 3),
            "week": ["2023-W05", "2023-W06"] * (n // 2),
            "yob": [1950 + i % 40 for i in range(n)],
            "years_old": [35 + 5 * (i % 12) for i in range(n)],
            "state": ["Ohio", "Iowa"] * (n // 2),
            "smokes": ["yes", "no", "no"] * (n // 3),
        }
    )
    policy = shoal.propose(frame, recipe="hipaa-safe-harbor").policy()
    roles = {name: spec.role for name, spec in policy.columns.items()}
    released = {name for name, role in roles.items() if role in ("quasi", "sensitive", "keep")}

    assert released == {"years_old", "state", "smokes"}
    assert policy.columns["years_old"].top == 90
