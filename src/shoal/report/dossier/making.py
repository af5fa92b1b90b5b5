"""How the release was made, so that it can be made again."""

from __future__ import annotations

from shoal.report import tables
from shoal.report.dossier.section import Section, figure, is_internal, paragraph
from shoal.report.fragments import Html, element, table
from shoal.report.summarise import Facts


def making(facts: Facts) -> Section:
    if not is_internal(facts):
        run = facts["run"]
        rows = [
            ("Algorithm", f"{run['algorithm']}: {run['meaning']}"),
            ("Program", f"Shoal {run['shoal']}"),
        ]
        content: tuple[Html, ...] = (table([("Setting", "label"), ("Value", "")], rows),)
    else:
        content = _for_the_steward(facts)
    return Section(
        "making", "How it was made", "EMA/Health Canada: methodology. HIPAA: methods.", content
    )


def _for_the_steward(facts: Facts) -> tuple[Html, ...]:
    command = facts["command"]
    rows = [(name, number) for name, number in facts["versions"].items()]
    return (
        figure(
            "The same data, policy, seed and version give the same release, unless a time limit or "
            "a user ended the search early.",
            tables.run_table(facts),
        ),
        paragraph("The command, without folders:") if command else Html(""),
        element("pre", command) if command else Html(""),
        figure("Versions.", table([("Program", "label"), ("Version", "")], rows)),
        figure(
            "Where the time went. The first run on a machine takes longer, because it compiles the "
            "kernels.",
            tables.seconds_table(facts),
        ),
    )
