"""Draw mondrian.svg: what strict Mondrian does to two columns of the Adult table.

python docs/figures/draw_mondrian.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

import shoal
from shoal.datasets import adult

K = 500
WIDTH, HEIGHT, MARGIN = 720, 440, 50


def main() -> None:
    people = adult(complete=True).select("age", "hours-per-week")
    dots = people.unique().sort(people.columns).rows()
    target = Path(__file__).with_name("mondrian.svg")
    lines = svg(boxes_of(people, "mondrian"), dots)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def boxes_of(people: pl.DataFrame, algorithm: str) -> list[tuple[int, ...]]:
    """For each group, where its box begins and ends in the first column, and in the second."""
    release = shoal.anonymize(
        people, quasi=people.columns, privacy=[shoal.KAnonymity(K)], algorithm=algorithm
    )
    values = [people[name].unique().sort().to_list() for name in people.columns]
    return [
        tuple(values[i][int(edge[i])] for i in range(len(values)) for edge in (low, high))
        for low, high in zip(release.grouping.low, release.grouping.high, strict=True)
    ]


def svg(boxes: list[tuple[int, ...]], dots: list[tuple[int, int]]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#334">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    marks = "".join(f"M{across(age):.0f} {up(hours):.0f}h0" for age, hours in dots)
    yield f'<path d="{marks}" stroke="#9ab" stroke-width="2.2" stroke-linecap="round"/>'
    for x1, x2, y1, y2 in boxes:
        left, top = across(x1) - 2, up(y2) - 2
        width, height = across(x2) - across(x1) + 4, up(y1) - up(y2) + 4
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
            'fill="#0a7ea4" fill-opacity="0.14" stroke="#0a7ea4"/>'
        )
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">age</text>'
    yield f'<text x="16" y="{HEIGHT / 2}" transform="rotate(-90 16 {HEIGHT / 2})" '
    yield 'text-anchor="middle">hours per week</text>'
    for value in (20, 40, 60, 80):
        yield f'<text x="{across(value):.0f}" y="{HEIGHT - 30}" text-anchor="middle">{value}</text>'
        yield f'<text x="{MARGIN - 8}" y="{up(value) + 4:.0f}" text-anchor="end">{value}</text>'
    yield "</svg>"


def across(age: float) -> float:
    return MARGIN + (age - 17) / 73 * (WIDTH - MARGIN - 20)


def up(hours: float) -> float:
    return HEIGHT - MARGIN - (hours - 1) / 98 * (HEIGHT - MARGIN - 20)


if __name__ == "__main__":
    main()
