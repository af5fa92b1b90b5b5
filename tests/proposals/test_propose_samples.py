"""Survey weights and household numbers, by name and values."""

from __future__ import annotations

import polars as pl
import pytest

import shoal

N = 60


def proposal(**columns):
    return shoal.propose(pl.DataFrame({"age": [20 + i % 40 for i in range(N)], **columns}))


def role_of(found, name):
    return next(s for s in found.suggestions if s.name == name)


@pytest.mark.parametrize("name", ["fnlwgt", "Survey Weight", "sampling_weight", "PWGTP", "perwt"])
def test_survey_weights_are_known_by_their_name_and_numbers(name):
    found = proposal(**{name: [10.5 + i % 7 for i in range(N)]})

    assert role_of(found, name).role == "weight"
    assert "survey weight" in role_of(found, name).reason
    assert found.policy().columns[name].release is False


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("weight", [50.0 + i % 40 for i in range(N)]),  # kilograms
        ("fnlwgt", [0.5 + i % 7 for i in range(N)]),
        ("fnlwgt", [None, *[10 + i % 7 for i in range(N - 1)]]),
        ("fnlwgt", ["low", "high"] * (N // 2)),
    ],
    ids=["of a body", "below one", "missing", "text"],
)
def test_what_cannot_be_a_weight_is_not_proposed_as_one(name, values):
    assert role_of(proposal(**{name: values}), name).role != "weight"


def test_a_second_column_of_weights_is_dropped():
    weights = [10 + i % 7 for i in range(N)]

    found = proposal(perwt=weights, hhwt=weights)

    assert [s.role for s in found.suggestions] == ["quasi", "weight", "drop"]
    assert "but perwt is the weight" in found.suggestions[2].reason


@pytest.mark.parametrize("name", ["household_id", "hhid", "HaushaltsNr", "household"])
def test_household_numbers_are_withheld_with_the_reason(name):
    found = proposal(**{name: [100 + i // 2 for i in range(N)]})

    assert role_of(found, name).role == "identifier"
    assert "numbers households" in role_of(found, name).reason


def test_the_size_of_a_household_is_not_its_number():
    assert (
        role_of(proposal(household_size=[1 + i % 5 for i in range(N)]), "household_size").role
        == "quasi"
    )
