"""Cells that a spreadsheet would run: counted by column, never shown."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.read.formulas import warn_of_formulas

FORMULAS = ["=1+2", "+cmd|x", "-2+3", "@SUM(1)", "- none"]
HARMLESS = ["-5", "+3.25", "-1,5", "-1e3", "-", "--", "=", "a=1", "", "[-5, 3]", ">", "9"]


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_cell_that_begins_like_a_formula_is_counted(cell):
    (note,) = warn_of_formulas(pl.DataFrame({"age": [31, -4], "note": ["fine", cell]}))

    assert note.startswith("1 cell of column 'note' begins with =, +, - or @")
    assert cell not in note.replace("=, +, - or @", "")


@pytest.mark.parametrize("cell", HARMLESS)
def test_numbers_and_dashes_are_not_formulas(cell):
    assert warn_of_formulas(pl.DataFrame({"note": ["fine", cell, None]})) == ()


def test_every_column_is_counted():
    frame = pl.DataFrame({"a": FORMULAS, "b": ["fine"] * 5, "c": ["=A1", "=A2", *HARMLESS[:3]]})

    (note,) = warn_of_formulas(frame)

    assert note.startswith("5 cells of column 'a' and 2 cells of column 'c' begin with")


def test_a_table_without_text_has_no_formulas():
    assert warn_of_formulas(pl.DataFrame({"age": [-31]})) == ()


def test_a_release_and_a_check_have_the_note():
    patients = pl.DataFrame({"age": [31, 31], "note": ["=1+2", "x"]})
    rules = {"quasi": ["age"], "keep": ["note"], "privacy": [shoal.KAnonymity(2)]}

    release = shoal.anonymize(patients, **rules)

    assert any("1 cell of column 'note' begins with" in note for note in release.notes)
    assert release.frame["note"].to_list() == ["=1+2", "x"]
    checked = release.policy.check(release.frame)
    assert any("1 cell of column 'note' begins with" in note for note in checked.notes)


@pytest.mark.parametrize("name", ["^a.*$", "*"])
def test_a_name_that_looks_like_a_pattern_is_a_name(name):
    (note,) = warn_of_formulas(pl.DataFrame({name: ["=A1"], "ab": ["fine"]}))

    assert note.startswith(f"1 cell of column {name!r} begins")
