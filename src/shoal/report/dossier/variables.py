"""What each column is, why, and what was done with it."""

from __future__ import annotations

from shoal.report import sections
from shoal.report.dossier.section import Section, advice, is_internal, paragraph
from shoal.report.fragments import Html, column_name, element, table
from shoal.report.summarise import Facts


def variables(facts: Facts) -> Section:
    is_inside = is_internal(facts)
    heads = [("Column", "label"), ("Role", ""), ("Technique", "")]
    rows = [
        [column_name(entry["column"]), entry["role"], entry["published"]]
        for entry in facts["columns"]
    ]
    if is_inside:
        heads.append(("Reason", ""))
        for row, entry in zip(rows, facts["columns"], strict=True):
            row.append(entry["reason"] or "not stated")
    left = "" if is_inside else "Columns that were not released are not named."
    return Section(
        "variables",
        "Columns, their roles and what was done",
        "EMA/Health Canada: identification of data variables, direct and indirect identifiers.",
        (
            paragraph("The role of each column in the policy, and how it was published.", left),
            table(heads, rows),
            element("dl", sections.roles(facts), class_="roles"),
            advice(
                "Worth checking:",
                "an unchanged column is not protected. If it could help to recognise a person, "
                "make it a quasi-identifier or drop it.",
            )
            if is_inside
            else Html(""),
        ),
    )
