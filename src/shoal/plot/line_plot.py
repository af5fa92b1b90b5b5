"""Lines over an ordered axis, with bands where a figure has a spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shoal.plot.drawing import Area as Area
from shoal.plot.drawing import (
    Axis,
    area_of,
    band,
    frame,
    group,
    line,
    mark,
    path,
    picture,
    text,
)
from shoal.plot.labels import spread
from shoal.plot.markup import Html
from shoal.plot.text_size import LINE, SIZE, shortened, width_of

AROUND = 68.0  # pixels above and below the lines, for the names of axes
MOST_OF_WIDTH = 0.34  # that labels at the end of lines may take


class Point(NamedTuple):
    """A figure at a place; low and high are its spread."""

    x: float
    y: float
    low: float
    high: float
    title: str = ""


class Series(NamedTuple):
    """A line: its name, the number of its colour and mark, and its points from left to right."""

    name: str
    style: int
    points: tuple[Point, ...]
    class_: str = ""  # by which a page shows and hides it


def line_plot(
    series: Sequence[Series],
    *,
    x: Axis,
    y: Axis,
    title: str,
    size: tuple[float, float],
    is_labelled: bool = True,
    class_: str = "",
) -> Html:
    """Every series as a line with its name at its end; titles of points need `is_labelled`."""
    width, height = size
    drawn = [one for one in series if one.points]
    names = [shortened(one.name, width * MOST_OF_WIDTH) for one in drawn] if is_labelled else []
    right = max((width_of(name) + 22 for name in names), default=12.0)
    height = max(height, len(names) * LINE + AROUND)
    area = area_of(width, height, y, right=right)
    parts = [*frame(area, x, y)]
    ends = [area.y(y.scale, one.points[-1].y) for one in drawn]
    places = spread(ends, room=LINE, low=area.top, high=area.bottom)
    for i, one in enumerate(drawn):
        inside = [*_line(one, area, x, y, has_titles=is_labelled)]
        if is_labelled:
            last = area.x(x.scale, one.points[-1].x)
            inside += _label(names[i], area, (last, ends[i]), places[i])
        parts.append(group(one.style, inside, class_=f"series {one.class_}".strip()))
    return picture(area, title, parts, class_=class_)


def _line(one: Series, area: Area, x: Axis, y: Axis, *, has_titles: bool) -> Iterator[str]:
    def placed(point: Point, value: float) -> tuple[float, float]:
        return area.x(x.scale, point.x), area.y(y.scale, value)

    if any(point.low < point.high for point in one.points):
        upper = [placed(point, point.high) for point in one.points]
        lower = [placed(point, point.low) for point in one.points]
        if len(one.points) > 1:
            yield band(upper, lower)
        for (at, top), (_, bottom) in zip(upper, lower, strict=True):
            yield line(at, top, at, bottom, class_="spread")
    places = [placed(point, point.y) for point in one.points]
    yield path(places, style=one.style)
    for point, (at_x, at_y) in zip(one.points, places, strict=True):
        yield mark(at_x, at_y, one.style, point.title if has_titles else "")


def _label(name: str, area: Area, end: tuple[float, float], place: float) -> list[str]:
    """The name to the right of all lines, and a thin line to where its own one ends."""
    start = area.right + 14
    reach = line(end[0] + 5, end[1], area.right + 12, place, class_="reach")
    return [reach, text(start, place + SIZE * 0.35, name, class_="label")]
