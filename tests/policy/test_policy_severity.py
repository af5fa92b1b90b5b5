"""Severities of sensitive values: in a policy, in a file, from Python."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import NoSeverity, PolicyError

POLICY = """\
columns:
  age: quasi
  disease: {role: sensitive, severity: SEVERITY}
privacy:
  - {model: k-anonymity, k: 2}
"""
PEOPLE = pl.DataFrame({"age": [20, 30, 40, 50], "disease": ["Flu", "Cancer", "Flu", "Gout"]})


@pytest.fixture
def load(tmp_path):
    def load(severity: str, policy: str = POLICY) -> shoal.Policy:
        path = tmp_path / "policy.yaml"
        path.write_text(policy.replace("SEVERITY", severity))
        return shoal.Policy.load(path)

    return load


def severities(policy):
    return dict(policy.columns["disease"].severity.of_value)


def test_a_mapping_is_read(load):
    assert severities(load("{Cancer: 10, Flu: 2, 'NO': 0.5}")) == {
        "Cancer": 10,
        "Flu": 2,
        "NO": 0.5,
    }


@pytest.mark.parametrize("delimiter", [";", ","])
def test_a_file_is_read_relative_to_the_policy(load, tmp_path, delimiter):
    text = 'Cancer;10\n"Flu, mild";2\n;4\n'.replace(";", delimiter)
    (tmp_path / "severity.csv").write_text(text)

    policy = load("severity.csv")

    assert severities(policy) == {"Cancer": 10, "Flu, mild": 2, "": 4}
    assert tmp_path / "severity.csv" in policy.files


def test_a_hierarchy_may_stand_beside_it(load):
    policy = load("{Flu: 2, Cancer: 9}, hierarchy: {tree: {Bad: [Flu, Cancer]}}")

    assert severities(policy) == {"Flu": 2, "Cancer": 9}
    assert policy.columns["disease"].hierarchy is not None


@pytest.mark.parametrize("role", ["quasi", "identifier", "keep", "drop"])
def test_only_sensitive_columns_have_it(load, role):
    policy = POLICY.replace("role: sensitive", f"role: {role}")

    with pytest.raises(
        PolicyError, match=f"line 3.*severity: a column with the role {role} has no"
    ):
        load("{Flu: 1}", policy)


@pytest.mark.parametrize("wrong", ["-1", "much", "nan", "inf", "", "[1]"])
def test_severities_are_numbers_from_0_up_and_errors_do_not_show_values(load, wrong):
    with pytest.raises(PolicyError, match=r"line 3, .*1 of 2 severities are not numbers") as caught:
        load(f"{{Flu: 1, Cancer: {wrong}}}")

    assert "Cancer" not in str(caught.value)


@pytest.mark.parametrize("severity", ["{}", "[1, 2]"])
def test_what_is_no_mapping_is_refused(load, severity):
    with pytest.raises(PolicyError, match="expected a number for each value"):
        load(severity)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Flu;1\nCancer\n", "line 2: expected a value and its severity"),
        ("Flu;1\nCancer;big\n", "line 2: expected a value and its severity"),
        ("Flu;1\nCancer;2;3\n", "line 2: expected a value and its severity"),
        ("Flu;1\nCancer;2\nFlu;1\n", "line 3: duplicate value"),
        ("", "empty"),
    ],
)
def test_files_that_are_wrong_are_refused_with_their_line(load, tmp_path, text, expected):
    (tmp_path / "severity.csv").write_text(text)

    with pytest.raises(PolicyError, match=expected) as caught:
        load("severity.csv")

    assert "Flu" not in str(caught.value)
    assert "Cancer" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(load):
    with pytest.raises(PolicyError, match=r"severity\.csv"):
        load("severity.csv")


def test_values_without_a_severity_are_counted_and_not_shown(load):
    with pytest.raises(NoSeverity, match=r"'disease': 2 values \(2 records\) have no") as caught:
        load("{Flu: 1}").anonymize(PEOPLE)

    assert caught.value.values == ("Cancer", "Gout")
    assert "Gout" not in str(caught.value)


def test_a_missing_value_needs_a_severity_under_the_empty_text(load):
    people = PEOPLE.with_columns(disease=pl.Series(["Flu", None, "Flu", None]))

    with pytest.raises(NoSeverity, match=r"1 value \(2 records\) has no .*empty text"):
        load("{Flu: 1}").anonymize(people)
    assert load("{Flu: 1, '': 2}").anonymize(people).verdict.holds


def test_values_that_are_left_out_need_none(load):
    policy = POLICY + "unknown: suppress\nsuppression: 0.5\n"
    rules = load("{Flu: 1, Cancer: 3}, hierarchy: {tree: [Flu, Cancer]}", policy)

    assert len(rules.anonymize(PEOPLE).frame) == 3


def test_python_gives_severities_with_or_without_a_hierarchy(tmp_path):
    (tmp_path / "severity.csv").write_text("Cancer;10\nFlu;2\nGout;3\n")
    hierarchy = shoal.flat()
    graded = {
        "plain": shoal.severity({"Cancer": 10, "Flu": 2, "Gout": 3}),
        "file": shoal.severity(tmp_path / "severity.csv", hierarchy=hierarchy),
    }

    for severity in graded.values():
        policy = shoal.Policy.of_roles(
            quasi=["age"], sensitive={"disease": severity}, privacy=[shoal.KAnonymity(2)]
        )
        assert severities(policy) == {"Cancer": 10, "Flu": 2, "Gout": 3}
        assert policy.anonymize(PEOPLE).verdict.holds
    assert policy.columns["disease"].hierarchy is hierarchy


def test_python_refuses_severities_elsewhere_and_wrong_ones():
    severity = shoal.severity({"Flu": 1})

    with pytest.raises(PolicyError, match="role quasi has no severity"):
        shoal.Policy.of_roles(quasi={"age": severity}, privacy=[shoal.KAnonymity(2)])
    with pytest.raises(PolicyError, match="1 of 1 severities"):
        shoal.severity({"Flu": True})


def test_no_severity_is_shown_when_a_policy_is_printed(load):
    assert "Cancer" not in repr(load("{Cancer: 10, Flu: 2}"))
