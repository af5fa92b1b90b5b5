"""A policy with a pseudonym: one column, which is the person."""

from __future__ import annotations

import pytest

import shoal
from shoal.errors import PolicyError

COLUMNS = {"hospital": "identifier", "patient": "pseudonym", "age": "quasi", "visits": "keep"}


def policy(columns=COLUMNS, **settings) -> shoal.Policy:
    models = [{"model": "k-anonymity", "k": 2}]
    return shoal.Policy.of_mapping({"columns": columns, "privacy": models, **settings})


def test_a_pseudonym_is_the_person_unless_it_is_said():
    assert policy().person == policy(person="patient").person == ("patient",)
    assert policy() == policy(person=["patient"])


def test_roles_from_python_say_the_same():
    rules = shoal.Policy.of_roles(
        identifiers=["hospital"],
        pseudonyms=["patient"],
        quasi=["age"],
        keep=["visits"],
        privacy=[shoal.KAnonymity(2)],
    )

    assert rules == policy()
    assert {name: spec.role for name, spec in rules.columns.items()} == COLUMNS


def test_a_policy_with_a_pseudonym_is_written_and_read_back(tmp_path):
    policy().write(tmp_path / "policy.yaml")

    assert shoal.Policy.load(tmp_path / "policy.yaml") == policy()
    assert "patient: pseudonym" in (tmp_path / "policy.yaml").read_text()


def test_a_pseudonym_is_released():
    names = ["patient", "age", "visits"]

    assert policy().schema_of_release(names).released == tuple(names)
    assert policy().schema_for(list(COLUMNS)).withheld == ("hospital",)
    with pytest.raises(PolicyError, match="column 'patient' is not in the release"):
        policy().schema_of_release(["age", "visits"])


@pytest.mark.parametrize("person", ["hospital", ["hospital", "patient"], ["patient", "hospital"]])
def test_a_person_who_is_not_the_pseudonym_is_refused_with_the_remedy(person):
    with pytest.raises(PolicyError, match=r"'patient' .* it alone must be `person`.*join them"):
        policy(person=person)


def test_two_pseudonyms_are_refused_with_the_remedy():
    with pytest.raises(PolicyError, match=r"2 columns have the role pseudonym.*Join them") as error:
        policy(COLUMNS | {"hospital": "pseudonym"})

    assert error.value.path[0] == "columns"


def test_a_pseudonym_takes_no_other_key():
    with pytest.raises(PolicyError, match="the role pseudonym has no hierarchy"):
        policy(COLUMNS | {"patient": {"role": "pseudonym", "hierarchy": "flat"}})


@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_a_person_who_would_be_released_as_is_stays_refused(role):
    with pytest.raises(PolicyError, match=f"its role {role} releases it"):
        policy(COLUMNS | {"patient": role}, person="patient")
