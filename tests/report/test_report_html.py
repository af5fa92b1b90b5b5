"""The page."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import shoal
from report.secret_tables import SECRET, people, release_of
from shoal.report.dossier.facts import dossier_facts
from shoal.report.dossier.known import Known
from shoal.report.html import MARKER, is_report, render
from shoal.report.summarise import finding_facts
from shoal.types.verdict import Finding

DATA = {"type": "application/json", "id": "dossier"}  # which no browser runs
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Outline(HTMLParser):
    """Checks that tags are balanced, and collects them, their attributes and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == [], "not closed"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(params=["complete", "shortened"])
def page(request):
    return render(dossier_facts(request.getfixturevalue(request.param)))


def test_tags_are_balanced(page):
    assert ("table", {}) in Outline(page).tags


def test_ids_are_unique_and_labels_point_at_them(page):
    attributes = [attrs for _, attrs in Outline(page).tags]
    ids = [attrs["id"] for attrs in attributes if "id" in attrs]

    assert len(ids) == len(set(ids))
    assert {attrs["aria-labelledby"] for attrs in attributes if "aria-labelledby" in attrs} <= {
        *ids
    }


def test_the_page_needs_nothing_else(page):
    outline = Outline(page)

    assert not {"link", "img", "iframe"} & {tag for tag, _ in outline.tags}
    assert [attrs for tag, attrs in outline.tags if tag == "script"] == [DATA]
    assert not any({"src", "style"} & attrs.keys() for _, attrs in outline.tags)
    links = {attrs["href"] for _, attrs in outline.tags if "href" in attrs}
    assert {link[0] for link in links} == {"#"}
    assert not re.search(r"url\(|@import|https?:", page)


def test_no_placeholder_is_left(page):
    assert "$" not in page


def test_no_cell_of_the_table_is_on_the_page(page):
    assert SECRET not in page
    assert "771" not in page


def test_equal_facts_give_equal_pages(complete):
    facts = dossier_facts(complete)

    assert render(facts) == render(facts)


def test_markup_in_column_names_is_text():
    column = '<script>alert("1")</script> & `$${x}`'
    release = release_of(people(column=column), order="input")

    outline = Outline(render(dossier_facts(release, Known(output="<b>.csv"))))

    assert [attrs for tag, attrs in outline.tags if tag == "script"] == [DATA]
    assert "b" not in {tag for tag, _ in outline.tags}
    assert column in outline.text


def test_markup_in_a_column_that_a_model_is_about_is_text():
    frame = people().rename({"illness": "<i>ll"})
    release = release_of(frame, sensitive=["<i>ll"], privacy=[shoal.DistinctLDiversity("<i>ll", 2)])

    outline = Outline(render(dossier_facts(release)))

    assert "i" not in {tag for tag, _ in outline.tags}
    assert "'<i>ll'" in outline.text


def test_the_verdict_is_the_title_and_the_headline(complete):
    text = Outline(render(dossier_facts(complete))).text

    assert text.count(dossier_facts(complete)["headline"]) == 4  # the conclusion, and the data


def test_a_release_without_suppression_says_that_none_was_left_out(complete):
    assert "All 24 records are released; none was suppressed." in render(dossier_facts(complete))


def test_a_release_with_suppression_says_how_many_and_why(shortened):
    text = Outline(render(dossier_facts(shortened))).text

    assert "Of 25 records, 24 are released; 1 (4.0%) was suppressed (left out)" in text


def test_a_model_that_fails_says_so_in_words(complete):
    finding = Finding("k-anonymity", None, {"k": 9}, 3, False, 4, 12)
    facts = dossier_facts(complete) | {"standing": "fails", "privacy": [finding_facts(finding)]}

    text = Outline(render(facts)).text

    assert "FAILS" in text
    assert "4 groups with 12 records fail." in text


def test_notes_come_only_where_there_are_some(complete):
    noted = replace(complete, notes=("Column 'x' has one value only.",))

    assert 'id="notes"' not in render(dossier_facts(complete))
    assert "Column &#x27;x&#x27; has one value only." in render(dossier_facts(noted))


def test_a_release_without_a_model_about_values_is_told_what_it_lacks():
    release = release_of(people(), privacy=[shoal.KAnonymity(3)])

    assert "may have the same sensitive value" in render(dossier_facts(release))


def test_a_page_is_rendered_where_nothing_was_released(complete):
    verdict = replace(complete.verdict, n_records=0, n_groups=0, group_sizes={}, findings=())
    release = replace(complete, verdict=verdict, published=complete.published.clear())

    text = Outline(render(dossier_facts(release))).text

    assert "Verified: no record was released" in text


def test_a_report_is_recognised(complete, tmp_path):
    complete.report(tmp_path / "report.html")

    assert is_report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8").splitlines()[1] == MARKER


def test_other_files_are_no_reports(tmp_path):
    other = tmp_path / "other.html"
    other.write_text(f"<!doctype html>\n<html></html>\n{MARKER}\n", encoding="utf-8")
    table = tmp_path / "table.csv"
    table.write_bytes(b"a,b\n\xff\xfe,1\n")

    assert not is_report(other)
    assert not is_report(table)
    assert not is_report(tmp_path)
    assert not is_report(tmp_path / "absent.html")


def test_the_report_names_the_released_file(complete, tmp_path):
    complete.report(tmp_path / "report.html", output=tmp_path / "release.csv")

    page = (tmp_path / "report.html").read_text(encoding="utf-8")

    assert "release.csv" in page
    assert str(tmp_path) not in page


@pytest.mark.parametrize(
    ("unique", "said"),
    [
        ({"before": 7, "after": 0}, "7 records (29.2%) were unique in all quasi-identifiers; in"),
        ({"before": 7, "after": 0}, "in the release none is."),
        ({"before": 1, "after": 1}, "1 record (4.2%) was unique"),
        ({"before": 0, "after": 0}, "no record was unique"),
    ],
)
def test_the_page_says_how_many_stood_alone_before_and_do_now(complete, unique, said):
    text = " ".join(Outline(render(dossier_facts(complete) | {"unique": unique})).text.split())

    assert said in text


def test_the_page_says_nothing_of_it_where_it_was_not_counted(complete):
    facts = dossier_facts(complete) | {"unique": {"before": None, "after": 0}}

    assert "unique in all quasi-identifiers" not in Outline(render(facts)).text
