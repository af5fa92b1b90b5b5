"""A release or a verdict in a few lines of a terminal.

Colour is never the only signal: a model *holds* or *FAILS* in words. Nothing is written as
markup, so that a column called `[red]` is shown as it is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from shoal.errors import counted
from shoal.report import words
from shoal.report.printable import printable
from shoal.report.summarise import Facts, finding_facts, summarise
from shoal.types.disclosed import disclosed_facts

if TYPE_CHECKING:
    from shoal.release.release import Release
    from shoal.types.verdict import Verdict

WIDEST = 80
LONGEST_NAME = 30
MOST_COLUMNS = 5
BAR_WIDTH = 20
COLOURS: dict[words.Standing, str] = {"holds": "green", "rows": "yellow", "fails": "red"}


def print_summary(release: Release, console: Console) -> None:
    """What was released, how private it is and what it cost."""
    facts = summarise(release)
    if facts["cost"]:
        console.print(Text(printable(facts["cost"]), "bold yellow"), width=_width(console))
    print_promises(facts["headline"], facts["standing"], facts["privacy"], console)
    ink = "#" if console.options.ascii_only else "█"
    rows: list[tuple[RenderableType, RenderableType]] = [
        (Text("Records"), Text(_records(facts["records"]))),
        *_people(facts["people"]),
        (Text("Groups"), Text(_groups(facts))),
        (Text("Detail lost"), losses(facts, ink)),
        *_bound(facts["bound"]),
        *_discloses(facts["discloses"]),
        (Text("Measures"), Text(_measures(facts["measures"]))),
        *((Text("Use"), Text(printable(_use(one)))) for one in facts["utility"]),
        *_tried(facts["tried"]),
        *((Text(title), Text(text)) for title, text in _search(facts)),
        (Text("Time"), Text(seconds_of_stages(facts["run"]["seconds"]))),
    ]
    print_pairs(rows, console)
    if facts["neighbours"]:
        _print_neighbours(facts["neighbours"], console)
    print_list("Check before sharing", facts["notes"], console)


def print_verdict(verdict: Verdict, console: Console) -> None:
    """What was found in a table that somebody released."""
    models = [finding_facts(finding, verdict.unit) for finding in verdict.findings]
    print_promises(words.headline(verdict), words.standing(verdict), models, console)
    records = words.records_of_people(verdict.n_records, verdict.n_people)
    groups = counted(verdict.n_groups, "group")
    sizes = verdict.group_sizes
    extent = f" ({words.span(min(sizes), max(sizes))} {verdict.unit.many} each)" if sizes else ""
    summary = Text(f"{records} in {groups}{extent}")
    told = _discloses(disclosed_facts(verdict.discloses))
    print_pairs([(Text("Counted"), summary), *told], console)
    leaks = map(words.leak, verdict.leaks)
    print_list("LEAKS: remove these from the release", leaks, console)
    print_list("Check before sharing", verdict.notes, console)


def print_promises(
    headline: str, standing: words.Standing, models: Iterable[Facts], console: Console
) -> None:
    """The verdict, and under it what each model demands and what was found."""
    console.print(Text(headline, f"bold {COLOURS[standing]}"), width=_width(console))
    print_pairs(
        (
            (
                Text("holds", "green") if model["holds"] else Text("FAILS", "bold red"),
                _model(model),
            )
            for model in models
        ),
        console,
    )


def _model(model: Facts) -> Text:
    about = "" if model["column"] is None else f" of {model['column']!r}"
    lines = [
        Text.assemble((model["model"], "bold"), f"{about}, {model['parameters']}"),
        Text(f"required: {model['requires']}", "dim"),
        Text(f"found: {model['achieved']} {model['failing'] or ''}".rstrip(), "dim"),
    ]
    return Text("\n").join(lines)


def _records(records: Mapping[str, int]) -> str:
    suppressed = records["suppressed"]
    share = words.share(suppressed, records["read"])
    left_out = f"{suppressed:,} suppressed ({share})" if suppressed else "none suppressed"
    return f"{records['released']:,} released of {records['read']:,}, {left_out}"


def _people(people: Facts | None) -> list[tuple[RenderableType, RenderableType]]:
    """How many people the records are of, where that is known."""
    if people is None:
        return []
    read = "" if people["read"] is None else f" of {people['read']:,}"
    return [(Text("People"), Text(f"{people['released']:,} released{read}"))]


def _discloses(facts: Facts) -> list[tuple[RenderableType, RenderableType]]:
    """What cells tell besides what they cover, where they do."""
    told = words.discloses(facts)
    return [(Text("Cells tell"), Text(printable(told)))] if told else []


def _groups(facts: Facts) -> str:
    sizes = facts["sizes"]
    if not sizes["bins"]:
        return "none"
    extent = words.span(sizes["smallest"], sizes["largest"])
    median = words.number(sizes["median"])
    return f"{facts['groups']:,} ({extent} {facts['unit']['many']} each, median {median})"


def losses(facts: Facts, ink: str) -> RenderableType:
    """The mean, and the columns that lost most, with bars."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, overflow="ellipsis", max_width=LONGEST_NAME)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    columns = facts["loss_by_column"]
    for entry in columns[:MOST_COLUMNS]:
        bar = Text(ink * round(BAR_WIDTH * entry["loss"]), "cyan")
        grid.add_row(Text(printable(entry["column"])), Text(words.share(entry["loss"])), bar)
    n_more = len(columns) - MOST_COLUMNS
    if n_more > 0:
        grid.add_row(Text(f"and {counted(n_more, 'more column')}", "dim"))
    if facts["loss"] is None:
        return grid
    return Group(Text(f"{words.share(facts['loss'])} on average, most in"), grid)


