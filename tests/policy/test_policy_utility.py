"""Minimums of use in a policy: read, refused, written back."""

from __future__ import annotations

import jsonschema
import pytest

import shoal
from shoal.errors import PolicyError
from shoal.policy.json_schema import policy_schema

RULES = {
    "columns": {"age": "quasi", "job": "quasi", "ill": "sensitive"},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
GOOD = [
    {"measure": "loss", "at-most": 0.5},
    {"measure": "query-error", "columns": ["age"], "queries": 50, "at_most": 2},
    {"measure": "c-l", "figure": "l", "at-least": 1.5},
    {"measure": "marginals"},
    "correlation",
]


def policy(utility):
    return shoal.Policy.of_mapping(RULES | {"utility": utility})


def test_a_policy_with_minimums_is_written_as_it_was_read(tmp_path):
    (tmp_path / "queries.csv").write_text("age\n20\n")
    rules = shoal.Policy.of_mapping(
        RULES | {"utility": [*GOOD, {"measure": "query-error", "workload": "queries.csv"}]},
        folder=tmp_path,
    )

    rules.write(tmp_path / "policy.yaml")
    again = shoal.Policy.load(tmp_path / "policy.yaml")

    assert "workload: queries.csv" in (tmp_path / "policy.yaml").read_text()
    assert again.utility == rules.utility
    assert again.keys(tmp_path) == rules.keys(tmp_path)
    assert tmp_path / "queries.csv" in again.files


@pytest.mark.parametrize(
    ("utility", "path", "message"),
    [
        ([{"measure": "los"}], ("utility", 0, "measure"), "did you mean 'loss'"),
        ([{"at-most": 1}], ("utility", 0), "'measure' is needed"),
        ([3], ("utility", 0), "must be keys with values"),
        ([{"measure": "loss", "at-least": 1}], ("utility", 0, "at-least"), "limit is at-most"),
        ([{"measure": "fitness", "at-least": 1}], ("utility", 0, "measure"), "needs severities"),
        ([{"measure": "entropy"}], ("utility", 0, "measure"), "about levels"),
        ([{"measure": "loss", "k": 3}], ("utility", 0, "k"), "unknown here"),
        ([{"measure": "c-l", "column": "il"}], ("utility", 0, "measure"), "did you mean 'ill'"),
        ([{"measure": "loss", "at-most": "low"}], ("utility", 0, "at-most"), "must be a number"),
    ],
)
def test_a_minimum_that_makes_no_sense_is_refused_with_its_key(utility, path, message):
    with pytest.raises(PolicyError, match=message) as caught:
        policy(utility)

    assert caught.value.path == path


def test_minimums_of_several_tables_are_refused():
    with pytest.raises(PolicyError, match="measured of one table"):
        shoal.TablesPolicy.of_mapping(
            {
                "tables": {"people": {"columns": {"who": "identifier", "age": "quasi"}}},
                "person": "who",
                "privacy": [{"model": "k-anonymity", "k": 2}],
                "utility": ["loss"],
            }
        )


@pytest.mark.parametrize("utility", [GOOD, "loss", {"measure": "dm", "at-most": 9}, None])
def test_the_schema_takes_what_the_reader_takes(utility):
    policy(utility)

    jsonschema.validate(RULES | {"utility": utility}, policy_schema())


@pytest.mark.parametrize(
    "wrong", [[{"measure": "los"}], [{"at-most": 1}], [{"measure": "dm", "k": 1}]]
)
def test_the_schema_refuses_what_the_reader_refuses(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(RULES | {"utility": [wrong]}, policy_schema())
