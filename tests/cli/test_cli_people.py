"""The commands on a table in which every patient has several visits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

POLICY = """\
columns: {visit_id: identifier, patient_id: identifier, age: quasi}
privacy: [{model: k-anonymity, k: 2}]
"""
ANONYMIZE = ("anonymize", "visits.csv", "-p", "policy.yaml", "-o", "release.csv")
CHECK = ("check", "release.csv", "-p", "policy.yaml", "--original", "visits.csv")
HEADLINE = "Rows, not people, were counted: column 'patient_id' repeats (30 values in 60 rows)."


@pytest.fixture
def visits(folder) -> Path:
    lines = [f"{i},{i // 2 + 1},{20 + i // 2}" for i in range(60)]
    path = Path("visits.csv")
    path.write_text("\n".join(["visit_id,patient_id,age", *lines]) + "\n")
    Path("policy.yaml").write_text(POLICY)
    return path


def test_rows_that_are_not_people_are_released_without_being_called_verified(visits, run):
    result = run(*ANONYMIZE)

    assert result.code == 0
    assert " ".join(result.stdout.split()).startswith(HEADLINE)
    assert "Verified" not in result.stdout


def test_the_json_of_a_release_names_what_repeats(visits, run):
    summary = json.loads(run(*ANONYMIZE, "--json").stdout)

    assert summary["counted"] == "records"
    assert summary["repeating_identifiers"] == ["patient_id"]


def test_a_check_with_the_original_sees_it_too(visits, run):
    run(*ANONYMIZE)

    result = run(*CHECK, "--junit", "result.xml")

    assert result.code == 0
    assert " ".join(result.stdout.split()).startswith(HEADLINE)
    assert HEADLINE in Path("result.xml").read_text()
    assert json.loads(run(*CHECK, "--json").stdout)["repeating_identifiers"] == ["patient_id"]


def test_init_proposes_the_patient_as_the_person(visits, run):
    result = run("init", "visits.csv", "-o", "proposed.yaml")

    reason = "patient_id: 30 different values in 60 rows; people have up to 2 rows."
    assert f"# {reason}\nperson: patient_id\n" in Path("proposed.yaml").read_text()
    assert reason in " ".join(result.stdout.split())
