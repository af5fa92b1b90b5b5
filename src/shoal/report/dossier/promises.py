"""Every model that was required, and what was achieved."""

from __future__ import annotations

from shoal.report import sections, tables
from shoal.report.dossier.section import Section, advice, is_internal
from shoal.report.fragments import Html, element, html, prose
from shoal.report.summarise import Facts

COUNTED = (
    "The published table was counted again, by code that took no part in making it. A group "
    "(equivalence class) is all records with the same cells in every quasi-identifier; the worst "
    "group decides."
)


def promises(facts: Facts) -> Section:
    return Section(
        "promises",
        "What was required, and what was found",
        "EMA/Health Canada: residual risk. HIPAA: methods and results.",
        (
            element("p", COUNTED, sections.sizes_count(facts)),
            element("ul", sections.models(facts), class_="models"),
            _checkable(facts),
            advice(
                "If one fails:",
                "do not share the release. Shoal writes no release that failed; check a table that "
                "was changed afterwards with `shoal check`.",
            ),
        ),
    )


def _checkable(facts: Facts) -> Html:
    """Which of these anybody can check."""
    public = facts["policy"]
    if public is None or not public["left_out"]:
        return Html("")
    names = ", ".join(public["left_out"])
    return element(
        "p",
        html(
            f"Not checkable without what is kept secret: {names}. All others can be checked with "
            "the public policy."
        ),
    )


def sizes(facts: Facts) -> Section:
    one, many = facts["unit"]["one"], facts["unit"]["many"]
    caption = Html(
        f"Each {one} hides in a group. {sections.unique(facts)} {sections.chance(facts)} The bars "
        f"show how many of the released {many} are in groups of each size."
    )
    content = [
        element(
            "figure",
            element("figcaption", element("p", caption)),
            tables.size_table(facts),
        )
    ]
    if is_internal(facts):
        content.append(
            element(
                "p",
                element("strong", f"If many {many} are in very large groups:"),
                prose(
                    " they are protected more than required, at the cost of detail. Finer "
                    "hierarchies or another algorithm can help."
                ),
                class_="advice",
            )
        )
    return Section("sizes", "How large the groups are", "", tuple(content))
