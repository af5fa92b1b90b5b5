"""What type checkers and editors know of `shoal`."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from shoal import catalog
from shoal.api.anonymize import Settings
from shoal.types.run_keywords import Run

ROOT = Path(shoal.__file__).parents[2]
SNIPPET = """\
import pathlib
import polars as pl
import shoal

people = pl.DataFrame({"age": [31, 38]})
good = shoal.anonymize(people, quasi=["age"], privacy=[shoal.KAnonymity(2)])
reveal_type(good.frame)
reveal_type(shoal.anonymize(pathlib.Path("people.csv"), policy="policy.yaml").frame)
reveal_type(shoal.anonymize(people.lazy(), policy=shoal.Policy.load("policy.yaml")).frame)
reveal_type(shoal.Policy.load("policy.yaml").anonymize(people, threads=2).frame)
reveal_type(shoal.check("release.csv", "policy.yaml", original=people))
reveal_type(shoal.propose(people).policy())
shoal.anonymise(people)
shoal.anonymize(people, quasi=["age"], sensitve=["illness"])
shoal.anonymize(42, quasi=["age"])
shoal.KAnonymity("5")
shoal.Mondrian(strikt=True)
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy --strict says of each line of the snippet."""
    path = tmp_path_factory.mktemp("typed") / "snippet.py"
    path.write_text(SNIPPET, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=pyproject.toml", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split(":", 2) for line in run.stdout.splitlines() if line.count(":") > 1]
    found = {}
    for _, line, message in lines:
        found.setdefault(int(line), []).append(message)
    return found


def test_a_type_checker_knows_which_kind_of_table_comes_back(said):
    for line in (7, 8, 9, 10):
        assert ["DataFrame" in message and "polars" in message for message in said[line]] == [True]
    assert "shoal.types.verdict.Verdict" in said[11][0]
    assert "shoal.policy.policy.Policy" in said[12][0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (13, 'no attribute "anonymise"'),
        (14, 'did you mean "sensitive"'),
        (15, "No overload variant"),
        (16, 'expected "int"'),
        (17, 'did you mean "strict"'),
    ],
)
def test_a_type_checker_finds_what_is_misspelt_or_of_another_type(said, line, message):
    assert any(message in text and "error" in text for text in said[line])


def test_a_type_checker_finds_nothing_else(said):
    errors = [line for line, texts in said.items() if any("error" in text for text in texts)]

    assert errors == [13, 14, 15, 16, 17]


def test_both_lists_of_keywords_are_the_same():
    implemented = inspect.signature(shoal.anonymize).parameters
    named = {name for name, p in implemented.items() if p.kind is p.KEYWORD_ONLY}

    assert named == Settings.__annotations__.keys() | Run.__annotations__.keys()
    of_policy = set(inspect.signature(shoal.Policy.anonymize).parameters) - {"self", "frame"}
    assert of_policy == set(Run.__annotations__)


def imported_for_checkers():
    tree = ast.parse(Path(shoal.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname for node in imports for alias in node.names if alias.asname}


def test_every_public_name_is_there_for_type_checkers_too():
    assert imported_for_checkers() == set(shoal.__all__)


def test_every_class_of_the_catalog_is_a_public_name():
    built_in = {
        cls.__name__
        for part in catalog.PARTS
        for cls in catalog.loadable(part).values()
        if cls.__module__.startswith("shoal.")
    }

    assert built_in <= set(shoal.__all__)


def test_dir_lists_every_public_name_and_no_import():
    assert set(shoal.__all__) <= set(dir(shoal))
    assert {"importlib", "TYPE_CHECKING", "annotations"}.isdisjoint(dir(shoal))


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(AttributeError, match=r"'anonymise'; did you mean 'anonymize'\?"):
        _ = shoal.anonymise
