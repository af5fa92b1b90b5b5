"""The pieces that all plots are drawn with: lines, texts, marks, a frame with two axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shoal.plot.labels import kept
from shoal.plot.markup import Html, html, lines
from shoal.plot.scale import Scale
from shoal.plot.text_size import LINE, SIZE, shortened, width_of

N_COLOURS = 8
MARKS = ("circle", "square", "diamond", "triangle", "cross")
DASHES = ("", "7 4", "2 3", "9 3 2 3")
TICK = 5.0  # pixels between an axis and what it names


class Axis(NamedTuple):
    """A scale, and what its values are: every axis has a name and a unit."""

    name: str
    unit: str
    scale: Scale

    @property
    def title(self) -> str:
        log = ", log scale" if self.scale.is_log else ""
        return f"{self.name} ({self.unit}{log})"


@dataclass(frozen=True)
class Area:
    """Where values are drawn, inside a picture of `width` by `height` pixels."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float

    def x(self, scale: Scale, value: float) -> float:
        return scale.at(value, self.left, self.right)

    def y(self, scale: Scale, value: float) -> float:
        return scale.at(value, self.bottom, self.top)


def area_of(width: float, height: float, y: Axis, *, right: float) -> Area:
    """The room that is left by the names of both axes, and by `right` pixels for labels."""
    widest = max((width_of(tick.label) for tick in y.scale.ticks), default=0.0)
    return Area(
        width=width,
        height=height,
        left=widest + TICK + 5,
        top=LINE + 11,
        right=width - right,
        bottom=height - 2 * LINE - 8,
    )


def picture(area: Area, title: str, parts: Sequence[str], *, class_: str = "") -> Html:
    """The svg around what is drawn, with a title for those who hear it read."""
    return Html(
        f'<svg class="plot {class_}" viewBox="0 0 {area.width:g} {area.height:g}" role="img" '
        f'aria-label="{html(title)}" style="max-width:{area.width:g}px">'
        f"{lines(Html(part) for part in parts if part)}</svg>"
    )


def frame(area: Area, x: Axis, y: Axis) -> Iterator[str]:
    """Two axes with their names, and a light line at every value that the upright one names."""
    for tick in y.scale.ticks:
        at = area.y(y.scale, tick.value)
        yield line(area.left, at, area.right, at, class_="grid")
        yield text(area.left - TICK, at + SIZE * 0.35, tick.label, "end")
    yield text(0, SIZE, shortened(y.title, area.width), class_="name")
    places = [area.x(x.scale, tick.value) for tick in x.scale.ticks]
    widths = [width_of(tick.label) for tick in x.scale.ticks]
    starts = [_start(at, width, area) for at, width in zip(places, widths, strict=True)]
    spans = [(start, start + width) for start, width in zip(starts, widths, strict=True)]
    yield line(area.left, area.bottom, area.right, area.bottom, class_="axis")
    for i in kept(spans):
        yield line(places[i], area.bottom, places[i], area.bottom + 4, class_="axis")
        yield text(starts[i], area.bottom + LINE + 3, x.scale.ticks[i].label)
    middle = (area.left + area.right) / 2
    title = shortened(x.title, area.width)
    yield text(
        _start(middle, width_of(title), area), area.bottom + 2 * LINE + 4, title, class_="name"
    )


def _start(middle: float, width: float, area: Area) -> float:
    """Where a centred text begins, moved so that it stays in the picture."""
    return max(0.0, min(middle - width / 2, area.width - width))


def text(x: float, y: float, content: object, anchor: str = "start", class_: str = "") -> str:
    at = f' text-anchor="{anchor}"' if anchor != "start" else ""
    of = f' class="{class_}"' if class_ else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{at}{of}>{html(content)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, *, class_: str) -> str:
    return f'<path class="{class_}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def path(points: Sequence[tuple[float, float]], *, style: int) -> str:
    """A line through points in the colour and dashes of a series."""
    if len(points) < 2:
        return ""
    through = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="line" d="M{through}"{dash(style)}/>'


def dash(style: int) -> str:
    dashes = DASHES[style // N_COLOURS % len(DASHES)]
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def band(upper: Sequence[tuple[float, float]], lower: Sequence[tuple[float, float]]) -> str:
    """What lies between two lines."""
    around = "L".join(f"{x:.1f} {y:.1f}" for x, y in [*upper, *reversed(lower)])
    return f'<path class="band" d="M{around}Z"/>'


def mark(x: float, y: float, style: int, title: str = "", size: float = 3.6) -> str:
    """The sign of a series at a point; its title is shown where a pointer rests."""
    said = f"<title>{html(title)}</title>" if title else ""
    match MARKS[style % len(MARKS)]:
        case "circle":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}">{said}</circle>'
        case "square":
            d = f"h{2 * size:g}v{2 * size:g}h{-2 * size:g}z"
            start = x - size, y - size
        case "diamond":
            far = size * 1.35
            start, d = (x, y - far), f"l{far:g} {far:g}l{-far:g} {far:g}l{-far:g} {-far:g}z"
        case "triangle":
            start, d = (x, y - size * 1.2), f"l{size * 1.25:g} {size * 2.2:g}h{-size * 2.5:g}z"
        case _:
            start = x - size, y - size
            d = f"l{2 * size:g} {2 * size:g}m0 {-2 * size:g}l{-2 * size:g} {2 * size:g}"
    crossed = ' class="x"' if MARKS[style % len(MARKS)] == "cross" else ""
    return f'<path{crossed} d="M{start[0]:.1f} {start[1]:.1f}{d}">{said}</path>'


def group(style: int, parts: Sequence[str], *, class_: str = "") -> str:
    """What belongs to one series, in its colour."""
    return f'<g class="c{style % N_COLOURS} {class_}">{"".join(parts)}</g>'


def swatch(style: int) -> Html:
    """A short line with the mark of a series, for legends."""
    drawn = [path([(1, 6), (25, 6)], style=style), mark(13, 6, style)]
    return Html(
        '<svg class="plot swatch" viewBox="0 0 26 12" aria-hidden="true">'
        f"{group(style, drawn)}</svg>"
    )
