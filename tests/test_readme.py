"""What the README shows is what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
from click.testing import CliRunner

import shoal
from shoal.cli import cli

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def block(after: str, language: str = "") -> str:
    """The first fenced block behind some words."""
    found = re.search(rf"```{language}\n(.*?)```", README[README.index(after) :], re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_demo_prints_what_the_readme_shows(tmp_path):
    shown = block("then prints").partition("  Time ")[0].split()

    printed = CliRunner().invoke(cli, ["demo", "--quiet", "-o", str(tmp_path)]).stdout

    assert printed.partition("  Time ")[0].split() == shown


def test_the_policy_and_the_code_of_the_readme_do_the_same(tmp_path):
    (tmp_path / "work.csv").write_text("cook;kitchen;*\nnurse;care;*\ndoctor;care;*\n")
    (tmp_path / "policy.yaml").write_text(block("you know your data", "yaml"))
    n = 300
    patients = pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": [i * 7 % 90 for i in range(n)],
            "zip": [f"130{i % 60:02}" for i in range(n)],
            "work": [("cook", "nurse", "doctor")[i % 3] for i in range(n)],
            "disease": [("flu", "gout", "cold", "none")[i % 4] for i in range(n)],
            "visits": [i % 5 for i in range(n)],
        }
    )

    by_file = shoal.Policy.load(tmp_path / "policy.yaml").anonymize(patients)
    names: dict[str, object] = {"shoal": shoal, "patients": patients}
    exec(block("In Python", "python"), names)

    assert by_file.verdict.holds
    assert names["release"].verdict.holds
    assert names["release"].frame.columns == by_file.frame.columns
