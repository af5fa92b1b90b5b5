"""What a policy says about why and to whom a table is released."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import shoal
from shoal.errors import PolicyError
from shoal.policy.context import context_keys
from shoal.policy.file import parse_policy
from shoal.types.context import Acknowledged, Context

RULES = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 5}]}


def context_of(given) -> Context:
    return shoal.Policy.of_mapping({**RULES, "context": given}).context


def test_a_policy_without_a_context_says_nothing():
    assert shoal.Policy.of_mapping(RULES).context == Context() == context_of(None)


def test_keys_without_a_text_are_not_said():
    assert context_of({"purpose": None, "recipient": "a university"}) == Context(
        recipient="a university"
    )


def test_one_control_needs_no_list():
    assert context_of({"controls": "a contract"}).controls == ("a contract",)


def test_who_read_a_warning_is_kept():
    given = [{"note": "Rows, not people", "by": "Ann", "date": "2026-03-01"}]

    assert context_of({"acknowledged": given}).acknowledged == (
        Acknowledged("Rows, not people", "Ann", "2026-03-01"),
    )


def test_python_may_give_a_context_itself():
    context = Context(purpose="research")

    assert (
        shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(5)], context=context).context
        is context
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"purpos": "x"}, "did you mean 'purpose'"),
        ({"threshold": "2"}, "context.threshold: threshold must be a risk above 0"),
        ({"threshold": 0}, "at most 1, such as 0.09"),
        ({"threshold": "high"}, "context.threshold: must be a number"),
        ({"purpose": ["a", "b"]}, "context.purpose: expected text here, got a list"),
        ({"acknowledged": [{"note": "x"}]}, "'by' is needed here"),
        ({"acknowledged": "read"}, "expected keys with values here"),
        ("research", "this must be keys with values, not text"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(given, said):
    with pytest.raises(PolicyError, match=said.replace("(", r"\(")):
        context_of(given)


def test_an_error_has_the_line_of_its_key(tmp_path):
    path = tmp_path / "policy.yaml"
    path.write_text(
        "columns: {age: quasi}\nprivacy: [{model: k-anonymity, k: 5}]\n"
        "context:\n  purpose: research\n  recipiant: x\n"
    )

    with pytest.raises(PolicyError, match="did you mean 'recipient'") as error:
        shoal.Policy.load(path)

    assert error.value.line == 5


def test_a_reason_must_be_text():
    columns = {"age": {"role": "quasi", "reason": ["a", "b"]}}

    with pytest.raises(PolicyError, match=r"columns\.age\.reason: expected text"):
        shoal.Policy.of_mapping({**RULES, "columns": columns})


def test_the_page_on_the_dossier_shows_every_key():
    page = (Path(__file__).parents[2] / "docs" / "dossier.md").read_text(encoding="utf-8")
    example = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert example is not None

    policy = shoal.Policy.of_mapping({**RULES, **parse_policy(example[1]).content})

    assert context_keys(policy.context).keys() == {field.name for field in fields(Context)}
    assert policy.columns["age"].reason == "in every register"
