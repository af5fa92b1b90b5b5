"""What is printed on a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

import shoal
from report.secret_tables import SECRET, people, release_of
from shoal.report.text import print_summary, print_verdict
from shoal.types.verdict import Finding, Leak, Verdict

LONG = "a column with a name that is much longer than any line of a terminal has place for " * 2


def printed(show, thing, width: int = 80) -> str:
    console = Console(width=width, force_terminal=False)
    with console.capture() as capture:
        show(thing, console)
    return capture.get()


def widest(text: str) -> int:
    return max(cell_len(line) for line in text.splitlines())


@pytest.mark.parametrize("name", ["complete", "shortened"])
def test_the_summary_fits_eighty_columns(name, request):
    release = request.getfixturevalue(name)

    assert widest(printed(print_summary, release)) <= 80
    assert widest(printed(print_summary, release, width=200)) <= 80
    assert widest(printed(print_summary, release, width=50)) <= 50


def test_the_summary_fits_whatever_columns_are_called():
    release = release_of(people(column=LONG), order="input")

    assert widest(printed(print_summary, release)) <= 80


def test_the_summary_has_no_cell_of_the_table(complete, shortened):
    for release in (complete, shortened):
        text = printed(print_summary, release)
        assert SECRET not in text
        assert "771" not in text


def test_column_names_are_no_markup_and_no_commands_to_the_terminal():
    text = printed(print_summary, release_of(people(column="[red]a\x1b[2Jb")))

    assert "[red]a?[2Jb" in text


def test_the_summary_says_that_nothing_was_suppressed(complete):
    assert "24 released of 24, none suppressed" in printed(print_summary, complete)


def test_the_summary_says_how_many_were_suppressed(shortened):
    assert "24 released of 25, 1 suppressed (4.0%)" in printed(print_summary, shortened)


def test_the_summary_says_in_words_that_models_hold(complete):
    text = printed(print_summary, complete)

    assert text.startswith("Verified: every record looks like at least")
    assert text.count("holds") == 2


def test_the_summary_shows_five_columns_and_counts_the_others():
    frame = people().drop("name")
    release = shoal.anonymize(frame, quasi=frame.columns, privacy=[shoal.KAnonymity(3)])

    assert "and 1 more column" in printed(print_summary, release)


def test_notes_are_printed(complete):
    text = printed(print_summary, replace(complete, notes=("Column 'x' has one value only.",)))

    assert "Column 'x' has one value only." in text


def test_a_failing_verdict_says_what_fails_and_how_much():
    k = Finding("k-anonymity", None, {"k": 9}, 3, False, 4, 12)
    l = Finding("distinct-l-diversity", "illness", {"l": 2}, 2, True)
    verdict = Verdict(30, 6, {3: 4, 9: 2}, (k, l), (Leak("withheld column", "name", 30),), ("Hm.",))

    text = printed(print_verdict, verdict)

    assert text.startswith("Not verified: 1 of 2 models not satisfied, 1 leak found")
    assert "FAILS" in text
    assert "4 groups with 12 records fail." in text
    assert "Column 'name' has the role identifier or drop. Remove it." in text
    assert "- Hm." in " ".join(text.split())
    assert widest(text) <= 80


def test_a_leak_alone_is_a_failure():
    verdict = Verdict(9, 1, {9: 1}, (), (Leak("order of the original", None, 9),))

    text = printed(print_verdict, verdict)

    assert text.startswith("Not verified: 1 leak found")
    assert "The rows are in the order of the original" in text


def test_a_verdict_that_holds_has_no_leaks_and_no_notes(complete):
    text = printed(print_verdict, complete.verdict)

    assert "24 records in" in text
    assert "LEAKS" not in text
    assert "Look at this" not in text


def test_a_release_with_little_left_says_so_first(complete):
    lost = dict.fromkeys(complete.loss_by_column, 1.0)
    useless = replace(complete, loss_by_column=lost, measures={**complete.measures, "loss": 1.0})

    text = printed(print_summary, useless)

    assert text.startswith("Little is left: 100% of the detail is gone.")
    assert f"{len(lost)} of {len(lost)} columns are all but empty" in " ".join(text.split())
    assert not printed(print_summary, complete).startswith("Little")


def test_one_empty_column_is_named_first_although_much_is_left(complete):
    name = next(iter(complete.loss_by_column))
    lost = {**dict.fromkeys(complete.loss_by_column, 0.0), name: 0.995}
    measures = {**complete.measures, "loss": 0.25}

    text = printed(print_summary, replace(complete, loss_by_column=lost, measures=measures))

    assert text.startswith("25.0% of the detail is gone. 1 of")
    assert f"all but empty: {name!r}." in " ".join(text.split())
