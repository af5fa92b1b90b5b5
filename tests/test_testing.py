"""The assertion for the tests of others."""

import polars as pl
import pytest

import shoal
from conformance.tables import patients, policy
from shoal.testing import assert_private

RULES = {
    "columns": {"age": "quasi", "ill": "sensitive"},
    "privacy": [
        {"model": "k-anonymity", "k": 2},
        {"model": "distinct-l-diversity", "column": "ill", "l": 2},
    ],
}
GOOD = {"age": ["[20, 30]"] * 3, "ill": ["flu", "gout", "flu"]}
BAD = {"age": ["[20, 30]"] * 3 + ["secretly"], "ill": ["flu", "flu", "flu", "gout"]}


def test_a_release_passes_and_the_verdict_comes_back():
    rules = policy("mondrian")

    release = rules.anonymize(patients(60))

    assert assert_private(release.frame, rules).n_records == 60
    assert assert_private(release.frame, rules, original=patients(60)).holds


def test_a_file_and_a_policy_file_may_be_given(tmp_path):
    (tmp_path / "policy.yaml").write_text(
        "columns: {age: quasi}\nprivacy: [{model: k-anonymity, k: 3}]\n"
    )
    pl.DataFrame({"age": GOOD["age"]}).write_csv(tmp_path / "release.csv")

    assert assert_private(str(tmp_path / "release.csv"), tmp_path / "policy.yaml")


def test_failures_are_listed_with_counts_and_without_values():
    with pytest.raises(AssertionError) as failure:
        assert_private(pl.DataFrame(BAD), RULES)

    message = str(failure.value)
    assert "k-anonymity (k = 2): achieved 1; 1 group with 1 record fail" in message
    assert "distinct-l-diversity of 'ill' (l = 2): achieved 1; 2 groups with 4 records" in message
    assert "leak: rare value 'age', in 1 record" in message
    assert not any(value in message for value in ("secretly", "flu", "gout", "[20"))


def test_a_wrong_policy_is_an_error_and_no_failed_assertion():
    with pytest.raises(shoal.ShoalError, match="'age'"):
        assert_private(pl.DataFrame({"ill": ["flu"]}), RULES)
