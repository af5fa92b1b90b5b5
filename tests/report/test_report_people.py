"""What is said where people were counted, and where rows were although people have several."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from rich.console import Console

from report.secret_tables import people, release_of
from shoal.release.release import Release
from shoal.report import words
from shoal.report.dossier.facts import dossier_facts
from shoal.report.html import render
from shoal.report.junit import junit_text
from shoal.report.summarise import summarise
from shoal.report.text import print_summary, print_verdict
from shoal.types.repeating import Repeating
from shoal.types.unit import PERSON
from shoal.types.verdict import Finding, Leak, Verdict

HOLDS = Finding("k-anonymity", None, {"k": 5}, 5, True)
FAILS = Finding("k-anonymity", None, {"k": 9}, 5, False, 2, 11, (5, 6))
ONE = (Repeating("patient_id", 300, 1500),)
TWO = (*ONE, Repeating("ssn", 290, 1480))
OF_ROWS = Verdict(1500, 100, {5: 60, 30: 40}, (HOLDS,), repeating=ONE)
OF_PEOPLE = Verdict(1500, 40, {5: 20, 10: 20}, (HOLDS,), n_people=300)


def printed(show, thing) -> str:
    console = Console(width=80, force_terminal=False)
    with console.capture() as capture:
        show(thing, console)
    return " ".join(capture.get().split())


@pytest.fixture
def of_people(complete) -> Release:
    """As if every person had two of its 24 records."""
    verdict = replace(complete.verdict, n_people=12, group_sizes={3: 2, 6: 2}, n_groups=4)
    return replace(complete, verdict=verdict, n_people_read=12, n_unique_before=7)


@pytest.fixture
def of_rows(complete) -> Release:
    return replace(complete, verdict=replace(complete.verdict, repeating=ONE))


def text_of(page: str) -> str:
    return " ".join(page.partition("<body>")[2].split())


def test_the_tick_means_people_where_people_were_counted():
    assert words.headline(OF_PEOPLE) == "Verified: every person looks like at least 4 other people"
    assert words.standing(OF_PEOPLE) == "holds"


def test_rows_that_may_not_be_people_are_not_called_verified():
    assert words.headline(OF_ROWS) == (
        "Rows, not people, were counted: column 'patient_id' repeats (300 values in 1,500 rows). "
        "Add `person: patient_id` to the policy."
    )
    assert words.standing(OF_ROWS) == "rows"
    assert OF_ROWS.holds


def test_of_several_identifiers_that_repeat_the_reader_chooses():
    headline = words.headline(replace(OF_ROWS, repeating=TWO))

    assert "columns 'patient_id' (300 values in 1,500 rows), 'ssn' (290 values in" in headline
    assert "with the column that tells people apart" in headline


def test_a_release_that_does_not_say_whose_its_records_are_gets_no_tick():
    verdict = replace(OF_ROWS, repeating=(), person=("patient_id",))

    assert words.standing(verdict) == "rows"
    assert "the release does not say whose records they are" in words.headline(verdict)


def test_people_who_were_counted_leave_no_doubt():
    verdict = replace(OF_PEOPLE, person=("patient_id",))

    assert (words.standing(verdict), verdict.is_of_rows_only) == ("holds", False)


@pytest.mark.parametrize(
    "wrong", [{"findings": (FAILS,)}, {"leaks": (Leak("withheld column", "name", 9),)}]
)
def test_what_fails_is_said_before_what_was_counted(wrong):
    verdict = replace(OF_ROWS, **wrong)

    assert words.standing(verdict) == "fails"
    assert words.headline(verdict).startswith("Not verified")


def test_a_column_with_an_awkward_name_is_named_on_one_line():
    headline = words.headline(replace(OF_ROWS, repeating=(Repeating("two\nlines", 2, 3),)))

    assert "\n" not in headline


def test_failing_groups_have_people():
    assert words.failing(FAILS, PERSON).startswith("2 groups with 11 people fail.")


def test_a_verdict_in_the_terminal_counts_people():
    text = printed(print_verdict, OF_PEOPLE)

    assert "1,500 records of 300 people in 40 groups (5 to 10 people each)" in text
    assert "2 groups with 11 people fail." in printed(
        print_verdict, replace(OF_PEOPLE, findings=(FAILS,))
    )


def test_a_verdict_in_the_terminal_says_that_rows_were_counted():
    text = printed(print_verdict, OF_ROWS)

    assert text.startswith("Rows, not people, were counted: column 'patient_id' repeats")
    assert "Verified" not in text


def test_a_summary_in_the_terminal_counts_people(of_people):
    text = printed(print_summary, of_people)

    assert text.startswith("Verified: every person looks like at least 2 other people")
    assert "People 12 released of 12" in text
    assert "4 (3 to 6 people each, median 4.5)" in text


def test_a_summary_without_people_has_no_line_about_them(complete):
    assert "People" not in printed(print_summary, complete)


def test_the_page_counts_people(of_people):
    text = text_of(render(dossier_facts(of_people)))

    assert "All 24 records of 12 people are released; none was suppressed." in text
    assert '24 <span class="small">of 12 people</span>' in text
    assert "Each person hides in a group." in text
    assert "7 people (58.3%) stood alone, unique in all quasi-identifiers" in text
    assert "picks the right person with a chance of 1 in 3 at best" in text
    assert "Groups have 3 to 6 people" in text
    assert "Its size is the number of different people who have a record in it." in text
    assert "how many of the released people are in groups of each size" in text
    assert '<th class="number" scope="col">People</th>' in text
    assert "a person with two numbers counts as two people" in text
    assert "k counts records" not in text


def test_bars_of_people_add_up_to_all_of_them(of_people):
    """Six are members of two groups, and so of two bars."""
    page = text_of(render(dossier_facts(of_people)))

    assert "<span>33.3%</span>" in page
    assert "<span>66.7%</span>" in page


def test_the_page_has_no_tick_where_rows_were_counted(of_rows, complete):
    page, ticked = render(dossier_facts(of_rows)), render(dossier_facts(complete))
    tick = 'd="M7 12.5l3.4 3.4L17 9"'

    assert '<header class="rows">' in page
    assert "Add <code>person: patient_id</code> to the policy." in page
    assert "<title>Rows, not people, were counted" in page
    assert (tick in page, tick in ticked) == (False, True)
    assert "every record looks like" not in page.partition("<main>")[0]
    assert "picks the right record" not in page
    assert "All of them may be of one person" in page


def test_the_page_says_nothing_of_people_where_records_were_counted(complete):
    text = text_of(render(dossier_facts(complete)))

    assert "Each record hides in a group." in text
    assert '<th class="number" scope="col">Records</th>' in text
    assert "different people who have a record" not in text


def test_facts_of_people_are_plain_data(of_people, of_rows):
    for release in (of_people, of_rows):
        facts = summarise(release)
        assert json.loads(json.dumps(facts)) == facts


def test_the_summary_as_data_says_what_was_counted(complete, of_people, of_rows):
    assert complete.summary().keys().isdisjoint({"people"})
    assert complete.summary()["counted"] == "records"
    assert complete.summary()["repeating_identifiers"] == []
    assert (of_people.summary()["people"], of_people.summary()["people_read"]) == (12, 12)
    assert of_people.summary()["counted"] == "people"
    assert of_rows.summary()["counted"] == "records"
    assert of_rows.summary()["repeating_identifiers"] == ["patient_id"]


def test_a_verdict_as_data_says_what_was_counted():
    assert OF_PEOPLE.as_dict()["counted"] == "people"
    assert OF_PEOPLE.as_dict()["people"] == 300
    assert OF_ROWS.as_dict()["counted"] == "records"
    assert OF_ROWS.as_dict()["repeating_identifiers"] == ["patient_id"]


def test_a_release_in_a_log_says_what_was_verified(complete, of_people, of_rows):
    assert repr(complete).endswith("groups, verified>")
    assert repr(of_people) == "<Release: 24 of 24 records (12 people) in 4 groups, verified>"
    assert repr(of_rows).endswith("rows verified, not people>")


def test_a_build_server_sees_that_people_were_not_tested():
    suite = ElementTree.fromstring(junit_text(OF_ROWS, name="release.csv").encode())

    (skipped,) = suite.iter("skipped")
    assert skipped.get("message") == words.headline(OF_ROWS)
    assert suite.attrib | {"tests": "2", "failures": "0", "skipped": "1"} == suite.attrib
    assert len(suite) == 2


@pytest.mark.parametrize("verdict", [OF_PEOPLE, replace(OF_ROWS, findings=(FAILS,))])
def test_a_build_server_is_told_of_nothing_else_where_people_count_or_a_model_fails(verdict):
    suite = ElementTree.fromstring(junit_text(verdict, name="release.csv").encode())

    assert list(suite.iter("skipped")) == []
    assert suite.get("tests") == "1"


def test_a_failure_for_build_servers_counts_people():
    text = junit_text(replace(OF_PEOPLE, findings=(FAILS,)), name="release.csv")

    assert "2 groups with 11 people fail." in text


def test_records_of_one_person_are_seen_before_they_are_shared():
    frame = people().with_columns(name=people()["name"].gather([i // 2 for i in range(24)]))

    release = release_of(frame)

    assert release.repeating == ("name",)
    assert "Add `person: name` to the policy." in printed(print_summary, release)


def test_what_people_share_is_not_proposed_as_their_number():
    shared = replace(OF_ROWS, repeating=(Repeating("street", 40, 100),))

    headline = words.headline(shared)

    assert "column 'street' repeats" in headline
    assert "person: street" not in headline
    assert "with the column or the columns together that tell people apart" in headline
    both = replace(OF_ROWS, repeating=(*shared.repeating, Repeating("mrn", 40, 100)))
    assert "Add `person: mrn` to the policy." in words.headline(both)
