"""Warnings, and who has read them."""

from __future__ import annotations

from shoal.report.dossier.section import Section, is_internal, paragraph
from shoal.report.fragments import Html, element, prose, table
from shoal.report.summarise import Facts


def acknowledged(facts: Facts) -> Section | None:
    """The notes of the run, and what the context says about them; for the steward alone."""
    if not is_internal(facts):
        return None
    said = facts["context"].get("acknowledged") or []
    notes = [element("li", prose(note)) for note in facts["notes"]]
    rows = [(entry["note"], entry["by"], entry["date"] or "not dated") for entry in said]
    return Section(
        "acknowledged",
        "Warnings, and who has read them",
        "",
        (
            element("ul", *notes) if notes else paragraph("The run gave no warning."),
            table([("Acknowledged", "label"), ("By", ""), ("Date", "")], rows)
            if rows
            else paragraph(
                "No one has acknowledged them: add `acknowledged: [{note, by, date}]` under "
                "`context` in the policy."
            )
            if notes
            else Html(""),
        ),
    )
