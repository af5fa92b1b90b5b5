"""The risk of a table in a terminal, before and after its release.

Every figure has a sentence about it; columns are named, cells are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from shoal.errors import counted
from shoal.report import estimated, words
from shoal.report.printable import printable
from shoal.types.unit import PERSON

if TYPE_CHECKING:
    from shoal.risks.figures import AttackerRisk, Combination, Risk, TableRisk

WIDEST = 80
NARROW = 72  # below, tables have fewer columns
BAR_WIDTH = 20
Figure = Callable[["TableRisk"], str]


def print_risk(risk: Risk, console: Console, *, top: int = 10) -> None:
    """Who can be re-identified, with which columns, and how much of that the release leaves."""
    tables = [risk.data] if risk.release is None else [risk.data, risk.release]
    _print(Text(_headline(risk), "bold"), console, above=0)
    _print_attackers(risk, tables, console)
    if risk.estimates is not None:
        _print_title(estimated.title_of(risk.estimates), console)
        shown = estimated.figures(risk.estimates, risk.threshold, risk.data.unit)
        _print(shown, console, above=0)
        for sentence in estimated.sentences(risk.estimates):
            _print(Text(sentence, "dim"), console, above=0, indent=2)
    unique = f"Unique {_noun(tables) or 'people (released: records)'}"
    _print_title(f"{unique}, by how many columns an attacker knows", console)
    is_narrow = console.width < NARROW
    _print(_sizes(risk, tables, is_narrow), console, above=0)
    if top:
        _print_title("The most identifying combinations", console)
        _print(_combinations(risk, tables, top, is_narrow), console, above=0)
        n_more = len(risk.data.combinations) - top
        if n_more > 0:
            more = f"  and {counted(n_more, 'more combination')}; --json lists all"
            _print(Text(more, "dim"), console, above=0)
    _print_title("The most identifying columns", console)
    _print(_columns(risk, console), console, above=0)
    _print(Text(_what_columns_add(risk), "dim"), console, above=0, indent=2)
    if risk.notes:
        _print_title("Notes", console)
        _print(_listed(risk.notes), console, above=0)


def _headline(risk: Risk) -> str:
    data = risk.data
    sentence = (
        f"{data.n_unique:,} of {data.unit.counted(data.n_counted)} "
        f"({words.share(data.n_unique, data.n_counted)}) "
        f"{'are' if data.n_unique != 1 else 'is'} unique in "
        f"{counted(len(risk.quasi), 'quasi-identifier')}."
    )
    if risk.release is None:
        return sentence
    left, unit = risk.release.n_unique, risk.release.unit
    if unit == data.unit:
        return f"{sentence} In the release {left or 'none':{',' if left else ''}} {_is(left)}."
    return f"{sentence} In the release {unit.counted(left) if left else 'no record'} {_is(left)}."


def _is(n: int) -> str:
    return "is" if n <= 1 else "are"


def _print_attackers(risk: Risk, tables: Sequence[TableRisk], console: Console) -> None:
    """What each attacker achieves: a line for each figure, a column for each table."""
    sections = {None: _of_all(tables), **_of_attackers(risk, tables)}
    figures = [figure for section in sections.values() for figure in section.values()]
    widths = [max(len(figure(table)) for figure in figures) for table in tables]
    for heading, section in sections.items():
        if heading is not None:
            name, _, about = heading.partition(":")
            _print(Text.assemble((name, "bold cyan"), f":{about}"), console, above=0, indent=2)
        grid = _figures(_titles(tables), widths, is_headed=heading is None and len(tables) > 1)
        for label, figure in section.items():
            grid.add_row(Text(label), *(Text(figure(table)) for table in tables))
        _print(grid, console, above=heading is None)


def _noun(tables: Sequence[TableRisk]) -> str:
    """What all tables count; nothing where one counts people and the other records."""
    nouns = {table.unit.many for table in tables}
    return nouns.pop() if len(nouns) == 1 else ""


def _titles(tables: Sequence[TableRisk]) -> list[str]:
    """Of the columns of figures; where they count different things, with what they count."""
    names = ("data", "release")[: len(tables)]
    if _noun(tables):
        return list(names)
    return [f"{name}, {table.unit.many}" for name, table in zip(names, tables, strict=True)]


def _figures(titles: Sequence[str], widths: Sequence[int], *, is_headed: bool) -> Table:
    """A table as wide as the others, so that figures are aligned."""
    grid = Table(
        box=None, padding=(0, 2, 0, 0), show_header=is_headed, header_style="dim", expand=True
    )
    grid.add_column("", overflow="fold", ratio=1)
    for title, width in zip(titles, widths, strict=True):
        grid.add_column(title, justify="right", no_wrap=True, min_width=max(width, len(title)))
    return grid


def _of_all(tables: Sequence[TableRisk]) -> dict[str, Figure]:
    lines: dict[str, Figure] = {"Records": lambda table: f"{table.n_records:,}"}
    if any(table.unit == PERSON for table in tables):
        lines["People"] = lambda t: "unknown" if t.n_people is None else f"{t.n_people:,}"
    unique = f"Unique {_noun(tables)}".rstrip()
    return {**lines, unique: lambda table: _part(table.n_unique, table.n_counted)}


def _of_attackers(risk: Risk, tables: Sequence[TableRisk]) -> dict[str | None, dict[str, Figure]]:
    """The lines of each attacker, by a heading that says who that is."""
    n, noun = risk.n_population, _noun(tables)
    if n is None:
        whole = "the population"
        journalist = _of_attack(risk, _prosecutor, noun, bound=", at most")
    else:
        whole = PERSON.counted(n)
        journalist = _of_attack(risk, _journalist, noun)
    found = f"{noun} found, expected".lstrip()
    return {
        "Prosecutor: knows that the person is in the table": _of_attack(risk, _prosecutor, noun),
        f"Journalist: knows only that the person is one of {whole}": journalist,
        "Marketer: looks up everyone and counts how many are found": {
            f"  {found}": lambda t: _part(t.marketer * t.n_counted, t.n_counted)
        },
    }


def _of_attack(
    risk: Risk, attack: Callable[[TableRisk], AttackerRisk], noun: str, *, bound: str = ""
) -> dict[str, Figure]:
    above = f"{noun} above {100 * risk.threshold:.4g}%".lstrip()
    return {
        f"  highest risk{bound}": lambda table: words.share(attack(table).highest),
        f"  average risk{bound}": lambda table: words.share(attack(table).average),
        f"  {above}{bound}": lambda table: _part(attack(table).n_at_risk, table.n_counted),
    }


def _prosecutor(table: TableRisk) -> AttackerRisk:
    return table.prosecutor


def _journalist(table: TableRisk) -> AttackerRisk:
    assert table.journalist is not None
    return table.journalist


def _part(n: float, of: int) -> str:
    share = words.share(n, of)
    return f"{n:,.0f} ({share})" if n else "none"


def _sizes(risk: Risk, tables: Sequence[TableRisk], is_narrow: bool) -> Table:
    """For one, two and three known columns: how many are unique."""
    grid = _grid("known", *("on average", "released")[: len(tables)], "at most")
    if not is_narrow:
        grid.add_column("with", overflow="fold")
    for size in (1, 2, 3):
        if not risk.data.of_size(size):
            continue
        worst = max(risk.data.of_size(size), key=lambda c: (c.n_unique, c.n_groups))
        grid.add_row(
            Text(counted(size, "column")),
            *(Text(words.share(_mean(table.of_size(size)))) for table in tables),
            Text(words.share(worst.unique_share)),
            *([] if is_narrow else [Text(_names(worst) if worst.n_unique else "")]),
        )
    return grid


def _combinations(risk: Risk, tables: Sequence[TableRisk], top: int, is_narrow: bool) -> Table:
    """The worst ones, with the figures of each table."""
    shown: dict[str, Callable[[Combination], str]] = {
        "unique": lambda c: _part(c.n_unique, c.n_counted),
        "average risk": lambda c: words.share(c.average),
    }
    if is_narrow:
        del shown["average risk"]
    after = {c.columns: c for c in tables[-1].combinations}
    titles = [title for figure in shown for title in (figure, "released")[: len(tables)]]
    grid = _grid("known", *titles)
    for combination in risk.data.most_identifying()[:top]:
        versions = [combination, after[combination.columns]][: len(tables)]
        grid.add_row(
            Text(_names(combination)),
            *(Text(figure(c)) for figure in shown.values() for c in versions),
        )
    return grid


def _columns(risk: Risk, console: Console) -> Table:
    """The share of each column, and how many are unique without it."""
    ink = "#" if console.options.ascii_only else "█"
    bar_width = BAR_WIDTH if console.width >= NARROW else BAR_WIDTH // 2
    grid = _grid("column", "adds")
    grid.add_column("", no_wrap=True)
    grid.add_column("unique without it", justify="right", no_wrap=True)
    for column in risk.data.columns:
        left = column.left_out
        grid.add_row(
            Text(printable(column.column)),
            Text(words.share(column.share)),
            Text(ink * round(bar_width * column.share), "cyan"),
            Text(_part(left.n_unique, left.n_counted)),
        )
    return grid


def _what_columns_add(risk: Risk) -> str:
    sizes = {1: "one known column", 2: "two known columns", 3: "three known columns"}
    return (
        f"adds: its contribution (Shapley value) to the average risk with "
        f"{sizes[risk.contribution_size]}. "
        f"unique without it: unique {risk.data.unit.many} in all other quasi-identifiers."
    )


def _grid(first: str, *figures: str) -> Table:
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(first, overflow="fold")
    for title in figures:
        grid.add_column(title, justify="right", no_wrap=True)
    return grid


def _mean(found: Sequence[Combination]) -> float:
    return sum(c.unique_share for c in found) / len(found)


def _names(combination: Combination) -> str:
    return printable(" + ".join(combination.columns))


def _listed(notes: Iterable[str]) -> Table:
    grid = Table.grid(padding=(0, 1))
    for note in notes:
        grid.add_row(Text("-"), Text(note, overflow="fold"))
    return grid


def _print_title(title: str, console: Console) -> None:
    _print(Text(title, "bold"), console, indent=0)


def _print(
    what: Table | Text, console: Console, *, above: int = 1, indent: int | None = None
) -> None:
    left = (0 if isinstance(what, Text) else 2) if indent is None else indent
    console.print(Padding(what, (above, 0, 0, left)), width=min(console.width, WIDEST))
