"""The changes that `make mutants` makes, and the list of those that no test can notice."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"


@pytest.fixture(scope="module")
def mutants():
    spec = importlib.util.spec_from_file_location("mutants", TOOLS / "mutants.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["mutants"]


SMALL = """
def holds(sizes: list[int], k: int = 2) -> bool:
    if not sizes:
        raise ValueError("3 < 4")
    return min(sizes) >= k and len(sizes) + 1 < 9
"""


def test_every_expression_is_changed_one_at_a_time(mutants, monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "SOURCE", tmp_path)
    path = tmp_path / "small.py"
    path.write_text(SMALL, encoding="utf-8")

    made = list(mutants.mutants_of(path))

    assert {mutant.change for mutant in made} == {
        "2  ->  3",
        "not sizes  ->  not not sizes",
        "min(sizes) >= k and len(sizes) + 1 < 9  ->  min(sizes) >= k or len(sizes) + 1 < 9",
        "min(sizes) >= k  ->  min(sizes) > k",
        "min(sizes)  ->  max(sizes)",
        "len(sizes) + 1 < 9  ->  len(sizes) + 1 <= 9",
        "len(sizes) + 1  ->  len(sizes) - 1",
        "1  ->  2",
        "9  ->  10",
    }
    assert all(mutant.source != SMALL for mutant in made)
    assert {mutant.function for mutant in made} == {"holds"}


def test_equal_changes_of_a_function_have_names_of_their_own(mutants, monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "SOURCE", tmp_path)
    path = tmp_path / "small.py"
    path.write_text("pair = (1, 1)", encoding="utf-8")

    names = [mutant.name for mutant in mutants.mutants_of(path)]

    assert names == ["small.py module:  1  ->  2", "small.py module:  1  ->  2  (number 2)"]


def test_every_listed_survivor_is_a_mutant_and_has_a_reason(mutants):
    known = mutants.listed()
    files = {name.split()[0] for name in known}

    names = {m.name for file in files for m in mutants.mutants_of(mutants.SOURCE / file)}

    assert set(known) <= names
    assert all(known.values())
