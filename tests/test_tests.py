"""Rules for the tests themselves. One test for each rule; it names every place that breaks it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def trees(folder: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(TESTS)), ast.parse(path.read_text(encoding="utf-8"))


def own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """All of a function but the functions inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTIONS):
            yield child
            yield from own_parts(child)


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and first word of everything that is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").split(".")[0]


def test_no_test_returns():
    """A test that leaves early passes without having looked: draw a case that qualifies."""
    found = [
        f"{path}:{part.lineno} {function.name}"
        for path, tree in trees(TESTS)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
        for part in own_parts(function)
        if isinstance(part, ast.Return)
    ]

    assert found == []


def test_twins_import_nothing_of_what_they_judge():
    others = {"shoal", "cases"} | {
        path.name for path in TESTS.iterdir() if path.is_dir() and path.name != "naive"
    }

    found = [
        f"{path}:{line} imports {name}"
        for path, tree in trees(TESTS / "naive")
        for line, name in imported(tree)
        if name in others
    ]

    assert found == []


def calls_with(keyword: str) -> list[str]:
    return [
        f"{path}:{node.lineno}"
        for path, tree in trees(TESTS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and any(given.arg == keyword for given in node.keywords)
    ]


def test_only_the_tiers_know_how_many_examples_are_tried():
    assert {place.split(":")[0] for place in calls_with("max_examples")} == {"tiers.py"}


def test_no_test_fails_for_being_slow():
    """On a busy machine it would; one that hangs says where, and is ended by whoever started it."""
    assert calls_with("timeout") == []
