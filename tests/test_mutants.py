"""The changes that `make mutants` makes, and the list of those that no test can notice."""

from __future__ import annotations

import importlib.util
import sys
from types import SimpleNamespace

import pytest

import mutant_tests
import mutants

SMALL = """
def holds(sizes: list[int], k: int = 2) -> bool:
    if not sizes:
        raise ValueError("3 < 4")
    return min(sizes) >= k and len(sizes) + 1 < 9
"""


def test_every_expression_is_changed_one_at_a_time(monkeypatch, tmp_path):
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


def test_equal_changes_of_a_function_have_names_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "SOURCE", tmp_path)
    path = tmp_path / "small.py"
    path.write_text("pair = (1, 1)", encoding="utf-8")

    names = [mutant.name for mutant in mutants.mutants_of(path)]

    assert names == ["small.py module:  1  ->  2", "small.py module:  1  ->  2  (number 2)"]


def test_every_listed_survivor_is_a_mutant_and_has_a_reason():
    known = mutants.listed()
    files = {name.split()[0] for name in known}

    names = {m.name for file in files for m in mutants.mutants_of(mutants.SOURCE / file)}

    assert set(known) <= names
    assert all(known.values())


BEFORE = """
from dataclasses import dataclass
from functools import cache, cached_property

LIMIT = 5

def plain(x, by=1): return x + by

@cache
def kept(): return 1

def outer():
    def inner(): return 1
    return inner()

@dataclass
class Model:
    size: int = 1
    flag = True
    def method(self): return 1
    @property
    def shown(self): return 1
    @cached_property
    def once(self): return 1
    @classmethod
    def made(cls): return 1
    @staticmethod
    def static(): return 1
"""
SEEN = {
    "LIMIT = 5": lambda m: m.LIMIT,
    "by=1": lambda m: m.plain(0),
    "x + by": lambda m: m.plain(0),
    "def kept(): return 1": lambda m: m.kept(),
    "def inner(): return 1": lambda m: m.outer(),
    "size: int = 1": lambda m: m.Model().size,
    "flag = True": lambda m: m.Model().flag,
    "def method(self): return 1": lambda m: m.Model().method(),
    "def shown(self): return 1": lambda m: m.Model().shown,
    "def once(self): return 1": lambda m: m.Model().once,
    "def made(cls): return 1": lambda m: m.Model.made(),
    "def static(): return 1": lambda m: m.Model.static(),
}


@pytest.mark.parametrize("place", SEEN)
def test_a_mutant_takes_the_place_of_what_was_imported_before(monkeypatch, tmp_path, place):
    path = tmp_path / "small.py"
    path.write_text(BEFORE, encoding="utf-8")
    monkeypatch.setattr(mutant_tests, "SOURCE", tmp_path)
    spec = importlib.util.spec_from_file_location("shoal.small", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "shoal.small", module)
    spec.loader.exec_module(module)
    before = SEEN[place](module)
    changed = place.replace("1", "7").replace("5", "7").replace("True", "False").replace("+", "-")

    mutant_tests.put_in(SimpleNamespace(file="small.py", source=BEFORE.replace(place, changed)))

    module.kept.cache_clear()
    assert SEEN[place](module) != before


def test_a_mutant_meets_the_tests_that_run_its_lines_quickest_first(monkeypatch, tmp_path):
    monkeypatch.setattr(mutant_tests, "SOURCE", tmp_path)
    file = str(tmp_path / "small.py")
    seen = [(3.0, {file: [1, 8]}), (2.0, {file: [9]}), (1.0, {file: [8]}), (0.5, {})]

    assert mutant_tests.noticing(SimpleNamespace(file="small.py", lines=(7, 8)), seen) == [2, 0]
    assert mutant_tests.noticing(SimpleNamespace(file="small.py", lines=None), seen) == [2, 1, 0, 3]


def test_a_mutant_that_no_test_runs_meets_none():
    assert list(mutant_tests.with_next([])) == []
    assert list(mutant_tests.with_next(["a", "b"])) == [("a", "b"), ("b", None)]


def test_the_lines_of_a_mutant_are_those_of_its_statement_or_of_the_head_of_a_block(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(mutants, "SOURCE", tmp_path)
    path = tmp_path / "small.py"
    path.write_text("A = 1\ndef f(x, y=2):\n    if x == 3:\n        return [\n            4]\n")

    lines = {mutant.change: mutant.lines for mutant in mutants.mutants_of(path)}

    assert lines == {
        "1  ->  2": None,
        "2  ->  3": (2, 5),
        "x == 3  ->  x != 3": (3, 3),
        "3  ->  4": (3, 3),
        "4  ->  5": (4, 5),
    }