def _bound(bound: Facts | None) -> list[tuple[RenderableType, RenderableType]]:
    """How far the loss is from the least possible, where that was computed."""
    return [] if bound is None else [(Text("Optimum"), Text(bound["says"]))]


def _measures(measures: Iterable[Facts]) -> str:
    return ", ".join(f"{entry['name']} {words.number(entry['value'])}" for entry in measures)


def _use(one: Facts) -> str:
    """A measure that the policy asks for."""
    required = f", required {one['requires']}" if one["requires"] else ""
    behind = f" ({one['behind']})" if one["behind"] else ""
    return f"{one['measure']} {words.number(one['value'])}{required}{behind}"


def _tried(tried: Facts | None) -> list[tuple[RenderableType, RenderableType]]:
    return [] if tried is None else [(Text("Tried"), Text(words.tried(tried)))]


def _search(facts: Facts) -> list[tuple[str, str]]:
    """The levels of a full-domain release, and how they were found."""
    run = facts["run"]
    if not facts["levels"] or "checks" not in run:
        return []
    levels = ", ".join(f"{e['column']} {e['level']} of {e['height']}" for e in facts["levels"])
    metric = run["options"].get("metric", "its metric")
    proof = f"optimal for {metric} (proven)" if run["optimal"] else "not proven to be optimal"
    return [
        ("Levels", printable(levels)),
        ("Search", f"{proof}: {words.search(run)}"),
    ]


def _print_neighbours(neighbours: Facts, console: Console) -> None:
    """What each column would cost one level lower and one higher."""
    title = (
        f"One level up or down per column (suppression limit: {neighbours['limit']}; "
        "failing groups are counted as suppressed)"
    )
    console.print(Padding(Text(title, "bold"), (1, 0, 0, 0)))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, overflow="ellipsis", max_width=LONGEST_NAME)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for entry in neighbours["entries"]:
        arrow = f"{entry['chosen']} to {entry['level']}"
        cost = f"{neighbours['metric']} {words.number(entry['cost'])}"
        grid.add_row(Text(printable(entry["column"])), Text(arrow), Text(cost), Text(entry["says"]))
    console.print(Padding(grid, (0, 0, 0, 2)), width=_width(console))


def seconds_of_stages(seconds: Mapping[str, float]) -> str:
    stages = ", ".join(f"{stage} {spent:.2f}" for stage, spent in seconds.items())
    return f"{words.seconds(sum(seconds.values()))} ({stages})" if stages else "not measured"


def print_pairs(
    pairs: Iterable[tuple[RenderableType, RenderableType]], console: Console, *, above: int = 1
) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for first, second in pairs:
        grid.add_row(first, second)
    console.print(Padding(grid, (above, 0, 0, 2)), width=_width(console))


def print_list(title: str, items: Iterable[str], console: Console) -> None:
    """A titled list; prints nothing if the list is empty."""
    pairs = [(Text("-"), Text(item)) for item in items]
    if pairs:
        console.print(Padding(Text(title, "bold yellow"), (1, 0, 0, 0)), width=_width(console))
        print_pairs(pairs, console, above=0)


def _width(console: Console) -> int:
    return min(console.width, WIDEST)
