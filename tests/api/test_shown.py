"""Results show themselves as the commands do, in words and in notebooks."""

from __future__ import annotations

import html
import re

import polars as pl
import pytest
from rich.console import Console

import shoal
from shoal.report.text import print_summary

RULES = {
    "columns": {"<b>[red]age": "quasi", "illness": "sensitive"},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def people():
    return pl.DataFrame({"<b>[red]age": [31, 38, 52, 55], "illness": ["flu", "gout", "flu", "flu"]})


@pytest.fixture
def release():
    return shoal.anonymize(people(), policy=RULES)


def results(release):
    return {
        "Release": release,
        "Verdict": shoal.check(release.frame, RULES),
        "Risk": shoal.risk(people(), RULES, release=release.frame),
        "Attacks": shoal.attack(release.frame, original=people(), policy=RULES),
        "Proposal": shoal.propose(people()),
    }


def test_a_release_prints_what_the_command_prints(release, tmp_path):
    with (tmp_path / "printed.txt").open("w+", encoding="utf-8") as file:
        print_summary(release, Console(file=file, width=80, highlight=False))
        file.seek(0)
        printed = [line.rstrip() for line in file.read().strip("\n").splitlines()]

    assert str(release).splitlines() == printed
    assert str(release).startswith("Verified: every record looks like at least 1 other")


def test_every_result_has_a_readable_text_and_a_short_name(release):
    shown = results(release)

    assert "holds  k-anonymity, k = 2" in str(shown["Verdict"])
    assert "of 4 records" in str(shown["Risk"])
    assert "Prosecutor" in str(shown["Risk"])
    assert "link" in str(shown["Attacks"]).lower()
    for name, result in shown.items():
        assert repr(result).startswith(f"<{name}: ")
        assert len(repr(result)) < 100
        assert "\x1b" not in str(result)
        assert "Console" not in str(result)


def test_a_notebook_shows_the_same_words_and_takes_no_name_for_html(release):
    for result in results(release).values():
        page = result._repr_html_()
        words = html.unescape(re.sub(r"<[^>]+>", "", page))
        assert "<b>" not in page
        assert page.startswith("<pre")
        assert str(result).split() == words.split()


def test_several_tables_show_themselves_too():
    rules = {
        "tables": {
            "patients": {"columns": {"mrn": "identifier", "age": "quasi"}},
            "visits": {"key": {"mrn": "patients"}, "columns": {"mrn": "identifier", "w": "keep"}},
        },
        "person": "mrn",
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    tables = {"patients": pl.DataFrame({"mrn": [1, 2], "age": [31, 38]}),
              "visits": pl.DataFrame({"mrn": [1, 1, 2], "w": ["A", "B", "A"]})}  # fmt: skip
    release = shoal.anonymize_tables(tables, rules)

    assert "patients" in str(release)
    assert release._repr_html_().startswith("<pre")
    assert repr(release.verdict) == "<TablesVerdict: patients holds, visits holds>"
    assert "Verified" in str(release.verdict)
