"""Why and to whom: the purpose, the recipient, and what protects the release there."""

from __future__ import annotations

from shoal.report.dossier.section import Section, is_internal, paragraph, said, to_fill_in
from shoal.report.fragments import Html, definitions, element, html
from shoal.report.summarise import Facts

TERMS = {
    "title": "Data",
    "purpose": "Purpose of the release",
    "legal_basis": "Legal basis",
    "recipient": "Recipient",
    "recipient_holds": "What the recipient holds besides",
    "controls": "Controls on use and access",
    "utility": "What the data must be good for",
    "contact": "Contact",
}
WHY = (
    "Whether data are anonymous depends on who has them, and on what else that person holds (CJEU "
    "C-413/23 P, EDPS v SRB). So these are facts of the release, as much as its figures are."
)


def context(facts: Facts) -> Section:
    pairs = [(term, said(facts, key)) for key, term in TERMS.items()]
    return Section(
        "context",
        "Purpose, recipient and controls",
        "EMA/Health Canada: methodology. HIPAA: anticipated recipient.",
        (paragraph(WHY), element("dl", definitions(pairs), class_="pairs")),
    )


def conclusion(facts: Facts) -> Section:
    """Who answers for it, with lines to sign on."""
    threshold, smallest = facts["threshold"]["value"], facts["sizes"]["smallest"]
    met = ""
    if smallest:  # of people, where they were counted; rows would make the risk look lower
        highest = 1 / smallest
        is_met = highest <= threshold * (1 + 1e-9)
        met = (
            f"The highest risk of a released {facts['unit']['one']} is {highest:.4g}; the "
            f"threshold is {threshold:.4g}, which is {'met' if is_met else 'NOT met'}."
        )
    expert = facts["context"].get("expert")
    blank = element("span", Html("&nbsp;"), class_="blank line")
    pairs = [
        ("Determined by", html(expert) if expert else to_fill_in("expert")),
        ("Date", blank),
        ("Signature", blank),
    ]
    return Section(
        "conclusion",
        "Conclusion and signature",
        "EMA/Health Canada: conclusion. HIPAA: determination by a person with knowledge of "
        "statistical methods, 45 CFR 164.514(b)(1).",
        (
            paragraph(
                f"{facts['headline']}.",
                met,
                "Figures do not decide alone: whoever signs judges them together with the "
                "recipient, the controls and what the recipient holds.",
            ),
            element("dl", definitions(pairs), class_="pairs") if is_internal(facts) else Html(""),
        ),
    )
