"""The dossier as one page that needs nothing else: no files, no network, nothing that runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from string import Template

from shoal.report import sections
from shoal.report.dossier import attackers, context, kept, promises
from shoal.report.dossier.acknowledged import acknowledged
from shoal.report.dossier.attacks import attacks
from shoal.report.dossier.embedded import embedded
from shoal.report.dossier.inventory import inventory
from shoal.report.dossier.limits import limits
from shoal.report.dossier.making import making
from shoal.report.dossier.risk import risk
from shoal.report.dossier.section import Section, is_internal, rendered
from shoal.report.dossier.techniques import techniques
from shoal.report.dossier.told import told
from shoal.report.dossier.variables import variables
from shoal.report.fragments import Html, element, html, lines, prose
from shoal.report.summarise import Facts

DOCTYPE = "<!doctype html>"
MARKER = "<!-- shoal report -->"  # the line after the doctype tells our own pages from others
SECTIONS: tuple[Callable[[Facts], Section | None], ...] = (  # in the order of the regulators' form
    context.context,
    inventory,
    variables,
    attackers.attackers,
    attackers.threshold,
    risk,
    techniques,
    promises.promises,
    promises.sizes,
    told,
    attacks,
    kept.kept,
    kept.neighbours,
    acknowledged,
    making,
    limits,
    context.conclusion,
)


def is_report(path: Path) -> bool:
    """Whether a file is a report of Shoal, which may be replaced by a newer one."""
    try:
        with path.open("rb") as file:
            start = file.read(200)
    except OSError:
        return False
    return [line.strip() for line in start.splitlines()[:2]] == [
        DOCTYPE.encode(),
        MARKER.encode(),
    ]


def render(facts: Facts) -> str:
    """The page; equal facts give equal pages."""
    found = list(_sections(facts))
    return Template(head() + _part("page.html")).substitute(
        marker=MARKER,
        css=_part("page.css"),
        title=html(facts["headline"]),
        headline=prose(facts["headline"]),
        verdict_class=facts["standing"],
        audience="internal: not for publication" if is_internal(facts) else "for recipients",
        output=html(f" on {facts['output']}" if facts["output"] else ""),
        mark=sections.mark(facts["standing"]),
        lead=sections.lead(facts),
        tiles=sections.tiles(facts),
        notes=sections.notes(facts),
        contents=_contents(found),
        sections=lines(rendered(section, i) for i, section in enumerate(found, start=1)),
        version=html(facts["run"]["shoal"]),
        shown=_shown(facts),
        twin=embedded(facts),
    )


def _sections(facts: Facts) -> Iterator[Section]:
    for made in SECTIONS:
        section = made(facts)
        if section is not None:
            yield section


def _contents(found: list[Section]) -> Html:
    links = (element("li", element("a", s.title, href=f"#{s.id}")) for s in found)
    return element("ol", lines(links))


def _shown(facts: Facts) -> str:
    if facts["distributions"] is None or not is_internal(facts):
        return "It shows column names and counts, but no cell of the data."
    least = facts["least"]
    return f"Values are shown only where at least {least:,} people have them."


def head() -> str:
    """How every page begins: it may load nothing, from anywhere."""
    return _part("head.html")


def _part(name: str) -> Html:
    return Html(files("shoal.report").joinpath(name).read_text(encoding="utf-8"))
