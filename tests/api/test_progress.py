"""A line for people who wait, and none for programs."""

from __future__ import annotations

import io
import sys

import polars as pl
import pytest

import shoal
from shoal.api import progress as shown
from shoal.api.progress import Line, stages_shown
from shoal.types.watch import Progress, Watch

RULES = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 2}]}


def anonymize(**given):
    return shoal.anonymize(pl.DataFrame({"age": [31, 38]}), policy=RULES, **given)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(shown, "PATIENCE", -1.0)
    monkeypatch.setattr(shown, "EVERY", -1.0)


@pytest.fixture
def prompt(monkeypatch):
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)


def test_a_program_hears_nothing(capfd, impatient, monkeypatch):
    monkeypatch.delattr(sys, "ps1", raising=False)

    anonymize()

    assert capfd.readouterr() == ("", "")


def test_at_a_prompt_a_line_says_what_is_done_and_goes_away(capfd, impatient, prompt):
    anonymize()

    out, err = capfd.readouterr()
    assert out == ""
    assert "shoal: verifying every cell" in err
    assert err.splitlines()[-1].strip() == ""  # carriage returns only: the line was cleared
    assert "\n" not in err


@pytest.mark.parametrize("given", [{"progress": False}, {"watch": Watch()}])
def test_whoever_says_no_or_watches_hears_nothing(capfd, impatient, prompt, given):
    anonymize(**given)

    assert capfd.readouterr() == ("", "")


def test_the_environment_decides_where_a_call_says_nothing(capfd, impatient, prompt, monkeypatch):
    monkeypatch.setenv("SHOAL_PROGRESS", "0")
    anonymize()
    assert capfd.readouterr().err == ""

    monkeypatch.setenv("SHOAL_PROGRESS", "1")
    monkeypatch.delattr(sys, "ps1")
    anonymize()
    assert "shoal: " in capfd.readouterr().err
    anonymize(progress=False)
    assert capfd.readouterr().err == ""


def test_a_quick_call_leaves_no_trace(capfd, prompt):
    anonymize()

    assert capfd.readouterr().err == ""


def test_compiling_is_told_while_nothing_else_is_heard(monkeypatch):
    monkeypatch.setattr(shown, "PATIENCE", 0.0)
    stream = io.StringIO()
    line = Line(stream)

    line.began("compile")
    line._compiling.join()
    assert stream.getvalue().endswith(
        "shoal: compiling the kernels (first run only, up to a minute)"
    )
    line.ended("compile", 1.0, "done")
    line.clear()
    assert stream.getvalue().endswith("\r")


def test_a_shorter_line_leaves_nothing_of_a_longer_one(impatient):
    stream = io.StringIO()
    line = Line(stream)
    line.began("group")
    line.progressed(Progress(1200, 5000, "nodes", best=0.25))
    long = stream.getvalue().rpartition("\r")[2]
    line.progressed(Progress(7, None, "rounds"))

    padded, last = stream.getvalue().split("\r")[-2:]
    assert len(padded) == len(long) > len(last)


def test_the_line_is_gone_after_an_error_too(capfd, impatient):
    with pytest.raises(RuntimeError), stages_shown(True, None) as stages, stages("group"):
        raise RuntimeError

    assert capfd.readouterr().err.splitlines()[-1].strip() == ""
