"""How each column looked before, and looks after."""

from __future__ import annotations

from shoal.plot.in_table import pair
from shoal.report import words
from shoal.report.dossier.section import Section, figure, paragraph
from shoal.report.fragments import Html, column_name, element, lines, table
from shoal.report.summarise import Facts

NUMBER, CHART, LABEL = "number", "chart", "label"


def techniques(facts: Facts) -> Section | None:
    found = facts["distributions"]
    if found is None:
        return None
    shown = [entry for entry in found if entry["shares"]]
    content: list[Html] = [_told(facts)]
    if shown:
        content.append(
            paragraph(
                f"Values and ranges are shown only where at least {facts['least']:,} people have "
                "them; all others are counted together or left out. The upper bar is before, the "
                "lower one after: what a reader would estimate, with each cell spread evenly over "
                "the values that it covers."
            )
        )
        content.append(element("div", lines(map(_distribution, shown)), class_="distributions"))
    return Section(
        "techniques",
        "Each column before and after",
        "EMA/Health Canada: anonymisation of each variable.",
        tuple(content),
    )


def _told(facts: Facts) -> Html:
    return figure(
        "How many cells of each column are the value as it was, and how many tell anything at all "
        "(are not `*`).",
        table(
            [("Column", LABEL), ("As it was", NUMBER), ("Tells something", NUMBER)],
            (
                (
                    column_name(entry["column"]),
                    words.share(entry["exact"]),
                    words.share(entry["told"]),
                )
                for entry in facts["distributions"]
            ),
        ),
    )


def _distribution(entry: Facts) -> Html:
    rows = [*entry["shares"], *([entry["others"]] if entry["others"] else [])]
    largest = max((max(row["before"], row["after"]) for row in rows), default=1.0) or 1.0
    return element(
        "div",
        element("h3", column_name(entry["column"])),
        table(
            [("Value", LABEL), ("Before", NUMBER), ("After", NUMBER), ("", CHART)],
            (
                (
                    element("bdi", row["value"]),
                    words.share(row["before"]),
                    words.share(row["after"]),
                    pair(row["before"] / largest, row["after"] / largest),
                )
                for row in rows
            ),
        ),
    )
