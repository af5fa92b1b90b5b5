"""What users read is plain English, and has the words of the field."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "shoal"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "benchmarks" / "README.md"]

# "there is no", "is no longer" and "is no better" are plain; "is no leaf" is not.
HARD_WORDS = re.compile(
    r"(?<!\bthere )\b(?:is|are) no\b(?! (?:longer|more|less|\w+er)\b)"
    r"|\bwhom\b|\bbeside\b|\bnobody\b|\bmend(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
FIELD_WORDS = (
    "equivalence class",
    "lower bound",
    "branch and bound",
    "lowest common ancestor",
    "warm-up",
    "kd-tree",
    "union-find",
    "priority queue",
    "memois",
    "LRU cache",
)
SAID_BY_DOCSTRING = ("group/", "privacy/", "metrics/")  # `shoal models` and others print them
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef


def hard_words(text: str) -> list[str]:
    return [match.group() for match in HARD_WORDS.finditer(" ".join(text.split()))]


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of a file that a user may read: all but docstrings, unless a command prints them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    place = path.relative_to(SOURCE).as_posix()
    docstrings = {}
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            docstrings[id(node.body[0].value)] = is_printed(node, place)
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and docstrings.get(id(node), True):
            yield node.lineno, node.value


def is_printed(node: DOCUMENTED, place: str) -> bool:
    if place.startswith("cli/"):
        return isinstance(node, ast.FunctionDef) and bool(node.decorator_list)
    return not isinstance(node, ast.Module) and place.startswith(SAID_BY_DOCSTRING)


def user_strings() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        for line, text in strings(path):
            yield f"{place}:{line}", text
    for path in sorted(SOURCE.rglob("*.html")):
        yield path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")


def paragraphs() -> Iterator[tuple[str, str]]:
    for path in PAGES:
        line = 1
        for text in path.read_text(encoding="utf-8").split("\n\n"):
            yield f"{path.relative_to(ROOT)}:{line}", text
            line += text.count("\n") + 2


@pytest.mark.parametrize("texts", [user_strings, paragraphs])
def test_what_users_read_has_no_word_that_costs_them_time(texts):
    found = list(texts())
    places = {place: words for place, text in found if (words := hard_words(text))}

    assert len(found) > 500
    assert places == {}


@pytest.mark.parametrize(
    "text", ["2 values are no leaves", "It is no tree.", "Mend the line", "Nobody", "is\nno tree"]
)
def test_a_hard_word_is_found(text):
    assert hard_words(text)


@pytest.mark.parametrize(
    "text", ["There is no such file.", "is no longer", "are no better", "amend", "besides"]
)
def test_plain_english_is_not_refused(text):
    assert not hard_words(text)


@pytest.mark.parametrize("folder", ["pages", "code"])
def test_an_engineer_who_searches_for_a_technique_finds_it(folder):
    paths = PAGES if folder == "pages" else sorted(SOURCE.rglob("*.py"))
    texts = [" ".join(path.read_text(encoding="utf-8").casefold().split()) for path in paths]

    missing = [word for word in FIELD_WORDS if not any(word.casefold() in t for t in texts)]

    assert missing == []
