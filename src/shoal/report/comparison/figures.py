"""A measure of a comparison as a figure: lines, panels of lines, or bars."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.comparison.comparison import Comparison
from shoal.comparison.measures import SECONDS, Measure
from shoal.plot.bar_plot import Bar, bar_plot
from shoal.plot.drawing import Axis
from shoal.plot.figure import NARROW, WIDE, Figure
from shoal.plot.line_plot import Point, Series, line_plot
from shoal.plot.markup import Html
from shoal.plot.scale import Scale, measure_scale, number
from shoal.report.comparison.layout import Found, Layout, short
from shoal.report.comparison.sentences import sentence_of

PANEL = (272.0, 230.0)  # pixels
Figures = Mapping[tuple[str, str, str], Found]


def figure_of(comparison: Comparison, measure: Measure, layout: Layout | None = None) -> Figure:
    """The plot of a measure, with a sentence on what is seen in it and a table of its figures."""
    layout = layout or Layout(comparison)
    figures = layout.figures(measure)
    better = "lower" if measure.lower_is_better else "higher"
    title = f"{measure.label}: {better} is better"
    wide, narrow = _pictures(layout, measure, figures, title)
    heads, rows = table_of(layout, figures)
    has = {name for name, _, _ in figures}
    return Figure(
        title=title,
        sentence=sentence_of(layout, measure),
        wide=wide,
        narrow=narrow,
        heads=heads,
        rows=rows,
        legend=tuple((li.name, li.style, li.class_) for li in layout.lines if li.name in has)
        if layout.x is not None
        else (),  # bars have their names next to them
    )


def table_of(
    layout: Layout, figures: Figures
) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """A row for each line and panel, a column for each value of the axis."""
    xs = [""] if layout.x is None else layout.dimensions[layout.x]
    panel = [] if layout.panel is None else [short(layout.panel)]
    heads = ("method", *panel, *(f"{layout.x} = {x}" if layout.x else "figure" for x in xs))
    rows = []
    for line in layout.lines:
        for value in layout.panels:
            found = [figures.get((line.name, x, value)) for x in xs]
            if any(found):
                of_panel = [value] if panel else []
                rows.append((line.name, *of_panel, *map(exact, found)))
    return heads, tuple(rows)


def exact(found: Found | None) -> str:
    """A figure as the table has it: six digits, and its spread where it has one.

    >>> exact(Found(0.25, 0.2, 0.3, 2)), exact(None)
    ('0.25 (0.2 to 0.3)', '–')
    """
    if found is None:
        return "–"
    spread = f" ({found.low:,.6g} to {found.high:,.6g})" if found.low < found.high else ""
    return f"{found.mean:,.6g}{spread}"


def _pictures(
    layout: Layout, measure: Measure, figures: Figures, title: str
) -> tuple[tuple[Html, ...], tuple[Html, ...]]:
    if not figures:
        return (), ()
    values = [v for found in figures.values() for v in (found.low, found.high)]
    y = Axis(axis_name(measure), measure.unit, measure_scale(values))
    if layout.x is None:
        return _bars(layout, measure, figures, title)
    x = layout.axis()
    if layout.panel is None:
        lines = series_of(layout, measure, figures, "")
        wide = line_plot(lines, x=x, y=y, title=title, size=WIDE)
        narrow = line_plot(lines, x=x, y=y, title=title, size=NARROW, is_labelled=False)
        return (wide,), (narrow,)
    panels = []
    for value in layout.panels:
        lines = series_of(layout, measure, figures, value)
        of_panel = Axis(f"{y.name}, {short(layout.panel)} = {value}", measure.unit, y.scale)
        said = f"{title}, {layout.panel} = {value}"
        panels.append(line_plot(lines, x=x, y=of_panel, title=said, size=PANEL, is_labelled=False))
    return tuple(panels), ()


def axis_name(measure: Measure) -> str:
    return "processor time" if measure is SECONDS else measure.label


def series_of(layout: Layout, measure: Measure, figures: Figures, panel: str) -> list[Series]:
    """A line for each method that has figures in a panel."""
    assert layout.x is not None
    found = []
    for line in layout.lines:
        points = [
            Point(layout.place(x), here.mean, here.low, here.high,
                  f"{line.name}, {short(layout.x)} = {x}: {number(here.mean)}")
            for x in layout.dimensions[layout.x]
            if (here := figures.get((line.name, x, panel))) is not None
        ]  # fmt: skip
        found.append(Series(line.name, line.style, tuple(points), line.class_))
    return found


def _bars(
    layout: Layout, measure: Measure, figures: Figures, title: str
) -> tuple[tuple[Html, ...], tuple[Html, ...]]:
    """Where nothing varies but the method: the best first, from 0 on."""
    values = [found.high for found in figures.values()]
    scale = measure_scale([*values, 0.0])
    scale = Scale(min(scale.low, 0.0), scale.high, scale.ticks)
    x = Axis(axis_name(measure), measure.unit, scale)
    sign = 1 if measure.lower_is_better else -1
    bars = [
        Bar(line.name, line.style, found.mean, found.low, found.high, number(found.mean),
            line.class_)
        for line in layout.lines
        if (found := figures.get((line.name, "", ""))) is not None
    ]  # fmt: skip
    bars.sort(key=lambda bar: sign * bar.value)
    wide, narrow = (bar_plot(bars, x=x, title=title, width=w) for w in (WIDE[0], NARROW[0]))
    return (wide,), (narrow,)
