"""The distance to the optimum in the summary, the terminal and the dossier."""

import json
from io import StringIO

import polars as pl
import pytest
from rich.console import Console

import shoal
from cases.bounded import bounded
from shoal.report.text import print_summary

AGES = [20, 21, 22, 50, 51, 52, 53]


def rules(*models, **settings):
    return shoal.Policy.of_roles(
        quasi=["age"], sensitive=["ill"], privacy=list(models), algorithm="mondrian", **settings
    )


def frame():
    return pl.DataFrame({"age": AGES, "ill": ["a", "b", "a", "b", "a", "b", "a"]})


def printed(release):
    out = StringIO()
    print_summary(release, Console(file=out, width=200))
    return " ".join(out.getvalue().split())  # lines are broken at 80 characters


def test_the_summary_has_the_bound_and_the_gap():
    release = bounded(rules(shoal.KAnonymity(3))).anonymize(frame())

    run = release.summary()
    assert run["bound"] == release.bound.value
    assert run["gap"] == pytest.approx(release.measures["loss"] / run["bound"])
    assert run["gap"] >= 1
    assert run["bound_holds_for"] == "policy"
    assert "bound" in run["seconds"]


def test_an_algorithm_says_how_much_work_the_bound_may_take():
    rules_of = rules(shoal.KAnonymity(3))

    found = [bounded(rules_of, work).anonymize(frame()).bound.value for work in (100, 10**8, None)]

    assert found[0] == 0 < found[1] == found[2]


def test_an_algorithm_that_does_not_ask_for_it_has_none():
    release = rules(shoal.KAnonymity(3)).anonymize(frame())

    assert not {"bound", "gap", "bound_holds_for"} & set(release.summary())
    assert "bound" not in release.summary()["seconds"]
    assert "Optimum" not in printed(release)


def test_the_terminal_says_how_far_the_optimum_is_at_most():
    text = printed(bounded(rules(shoal.KAnonymity(3))).anonymize(frame()))

    assert "above the least possible, a loss of" in text


def test_the_terminal_says_that_the_bound_is_about_sizes_if_it_is():
    models = shoal.KAnonymity(3), shoal.DistinctLDiversity("ill", 2)
    release = bounded(rules(*models)).anonymize(frame())

    assert release.summary()["bound_holds_for"] == "group sizes"
    assert "for the size of groups alone" in printed(release)


def test_why_there_is_no_bound_is_said():
    release = bounded(rules(shoal.TCloseness("ill", 0.5))).anonymize(frame())

    run = release.summary()
    assert (run["bound"], run["gap"], run["bound_holds_for"]) == (None, None, None)
    assert "not known. No model of the policy says how large a group must be." in printed(release)


def test_the_dossier_has_it_and_the_external_one_does_not(tmp_path):
    release = bounded(rules(shoal.KAnonymity(3))).anonymize(frame())
    for name, external in (("inside", False), ("outside", True)):
        for ending in ("html", "json"):
            release.report(tmp_path / f"{name}.{ending}", external=external)

    inside, outside = ((tmp_path / f"{name}.html").read_text() for name in ("inside", "outside"))
    facts = json.loads((tmp_path / "inside.json").read_text())["bound"]
    assert f"Distance to the optimum: {facts['says']}." in inside
    assert facts["gap"] == pytest.approx(release.summary()["gap"])
    assert "Distance to the optimum" not in outside
    assert json.loads((tmp_path / "outside.json").read_text())["bound"] is None
