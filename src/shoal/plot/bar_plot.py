"""Bars beside each other's names, for figures that belong to names and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shoal.plot.drawing import Area, Axis, group, line, picture, text
from shoal.plot.labels import kept
from shoal.plot.markup import Html, html
from shoal.plot.text_size import LINE, SIZE, shortened, width_of

ROW = 22.0  # pixels for a bar and what is around it
THICK = 13.0


class Bar(NamedTuple):
    """A figure and its spread; `figure` is how it is written."""

    name: str
    style: int
    value: float
    low: float
    high: float
    figure: str
    class_: str = ""


def bar_plot(bars: Sequence[Bar], *, x: Axis, title: str, width: float, class_: str = "") -> Html:
    """A bar for each name, its figure at its end."""
    names = [shortened(bar.name, width * 0.4) for bar in bars]
    figures = max((width_of(bar.figure) for bar in bars), default=0.0)
    area = Area(
        width=width,
        height=len(bars) * ROW + 2 * LINE + 16,
        left=max(map(width_of, names), default=0.0) + 8,
        top=4,
        right=width - figures - 10,
        bottom=len(bars) * ROW + 6,
    )
    parts = [*_axis(area, x)]
    for i, (bar, name) in enumerate(zip(bars, names, strict=True)):
        drawn = [*_bar(bar, name, area, x, area.top + (i + 0.5) * ROW)]
        parts.append(group(bar.style, drawn, class_=f"series {bar.class_}".strip()))
    return picture(area, title, parts, class_=class_)


def _axis(area: Area, x: Axis) -> Iterator[str]:
    ticks = x.scale.ticks
    places = [area.x(x.scale, tick.value) for tick in ticks]
    spans = [
        (at - width_of(tick.label) / 2, at + width_of(tick.label) / 2)
        for at, tick in zip(places, ticks, strict=True)
    ]
    for i in kept(spans):
        yield line(places[i], area.top, places[i], area.bottom, class_="grid")
        yield text(places[i], area.bottom + LINE, ticks[i].label, "middle")
    title = shortened(x.title, area.width)
    middle = (area.left + area.right) / 2
    start = max(0.0, min(middle - width_of(title) / 2, area.width - width_of(title)))
    yield text(start, area.bottom + 2 * LINE + 2, title, class_="name")


def _bar(bar: Bar, name: str, area: Area, x: Axis, middle: float) -> Iterator[str]:
    yield text(area.left - 8, middle + SIZE * 0.35, name, "end", class_="label")
    start, end = area.left, area.x(x.scale, bar.value)
    said = html(f"{bar.name}: {bar.figure}")
    yield (
        f'<rect class="bar" x="{start:.1f}" y="{middle - THICK / 2:.1f}" '
        f'width="{max(end - start, 0.5):.1f}" height="{THICK:g}"><title>{said}</title></rect>'
    )
    far = end
    if bar.low < bar.high:
        low, far = area.x(x.scale, bar.low), area.x(x.scale, bar.high)
        yield line(low, middle, far, middle, class_="spread")
    yield text(far + 6, middle + SIZE * 0.35, bar.figure, class_="figure")
