"""Who is assumed to attack, what they know, and how much risk is accepted."""

from __future__ import annotations

from shoal.report import words
from shoal.report.dossier.section import Section, is_internal, paragraph
from shoal.report.fragments import Html, column_name, definitions, element, html, table
from shoal.report.summarise import Facts

PRECEDENTS = [
    ("0.33", "3", "the smallest size of a group in common use"),
    ("0.2", "5", "the classic size of a group"),
    ("0.09", "11", "EMA Policy 0070 and Health Canada, in most circumstances; public US releases"),
    ("0.05", "20", "public Canadian and US patient data"),
]
GIVEN_BY = {
    "context": "The steward gives it in the policy.",
    "model": "It is the limit of the model reidentification-risk in the policy.",
    "k": "It is what k of the policy promises: one in k.",
    "default": "The policy gives none; 0.09 is that of EMA Policy 0070 and Health Canada.",
}


def attackers(facts: Facts) -> Section:
    quasi = [c["column"] for c in facts["columns"] if c["role"] == "quasi-identifier"]
    names = Html(", ".join(column_name(name) for name in quasi))
    kinds = [
        ("Prosecutor", "knows that a certain person is in the data, and looks for that person."),
        ("Journalist", "does not know who is in the data, and wants to find anyone."),
        ("Marketer", "looks up as many people as possible, and counts how many are right."),
    ]
    assumed = facts["context"].get("attackers")
    return Section(
        "attackers",
        "Attackers assumed",
        "EMA/Health Canada: adversaries and plausible attacks.",
        (
            paragraph(
                "Each has the whole release, knows the policy and the algorithm, and knows the "
                "true values of all quasi-identifiers of the people looked for:"
            ),
            element("p", names, class_="names"),
            element("dl", definitions(kinds), class_="roles"),
            element("p", html(assumed)) if assumed else Html(""),
        ),
    )


def threshold(facts: Facts) -> Section:
    found = facts["threshold"]
    reason = found["reason"]
    missing = "Not stated: `threshold_reason` under `context` in the policy."
    why = element("p", html(reason)) if reason else paragraph(missing if is_internal(facts) else "")
    return Section(
        "threshold",
        "Threshold, and why",
        "EMA/Health Canada: threshold. HIPAA: what is a very small risk.",
        (
            paragraph(
                f"The highest risk that is accepted for a {facts['unit']['one']} is "
                f"{words.number(found['value'])}.",
                GIVEN_BY[found["given_by"]],
            ),
            why,
            table(
                [("Threshold", "term"), ("Size of group", "term"), ("Precedent", "")], PRECEDENTS
            ),
        ),
    )
