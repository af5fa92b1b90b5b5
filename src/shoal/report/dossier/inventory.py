"""Which data, when, and by which files: counts and digests."""

from __future__ import annotations

from shoal.report import words
from shoal.report.dossier.section import Section, figure, paragraph
from shoal.report.fragments import Html, element, html, table
from shoal.report.summarise import Facts


def inventory(facts: Facts) -> Section:
    made = facts["dossier"]["made"]
    content = [paragraph(f"Made {made} (UTC)." if made else ""), _counts(facts)]
    if facts["files"]:
        content.append(_files(facts))
    return Section(
        "inventory", "The data", "EMA/Health Canada: introduction.", tuple(filter(None, content))
    )


def _counts(facts: Facts) -> Html:
    records, people = facts["records"], facts["people"]
    few = f"fewer than {facts['least']:,}"
    rows = [
        ("Records read", _count(records["read"], "not told")),
        ("Records released", _count(records["released"], "")),
        ("Records suppressed (left out)", _count(records["suppressed"], few)),
    ]
    if people is not None:
        rows += [("People read", _count(people["read"], "not told"))]
        rows += [("People released", _count(people["released"], "not told"))]
    rows += [
        (
            "Columns released",
            f"{sum(c['published'] != 'not released' for c in facts['columns']):,}",
        ),
        ("Groups", f"{facts['groups']:,}"),
    ]
    return table([("Count", "label"), ("Number", "")], rows)


def _count(n: int | None, otherwise: str) -> str:
    return otherwise if n is None else words.number(n)


def _files(facts: Facts) -> Html:
    rows = [
        (file["what"], html(file["name"]), element("code", file["sha256"], class_="digest"))
        for file in facts["files"]
    ]
    return figure(
        "The SHA-256 of each file tells whether a file is the one meant here. "
        "`shoal check RELEASE --report DOSSIER` compares that of the release.",
        table([("File", "term"), ("Name", ""), ("SHA-256", "")], rows),
    )
