"""The policy file that is written: readable, loadable, and without a cell's value."""

from __future__ import annotations

import re

import pytest

from shoal.policy.context import context_of
from shoal.policy.file import parse_policy
from shoal.policy.policy import Policy
from shoal.proposals.policy_text import policy_text

AWKWARD = [
    'quote"d', "it's", "a: b", "#hash", "ünïcode", "日本", "😀", "two\nlines", " leading",
    "trailing ", "yes", "No", "null", "~", "1", "1.50", "true", "2021-03-05", "- dash", "? mark",
    "{a}", "[b]", "a, b", "&anchor", "*alias", "!tag", "%percent", "@at", "`tick", "\ttab",
    "back\\slash", "<<", "=", "|", ">", "a\x85b", "a\u2028b", "\ufeffmark", "del\x7f", "x" * 2_000,
    "columns", "",
]  # fmt: skip


def test_awkward_names_come_back_as_they_were(propose_for, tmp_path):
    proposal = propose_for({name: ["p", "q"] for name in AWKWARD})
    path = tmp_path / "policy.yaml"

    path.write_text(policy_text(proposal, data_name="odd\nname.csv"), encoding="utf-8")

    policy = Policy.load(path)
    assert list(policy.columns) == AWKWARD
    assert all(spec.role == "quasi" for spec in policy.columns.values())


@pytest.mark.parametrize("name", ['salary: "net"', "income\nbefore tax", "# wages", "Löhne/salary"])
def test_an_awkward_sensitive_name_is_the_same_in_its_model(name, propose_for, tmp_path):
    proposal = propose_for({"sex": ["f", "m"], name: ["p", "q"]})
    path = tmp_path / "policy.yaml"

    path.write_text(policy_text(proposal, data_name="pay.csv"), encoding="utf-8")

    assert Policy.load(path).privacy[1].column == name


def test_no_value_of_a_cell_is_in_the_text_except_tokens_for_missing(hospital, propose_for):
    text = policy_text(propose_for(hospital), data_name="patients.csv")

    secret = [name for name in hospital if name != "visits"]  # whose values are plain digits
    words = {word for name in secret for value in hospital[name] for word in value.split()}
    assert not {word for word in words if len(word) > 3 and word in text}
    assert '["", "?"]' in text


def test_columns_are_aligned_and_carry_their_reasons(hospital, propose_for):
    proposal = propose_for(hospital)

    lines = policy_text(proposal, data_name="patients.csv").splitlines()

    assert lines[0] == ("# Proposed by shoal init. Check every role: you know your data best.")
    assert lines[1] == "# Data: patients.csv, 400 records, 8 columns."
    start = lines.index("columns:") + 1
    entries = lines[start : start + len(hospital)]
    assert len({entry.index(" reason: ") for entry in entries}) == 1
    columns = parse_policy("\n".join(lines)).content["columns"]
    for suggestion, entry in zip(proposal.suggestions, entries, strict=True):
        assert entry.startswith(f"  {suggestion.name}:")
        assert columns[suggestion.name]["reason"] == suggestion.reason


def test_the_context_is_proposed_as_a_form_to_fill_in(hospital, propose_for):
    text = policy_text(propose_for(hospital), data_name="patients.csv")

    form = text[text.index("# context:") :].replace("#   ", "  ").replace("# context", "context")
    filled = parse_policy(form.replace("purpose:", "purpose: research")).content["context"]

    assert context_of(filled, ("context",)).purpose == "research"


def test_every_section_is_explained_in_the_line_above_it(hospital, propose_for):
    lines = policy_text(propose_for(hospital), data_name="patients.csv").splitlines()

    sections = [i for i, line in enumerate(lines) if re.match(r"[a-z_]+:", line)]
    assert [lines[i].split(":")[0] for i in sections] == [
        "person", "columns", "privacy", "algorithm", "suppression", "missing", "missing_values",
    ]  # fmt: skip
    assert all(lines[i - 1].startswith("# ") for i in sections)
