"""docs/threats.md: every statement is held by a test, and the limits that it admits are real."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import polars as pl
import pytest

import shoal

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
LINKS = re.findall(r'\]\(\.\./(tests/[^ )]+) "(\w+)"\)', PAGE)


def statements() -> list[str]:
    """The points of all lists, each with the lines that go on with it."""
    return re.findall(r"^- (.*(?:\n  .*)*)", PAGE, re.MULTILINE)


@pytest.mark.parametrize("statement", statements(), ids=lambda text: " ".join(text.split()[:6]))
def test_every_statement_links_to_a_test(statement):
    assert re.search(r'\]\(\.\./tests/[^ )]+ "test_\w+"\)', statement)


@pytest.mark.parametrize(("file", "name"), LINKS)
def test_every_linked_test_exists(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))

    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_a_check_cannot_see_that_a_cell_is_untrue():
    policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    release = policy.anonymize(pl.DataFrame({"age": [31, 38, 52, 55]})).frame

    untrue = release.with_columns(age=pl.lit("[80, 90]"))

    assert shoal.check(untrue, policy).holds


def test_a_kept_copy_of_a_quasi_identifier_undoes_its_generalisation():
    people = pl.DataFrame({"age": [31, 38, 52, 55], "twice": [62, 76, 104, 110]})
    policy = shoal.Policy.of_roles(quasi=["age"], keep=["twice"], privacy=[shoal.KAnonymity(2)])

    release = policy.anonymize(people)

    assert release.verdict.holds
    assert sorted(release.frame["twice"] / 2) == people["age"].to_list()


def test_an_error_names_the_columns_of_the_data():
    people = pl.DataFrame({"age": [31, 38], "postcode": ["a", "b"]})
    policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])

    with pytest.raises(shoal.errors.PolicyError, match="postcode"):
        policy.anonymize(people)
