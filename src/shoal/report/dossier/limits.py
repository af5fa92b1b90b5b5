"""What the verdict does not promise."""

from __future__ import annotations

from shoal.report import sections
from shoal.report.dossier.section import Section
from shoal.report.fragments import element
from shoal.report.summarise import Facts

OF_A_DOSSIER = (
    "The attacks are some that are known. That they failed does not mean that all do.",
    "This file can be edited by whoever has it. Its digests tie it to the release; only a "
    "signature of yours ties it to you.",
)


def limits(facts: Facts) -> Section:
    own = [element("li", sentence) for sentence in OF_A_DOSSIER]
    return Section(
        "limits",
        "What this does not promise",
        "",
        (element("ul", sections.limits(facts), *own),),
    )
