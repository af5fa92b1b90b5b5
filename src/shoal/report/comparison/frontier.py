"""A front for its readers: a plot, a table in the terminal, and a page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from shoal.comparison.comparison import value_of
from shoal.comparison.frontier import Frontier
from shoal.comparison.measures import Measure
from shoal.comparison.run import Run
from shoal.errors import counted
from shoal.plot.drawing import Axis
from shoal.plot.figure import NARROW, WIDE, Figure
from shoal.plot.markup import Html, element
from shoal.plot.point_plot import Dot, point_plot
from shoal.plot.scale import number, spanning_scale
from shoal.report.comparison.layout import short
from shoal.report.comparison.page import rendered
from shoal.report.printable import printable

if TYPE_CHECKING:
    from rich.console import Console


def front_figure(frontier: Frontier) -> Figure:
    """All releases in the plane of both figures; those on the front are joined and named."""
    loss, risk = frontier.loss, frontier.risk
    methods = list(dict.fromkeys(run.method for run in frontier.runs))
    best = {run.id for run in frontier.best_runs}
    dots = [
        Dot(
            *figures,
            style=methods.index(run.method),
            title=f"{name_of(run)}: {loss.label} {number(figures[0])}, "
            f"{risk.label} {number(figures[1])}",
            label=short_name(run, with_method=len(methods) > 1) if run.id in best else "",
            is_front=run.id in best,
        )
        for run in frontier.verified
        if (figures := _figures(run, loss, risk)) is not None
    ]
    title = f"{risk.label} against {loss.label}"
    dots = near_front(dots)
    axes = [
        Axis(_directed(measure), measure.unit, spanning_scale([(dot.x, dot.y)[i] for dot in dots]))
        for i, measure in enumerate((loss, risk))
    ]
    pictures = [
        point_plot(dots, x=axes[0], y=axes[1], title=title, size=size) if dots else Html("")
        for size in (WIDE, (NARROW[0], 360.0))
    ]
    rows = [(*row_of(frontier, run), _link(frontier, run)) for run in frontier.best_runs]
    return Figure(
        title=title,
        sentence=front_sentence(frontier),
        wide=(pictures[0],),
        narrow=(pictures[1],),
        heads=(*heads_of(frontier), "policy"),
        rows=tuple(rows),
        is_open=True,
        legend=tuple((name, i, "") for i, name in enumerate(methods)) if len(methods) > 1 else (),
    )


def near_front(dots: list[Dot]) -> list[Dot]:
    """The points that are at most as far from the front as it is long: others would squash it."""
    front = [dot for dot in dots if dot.is_front]
    if len(front) < 2:
        return dots
    limits = []
    for values in ([dot.x for dot in front], [dot.y for dot in front]):
        span = max(values) - min(values)
        limits.append((min(values) - span, max(values) + span))
    (left, right), (low, high) = limits
    return [dot for dot in dots if left <= dot.x <= right and low <= dot.y <= high]


def front_sentence(frontier: Frontier) -> str:
    """How many are on the front, what it spans, how even it is, and where it bends."""
    runs = frontier.best_runs
    if not runs:
        return "No run has both figures."
    loss, risk = frontier.loss, frontier.risk
    if len(runs) == 1:
        return (
            f"One run, {name_of(runs[0])}, is best in both, so there is nothing to trade here. "
            "Another `--risk`, such as average-risk, or another `--loss` may show a trade-off."
        )
    said = f"{len(runs)} of {counted(len(frontier.runs), 'run')} are beaten by no other in both."
    first, last = runs[0], runs[-1]
    said += (
        f" They reach from {name_of(first)} ({_both(first, loss, risk)}) to {name_of(last)} "
        f"({_both(last, loss, risk)})."
    )
    gaps = frontier.gaps
    said += f" The widest step between neighbours is {max(gaps):.0%} of the whole front."
    bend = bend_of(frontier)
    if bend is not None:
        said += f" It bends most at {name_of(bend)} ({_both(bend, loss, risk)})."
    names = " and ".join(["k", *(short(path) for path in frontier.paths)])
    return f"{said} Points are labelled with {names}; runs far from the front are not drawn."


def bend_of(frontier: Frontier) -> Run | None:
    """The point that is farthest below the straight line between both ends, if any is."""
    runs = frontier.best_runs
    costs = [cost for run in runs if (cost := frontier.costs_of(run)) is not None]
    if len(costs) < 3:
        return None
    (x0, y0), (x1, y1) = costs[0], costs[-1]
    gains = [1 - (x - x0) / (x1 - x0) - (y - y1) / (y0 - y1) for x, y in costs]
    best = max(range(len(gains)), key=lambda i: gains[i])
    return runs[best] if gains[best] > 0 else None


def print_frontier(frontier: Frontier, console: Console) -> None:
    """The front, from the lowest loss to the lowest risk."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for i, head in enumerate(heads_of(frontier)):
        table.add_column(escape(printable(head)), justify="right" if i else "left")
    for run in frontier.best_runs:
        table.add_row(*(escape(printable(str(cell))) for cell in row_of(frontier, run)))
    console.print(table)
    console.print(front_sentence(frontier), markup=False, style="dim")


def front_page(frontier: Frontier) -> str:
    figure = front_figure(frontier)
    n = len(frontier.best_runs)
    about = f"{frontier.loss.summary} {frontier.risk.summary}"
    section = element(
        "section",
        element("h2", figure.title),
        element("p", about, class_="about"),
        figure.html(),
        class_="fig",
    )
    return rendered(
        frontier,
        kind="frontier",
        title=f"{counted(n, 'release')} that no other beats in both "
        f"{frontier.loss.label} and {frontier.risk.label}",
        lead=f"{counted(len(frontier.runs), 'run')} on {counted(frontier.n_records, 'record')}; "
        f"{len(frontier.verified):,} verified.",
        figures=section,
    )


def heads_of(frontier: Frontier) -> tuple[str, ...]:
    paths = (short(path) for path in frontier.paths)
    return ("method", "k", *paths, frontier.loss.label, frontier.risk.label)


def row_of(frontier: Frontier, run: Run) -> tuple[object, ...]:
    options = (run.options.get(path, "–") for path in frontier.paths)
    figures = (value_of(run, measure) for measure in (frontier.loss, frontier.risk))
    return run.method, run.k, *options, *(f"{value:,.6g}" for value in figures)


def _link(frontier: Frontier, run: Run) -> object:
    """To the policy of a run, if there is a folder with it."""
    if frontier.folder is None:
        return run.id
    file = frontier.policy_file(run)
    return element("a", file.partition("/")[2], href=file)


def name_of(run: Run) -> str:
    said = (f"{short(path)} = {value}" for path, value in run.options.items())
    return ", ".join([run.method, f"k = {run.k:,}", *said])


def short_name(run: Run, *, with_method: bool) -> str:
    """For the plot: values without their names, `tgc 5, 0.25`."""
    values = ", ".join([f"{run.k:,}", *run.options.values()])
    return f"{run.method} {values}" if with_method else values


def _directed(measure: Measure) -> str:
    return f"{measure.label}, {'lower' if measure.lower_is_better else 'higher'} is better"


def _both(run: Run, loss: Measure, risk: Measure) -> str:
    figures = _figures(run, loss, risk)
    assert figures is not None
    return f"{loss.label} {number(figures[0])}, {risk.label} {number(figures[1])}"


def _figures(run: Run, loss: Measure, risk: Measure) -> tuple[float, float] | None:
    x, y = value_of(run, loss), value_of(run, risk)
    if x is None or y is None or not (math.isfinite(x) and math.isfinite(y)):
        return None
    return x, y
