"""`--neighbours`: one level up or down from those that a full-domain algorithm chose."""

from __future__ import annotations

import json
from pathlib import Path

ANONYMIZE = ("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--quiet")


def test_every_step_from_the_chosen_levels_is_listed(folder, run):
    result = run(*ANONYMIZE, "--algorithm", "flash", "--neighbours", "--json")

    summary = json.loads(result.stdout)
    heights = {"age": 3, "zip": 5, "work": 2}
    steps = {(entry["column"], entry["level"]) for entry in summary["neighbours"]}
    assert steps == {
        (column, level + step)
        for column, level in summary["levels"].items()
        for step in (-1, 1)
        if 0 <= level + step <= heights[column]
    }


def test_of_a_proven_optimum_no_neighbour_that_holds_costs_less(folder, run):
    result = run(*ANONYMIZE, "--algorithm", "flash", "--neighbours", "--json")

    summary = json.loads(result.stdout)
    assert summary["optimal"]
    for entry in summary["neighbours"]:
        assert not entry["holds"] or entry["cost"] >= summary["cost"]
        assert entry["holds"] or entry["failing"][0]["model"] == "k-anonymity"


def test_terminal_and_page_say_what_fails(folder, run):
    result = run(*ANONYMIZE, "--algorithm", "samarati", "--neighbours", "--report", "report.html")

    assert "One level up or down per column (suppression limit: no record;" in result.stdout
    assert "k-anonymity" in result.stdout.partition("One level up or down")[2]
    page = Path("report.html").read_text()
    assert "One level up or down per column" in page
    assert "suppression limit: no record" in page


def test_nobody_asked_nothing_is_said(folder, run):
    result = run(*ANONYMIZE, "--algorithm", "flash", "--report", "report.html")

    assert "One level up or down" not in result.stdout
    assert "beside the chosen levels" not in Path("report.html").read_text()


def test_an_algorithm_without_levels_is_refused_before_any_work(folder, run):
    result = run(*ANONYMIZE, "--algorithm", "mondrian", "--neighbours")

    assert result.code == 2
    assert "mondrian does not choose one level" in result.stderr
    assert not Path("release.csv").exists()
