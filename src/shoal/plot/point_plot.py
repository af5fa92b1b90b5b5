"""Points in the plane of two figures, and the front of those that no other beats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shoal.plot.drawing import Area, Axis, area_of, frame, group, mark, picture, text
from shoal.plot.markup import Html
from shoal.plot.text_size import SIZE, width_of


class Dot(NamedTuple):
    """A point; `label` is written next to it if there is room, `title` shown on demand."""

    x: float
    y: float
    style: int
    title: str
    label: str = ""
    is_front: bool = False
    class_: str = ""


def point_plot(
    dots: Sequence[Dot],
    *,
    x: Axis,
    y: Axis,
    title: str,
    size: tuple[float, float],
    class_: str = "",
) -> Html:
    """All points, those of the front larger, joined from left to right, and labelled."""
    area = area_of(*size, y, right=16)
    front = sorted((dot for dot in dots if dot.is_front), key=lambda dot: (dot.x, dot.y))
    parts = [*frame(area, x, y)]
    if len(front) > 1:
        places = [_place(dot, area, x, y) for dot in front]
        through = "L".join(f"{at:.1f} {height:.1f}" for at, height in places)
        parts.append(f'<path class="front" d="M{through}"/>')
    for dot in (*(dot for dot in dots if not dot.is_front), *front):
        at = mark(*_place(dot, area, x, y), dot.style, dot.title, 4.6 if dot.is_front else 3.0)
        of = f"{'on-front' if dot.is_front else 'beaten'} {dot.class_}".strip()
        parts.append(group(dot.style, [at], class_=of))
    parts += _labels(dots, area, x, y)
    return picture(area, title, parts, class_=class_)


def _place(dot: Dot, area: Area, x: Axis, y: Axis) -> tuple[float, float]:
    return area.x(x.scale, dot.x), area.y(y.scale, dot.y)


def _labels(dots: Sequence[Dot], area: Area, x: Axis, y: Axis) -> Iterator[str]:
    """Labels beside their points, as many as touch neither each other nor a point."""
    places = [_place(dot, area, x, y) for dot in dots]
    taken = [_around(at, height, 5) for at, height in places]
    for dot, (at, height) in zip(dots, places, strict=True):
        if not dot.label:
            continue
        for box in _beside(at, height, width_of(dot.label)):
            is_inside = area.left <= box[0] and box[2] <= area.width and box[1] >= area.top - 8
            if is_inside and box[3] <= area.bottom and not any(_touch(box, b) for b in taken):
                taken.append(box)
                yield text(box[0], box[3] - SIZE * 0.25, dot.label, class_="label")
                break


Box = tuple[float, float, float, float]  # left, top, right, bottom


def _beside(x: float, y: float, width: float) -> Iterator[Box]:
    """Where a label may stand: to the right above, to the left below, then the other corners."""
    for left, top in ((x + 6, y - SIZE - 2), (x - width - 6, y + 2), (x + 6, y + 2),
                      (x - width - 6, y - SIZE - 2), (x + 8, y - SIZE / 2)):  # fmt: skip
        yield left, top, left + width, top + SIZE


def _around(x: float, y: float, far: float) -> Box:
    return x - far, y - far, x + far, y + far


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
