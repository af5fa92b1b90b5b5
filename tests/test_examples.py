"""Whatever users call by its name shows in its docstring how; pytest runs these examples."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import shoal
from shoal import catalog, datasets, testing


def public_names() -> Iterator[tuple[str, Any]]:
    for name in shoal.__all__:
        found = getattr(shoal, name)
        if not inspect.ismodule(found):
            yield f"shoal.{name}", found


def entries(part: catalog.Part) -> Iterator[tuple[str, Any]]:
    """Those of Shoal; packages that add others have tests of their own."""
    for name in catalog.names(part):
        found = catalog.load(part, name)
        if found.__module__.startswith("shoal."):
            yield f"{part} {name}", found


def public_functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, found in inspect.getmembers(module, inspect.isfunction):
        if found.__module__ == module.__name__ and not name.startswith("_"):
            yield f"{module.__name__}.{name}", found


def without_example(named: Iterator[tuple[str, Any]]) -> list[str]:
    """The docstring itself counts, not one that a class inherits."""
    given = list(named)
    assert given
    return [name for name, found in given if ">>> " not in (found.__doc__ or "")]


def test_every_public_name_has_an_example():
    assert without_example(public_names()) == []


@pytest.mark.parametrize("part", catalog.PARTS)
def test_every_entry_of_the_catalog_has_an_example(part):
    assert without_example(entries(part)) == []


@pytest.mark.parametrize("module", [catalog, datasets, testing], ids=lambda m: m.__name__)
def test_every_public_function_has_an_example(module):
    assert without_example(public_functions(module)) == []


def test_a_docstring_without_an_example_is_listed():
    def bare() -> None:
        """Says what it does."""

    assert without_example(iter([("bare", bare)])) == ["bare"]
