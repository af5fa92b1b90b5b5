"""What reports say of cells that tell more than what they cover."""

from __future__ import annotations

from io import StringIO

import polars as pl
import pytest
from rich.console import Console

import shoal
from shoal.report.attack import attack_facts, print_attacks
from shoal.report.dossier.facts import dossier_facts
from shoal.report.html import render
from shoal.report.text import print_summary, print_verdict

TABLE = pl.DataFrame(
    {"age": [20, 20, 30, 30, 30, 30], "job": list("xxyyyy"), "ill": list("hhabcd")}
)


def made(age="quasi", **settings):
    policy = shoal.Policy.of_mapping(
        {
            "columns": {"age": age, "job": "quasi", "ill": "sensitive"},
            "privacy": [{"model": "distinct-l-diversity", "column": "ill", "l": 2}],
            **settings,
        }
    )
    return policy, policy.anonymize(TABLE)


def printed(show, what):
    console = Console(file=StringIO(), width=200)
    show(what, console)
    return " ".join(console.file.getvalue().split())


def test_the_summary_and_a_check_say_what_cells_tell_in_one_line():
    policy, release = made()

    assert "Cells tell 2 range ends and 2 listed values that somebody has" in printed(
        print_summary, release
    )
    assert "Cells tell 2 range ends" in printed(print_verdict, policy.check(release.frame))


def test_nothing_is_said_where_cells_tell_nothing_besides():
    policy, release = made(algorithm="flash")

    assert "Cells tell" not in printed(print_summary, release)
    assert "Cells tell" not in printed(print_verdict, policy.check(release.frame))
    assert "What cells tell besides" not in render(dossier_facts(release))


def test_the_page_has_a_table_of_what_each_column_tells():
    page = render(dossier_facts(made()[1]))

    assert "What cells tell besides" in page
    section = page.partition('<section aria-labelledby="told">')[2].partition("</section>")[0]
    assert "age" in section
    assert "bounds: grid" in section


@pytest.mark.parametrize(
    ("age", "words"),
    [
        ({"role": "quasi", "bounds": "grid"}, "range, which ends on a grid"),
        ({"role": "quasi", "publish": "mean"}, "mean of the group, rounded"),
    ],
)
def test_the_page_says_how_ranges_end_and_that_means_are_rounded(age, words):
    assert words in render(dossier_facts(made(age)[1]))


def test_attacks_on_cells_are_told_in_sentences_and_figures():
    policy, release = made()
    found = shoal.attack(release.frame, original=TABLE, policy=policy)

    facts, text = attack_facts(found), printed(print_attacks, found)

    assert facts["downcoding"][0]["says"] in text
    assert facts["minimality"][0]["says"] in text
    assert "for 2 the value is certain" in facts["minimality"][0]["says"]
    assert "100% of the generalised cells tell a value" in facts["downcoding"][0]["says"]
    assert "6 of 6 records" in text
