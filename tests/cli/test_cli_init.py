"""`shoal init`: what it writes runs unchanged, and it overwrites nothing unasked."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def table(folder) -> Path:
    lines = ["name;age;zip;disease"]
    lines += [f"Person {i};{20 + i * 7 % 50};{2100 + i % 40:05};d{i % 4}" for i in range(200)]
    path = Path("people.csv")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_proposed_policy_runs_unchanged(table, run):
    assert run("init", table, "-o", "proposal.yaml").code == 0

    result = run("anonymize", table, "-p", "proposal.yaml", "-o", "release.csv", "--json")

    assert result.code == 0
    assert run("check", "release.csv", "-p", "proposal.yaml", "--json").code == 0


def test_an_existing_policy_is_replaced_with_force_only(table, run):
    before = Path("policy.yaml").read_text()

    assert run("init", table).code == 2
    assert Path("policy.yaml").read_text() == before
    assert run("init", table, "--force").code == 0
    assert Path("policy.yaml").read_text() != before


@pytest.mark.parametrize(
    ("name", "message"),
    [("nobody.csv", "no such file"), ("nowhere/people.csv", "no such file"), (".", "directory")],
)
def test_a_table_that_cannot_be_read_gets_no_policy(table, run, name, message):
    result = run("init", name, "-o", "proposal.yaml")

    assert result.code == 2
    assert message in result.stderr
    assert not Path("proposal.yaml").exists()


def test_a_policy_that_cannot_be_written_is_refused(table, run):
    result = run("init", table, "-o", "nowhere/proposal.yaml")

    assert result.code == 2
    assert "does not exist" in result.stderr


def test_the_data_is_never_overwritten_by_its_policy(table, run):
    before = table.read_bytes()

    result = run("init", table, "-o", table, "--force")

    assert result.code == 2
    assert table.read_bytes() == before


def test_names_of_columns_are_no_commands_to_the_terminal(table, run):
    Path("odd.csv").write_text("\x1b[2Jage,\x1b]0;title\x07\n31,1\n38,2\n")

    result = run("init", "odd.csv", "-o", "odd.yaml")

    assert result.code == 0
    assert "?[2Jage" in result.stdout
    assert all(letter.isprintable() or letter == "\n" for letter in result.stdout)


def test_errors_are_no_commands_to_the_terminal_either(table, run):
    Path("odd.csv").write_text("age\n31\n38\n")
    Path("odd.yaml").write_text('columns: {"\\e[2Jage": {role: wrong}}\nprivacy: []\n')

    result = run("anonymize", "odd.csv", "-p", "odd.yaml", "-o", "release.csv", "--quiet")

    assert result.code == 2
    assert "columns.?[2Jage" in result.stderr
    assert "\x1b" not in result.stderr
