"""shoal attack"""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def released(folder, run):
    """The release of the patients, beside them."""
    assert run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv").code == 0
    return folder


ATTACK = ("attack", "release.csv", "--original", "patients.csv", "-p", "policy.yaml")


def test_every_attack_is_answered_in_a_sentence(released, run):
    result = run(*ATTACK, "--quiet")

    assert result.code == 0
    assert result.stderr == ""
    for question in ("Linkage: can", "Homogeneity: do", "Skewness: do", "Inference: can"):
        assert question in result.stdout
    assert "No record is singled out: at least 3 rows match each record" in result.stdout
    assert "known by 'age', 'zip', 'work'" in result.stdout


def test_json_is_one_object_and_nothing_else(released, run):
    result = run(*ATTACK, "--json")

    found = json.loads(result.stdout)
    assert result.code == 0
    assert result.stderr == ""
    assert found["people"] == found["released"] == found["original"] == 6
    assert found["known"] == ["age", "zip", "work"]
    assert found["confidence"] == 0.95
    linkage = found["linkage"]
    assert linkage["success"]["low"] < linkage["success"]["value"] <= 0.5
    assert linkage["success_in_original"]["value"] == 1
    assert linkage["says"].startswith("No record is singled out")
    for name in ("homogeneity", "skewness", "inference"):
        (entry,) = found[name]
        assert entry["column"] == "disease"
        assert entry["says"].startswith("'disease': ")


def test_the_same_seed_prints_the_same(released, run):
    options = ("--json", "--sample", "3", "--seed")

    assert run(*ATTACK, *options, "5").stdout == run(*ATTACK, *options, "5").stdout
    assert json.loads(run(*ATTACK, *options, "5").stdout)["people"] == 3


def test_an_adversary_who_knows_less_finds_less(released, run):
    all_known = json.loads(run(*ATTACK, "--json").stdout)["linkage"]
    result = run(*ATTACK, "--json", "--known", "work")

    found = json.loads(result.stdout)
    assert found["known"] == ["work"]
    assert found["linkage"]["success"]["value"] <= all_known["success"]["value"]
    assert found["linkage"]["success_in_original"]["value"] == pytest.approx(1 / 3, abs=1e-6)


def test_rows_that_were_not_generalised_single_people_out(released, run):
    header = Path("release.csv").read_text().splitlines()[0]
    assert header == "age;zip;work;disease;visits"
    rows = "31;02139;nurse;Flu;1.10\n38;02138;cook;Cancer; 2\n"
    Path("bare.csv").write_text(f"{header}\n{rows}")

    result = run("attack", "bare.csv", "--original", "patients.csv", "-p", "policy.yaml")

    printed = " ".join(result.stdout.split())
    assert result.code == 0
    assert "2 of 6 records are singled out: exactly one row matches, and it can be" in printed
    assert "no row matches 4 of 6 records" in printed
    assert "4 records of the original were left out" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--known", "aeg"), "'aeg' is not a column of the release; did you mean 'age'?"),
        (("--known", "disease"), "'disease' is not a quasi-identifier"),
        (("--known", ","), "at least one column"),
        (("--sample", "0"), "0 is not in the range"),
        (("--known-records", "all"), "the policy does not say whose they are"),
        (("--known-records", "some"), "'some' is not one of 'one', 'all'"),
    ],
)
def test_bad_usage_is_explained(released, run, arguments, words):
    result = run(*ATTACK, *arguments)

    assert result.code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_an_original_that_is_too_small_is_refused_without_a_cell(released, run):
    rows = Path("patients.csv").read_text().splitlines()
    Path("few.csv").write_text("\n".join(rows[:3]) + "\n")

    result = run("attack", "release.csv", "--original", "few.csv", "-p", "policy.yaml")

    assert result.code == 2
    assert "6 records, but the original has only 2" in result.stderr
    assert "Ann" not in result.stderr


def test_an_empty_release_is_refused(released, run):
    header = Path("release.csv").read_text().splitlines()[0]
    Path("empty.csv").write_text(header + "\n")

    result = run("attack", "empty.csv", "--original", "patients.csv", "-p", "policy.yaml")

    assert result.code == 2
    assert "no records" in result.stderr


def test_means_are_refused_with_the_columns_name(released, run):
    policy = Path("policy.yaml").read_text()
    means = policy.replace("hierarchy: {intervals: [5, 10]}", "publish: mean")
    assert means != policy
    Path("means.yaml").write_text(means)
    assert run("anonymize", "patients.csv", "-p", "means.yaml", "-o", "means.csv").code == 0

    result = run("attack", "means.csv", "--original", "patients.csv", "-p", "means.yaml")

    assert result.code == 2
    assert "'age' publishes a mean" in result.stderr


def test_people_are_drawn_where_the_policy_says_whose_records_they_are(released, run):
    policy = Path("policy.yaml").read_text()
    Path("people.yaml").write_text(f"person: name\n{policy}")
    arguments = (*ATTACK[:-1], "people.yaml")

    one = json.loads(run(*arguments, "--json").stdout)
    printed = " ".join(run(*arguments, "--quiet", "--known-records", "all").stdout.split())

    assert (one["people"], one["counted"], one["known_records"]) == (6, "people", "one")
    assert printed.startswith("Attacked with 6 people from the original, all their records, known")
    assert "Linkage: can a person be found?" in printed
    assert "unique in the original 6 of 6 people" in printed
    assert "People were drawn at random." in printed
    assert "record's own" not in printed


def test_where_records_are_counted_no_sentence_speaks_of_people(released, run):
    printed = run(*ATTACK).stdout + run(*ATTACK, "--json").stdout

    assert "person" not in printed.replace("accuracy_without_person", "")
    assert "people" not in printed.replace('"people": 6', "")


def test_nothing_that_is_printed_shows_a_value(released, run):
    printed = run(*ATTACK).stdout + run(*ATTACK, "--json").stdout

    for value in ("02139", "nurse", "Cancer", "HIV", "Flu", "Ann"):
        assert value not in printed
