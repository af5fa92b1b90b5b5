"""A release or a verdict of several tables in a few lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from shoal.errors import counted
from shoal.report import words
from shoal.report.printable import printable
from shoal.report.summarise import finding_facts
from shoal.report.text import (
    losses,
    print_list,
    print_pairs,
    print_promises,
    seconds_of_stages,
)
from shoal.types.verdict import Verdict

if TYPE_CHECKING:
    from shoal.release.tables import TablesRelease
    from shoal.types.tables_verdict import TablesVerdict


def print_tables_summary(release: TablesRelease, console: Console) -> None:
    """What was released of each table, how private all of it is and what it cost."""
    whole = release.verdict.whole
    _print_whole(whole, console)
    tables = (
        (name, f"{counted(table.n_released, 'row')} released of {table.n_read:,}")
        for name, table in release.tables.items()
    )
    ink = "#" if console.options.ascii_only else "█"
    loss = {
        "loss": release.measures.get("loss"),
        "loss_by_column": [
            {"column": column, "loss": loss}
            for column, loss in sorted(release.loss_by_column.items(), key=lambda e: -e[1])
        ],
    }
    rows: list[tuple[RenderableType, RenderableType]] = [
        (Text("Tables"), _grid(tables)),
        (Text("People"), Text(f"{release.n_people:,} released of {release.n_people_read:,}")),
        (Text("Groups"), Text(_groups(whole))),
        (Text("Detail lost"), losses(loss, ink)),
        (Text("Time"), Text(seconds_of_stages(release.seconds))),
    ]
    print_pairs(rows, console)
    print_list("Check before sharing", release.notes, console)


def print_tables_verdict(verdict: TablesVerdict, console: Console) -> None:
    """What was found in tables that somebody released."""
    whole = verdict.whole
    _print_whole(whole, console)
    tables = (
        (name, counted(table.n_records, "row") + ("" if table.holds else ", FAILS"))
        for name, table in verdict.tables.items()
    )
    people = "not counted" if whole.n_people is None else f"{whole.n_people:,}"
    rows: list[tuple[RenderableType, RenderableType]] = [
        (Text("Tables"), _grid(tables)),
        (Text("People"), Text(people)),
        (Text("Groups"), Text(_groups(whole))),
    ]
    print_pairs(rows, console)
    leaks = map(words.leak, whole.leaks)
    print_list("LEAKS: remove these from the release", leaks, console)
    print_list("Check before sharing", verdict.notes, console)


def _print_whole(whole: Verdict, console: Console) -> None:
    models = [finding_facts(finding, whole.unit) for finding in whole.findings]
    print_promises(words.headline(whole), words.standing(whole), models, console)


def _groups(whole: Verdict) -> str:
    sizes = whole.group_sizes
    if not sizes:
        return "none"
    return f"{whole.n_groups:,} ({words.span(min(sizes), max(sizes))} {whole.unit.many} each)"


def _grid(tables: Iterable[tuple[str, str]]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, overflow="ellipsis")
    grid.add_column(overflow="fold")
    for name, rows in tables:
        grid.add_row(Text(printable(name)), Text(rows))
    return grid
