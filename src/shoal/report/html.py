"""The report as one page that needs nothing else: no scripts, no files, no network."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from shoal.report import sections, tables
from shoal.report.fragments import Html, html, prose
from shoal.report.summarise import Facts, summarise
from shoal.write.atomic import write_text

if TYPE_CHECKING:
    from shoal.release.release import Release

DOCTYPE = "<!doctype html>"
MARKER = "<!-- shoal report -->"  # the line after the doctype tells our own pages from others


def write_report(release: Release, path: Path, *, output: str | None = None) -> None:
    """Write a page about a release; `output` is the file that the release is in."""
    write_text(path, render(summarise(release, output=output)))


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
    return Template(_part("page.html")).substitute(
        marker=MARKER,
        css=_part("page.css"),
        title=html(facts["headline"]),
        headline=prose(facts["headline"]),
        verdict_class=facts["standing"],
        output=html(f" on {facts['output']}" if facts["output"] else ""),
        mark=sections.mark(facts["standing"]),
        lead=sections.lead(facts),
        tiles=sections.tiles(facts),
        notes=sections.notes(facts),
        models=sections.models(facts),
        one=facts["unit"]["one"],
        many=facts["unit"]["many"],
        sizes_count=sections.sizes_count(facts),
        unique=sections.unique(facts),
        chance=sections.chance(facts),
        size_table=tables.size_table(facts),
        loss_table=tables.loss_table(facts),
        column_table=tables.column_table(facts),
        roles=sections.roles(facts),
        neighbours=sections.neighbours(facts),
        discloses=sections.discloses(facts),
        measure_table=tables.measure_table(facts),
        run_table=tables.run_table(facts),
        seconds_table=tables.seconds_table(facts),
        limits=sections.limits(facts),
        version=html(facts["run"]["shoal"]),
    )


def _part(name: str) -> Html:
    return Html(files("shoal.report").joinpath(name).read_text(encoding="utf-8"))
