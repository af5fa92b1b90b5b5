"""What is drawn: no text touches another, axes have names and units, pictures stay small."""

from __future__ import annotations

import re
from html import unescape
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from shoal.plot.bar_plot import Bar, bar_plot
from shoal.plot.drawing import Axis
from shoal.plot.figure import Figure, css
from shoal.plot.line_plot import Point, Series, line_plot
from shoal.plot.point_plot import Dot, point_plot
from shoal.plot.scale import given_scale, measure_scale, spanning_scale
from shoal.plot.text_size import SIZE, width_of
from tiers import seeds

NAMES = ["mondrian", "tgc", "improved-greedy", "k-member-p", "a very long name that is cut off"]


def lines(n_series: int, xs: list[int], seed: int, *, spread: float = 0.0) -> list[Series]:
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n_series):
        figures = rng.uniform(0.2, 0.3) + np.sort(rng.uniform(0, rng.choice([0.001, 0.5]), len(xs)))
        points = [Point(x, f, f - spread, f + spread, f"{i}, {x}")
                  for x, f in zip(xs, figures, strict=True)]  # fmt: skip
        found.append(Series(f"{NAMES[i % len(NAMES)]} {i}", i, tuple(points), f"s{i}"))
    return found


def drawn_lines(series: list[Series], size=(860.0, 420.0), **how) -> str:
    values = [v for one in series for p in one.points for v in (p.low, p.high)]
    x = Axis("k", "records", given_scale([p.x for p in series[0].points]))
    y = Axis("loss", "share", measure_scale(values))
    return line_plot(series, x=x, y=y, title="loss", size=size, **how)


def boxes(svg: str) -> list[tuple[str, float, float, float, float]]:
    """Every text of a picture: what, left, top, right, bottom."""
    found = []
    for attributes, text in re.findall(r"<text ([^>]*)>(.*?)</text>", svg):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        x, y, width = float(given["x"]), float(given["y"]), width_of(unescape(text))
        left = (
            x - {"start": 0, "middle": width / 2, "end": width}[given.get("text-anchor", "start")]
        )
        found.append((text, left, y - SIZE * 0.8, left + width, y + SIZE * 0.2))
    return found


def touching(svg: str) -> list[tuple[str, str]]:
    return [
        (a[0], b[0])
        for a, b in combinations(boxes(svg), 2)
        if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]
    ]


def outside(svg: str) -> list[str]:
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    return [
        text
        for text, left, top, right, bottom in boxes(svg)
        if min(left, top) < -0.1 or right > width + 0.1 or bottom > height + 0.1
    ]


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
@pytest.mark.parametrize("n_series", [1, 5, 13, 40])
@pytest.mark.parametrize(("size", "is_labelled"), [((860.0, 420.0), True), ((340.0, 330.0), False)])
def test_no_text_of_a_line_plot_touches_another(n_series, size, is_labelled, seed):
    svg = drawn_lines(lines(n_series, [2, 5, 10, 25, 50], seed), size, is_labelled=is_labelled)

    assert len(boxes(svg)) >= (n_series if is_labelled else 0) + 6
    assert touching(svg) == []
    assert outside(svg) == []


@pytest.mark.parametrize("seed", seeds(4, thorough=40))
def test_no_text_of_a_bar_plot_touches_another(seed):
    rng = np.random.default_rng(seed)
    values = list(rng.lognormal(0, 2, 13))
    bars = [Bar(NAMES[i % 5], i, v, v * 0.9, v * 1.1, f"{v:.3g}") for i, v in enumerate(values)]
    x = Axis("dm", "records²", measure_scale([*values, 1.1 * max(values), 0.0]))

    for width in (860.0, 340.0):
        svg = bar_plot(bars, x=x, title="dm", width=width)
        assert touching(svg) == []
        assert outside(svg) == []


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
def test_no_text_of_a_front_touches_another_and_some_are_there(seed):
    rng = np.random.default_rng(seed)
    xs, ys = rng.uniform(0.1, 0.2, 40), rng.uniform(0.7, 0.9, 40)
    dots = [Dot(x, y, 0, "tgc", f"5, {x:.2f}" if i < 20 else "", i < 20)
            for i, (x, y) in enumerate(zip(xs, ys, strict=True))]  # fmt: skip

    svg = point_plot(
        dots, x=Axis("loss", "share", spanning_scale(xs)),
        y=Axis("protection", "share", spanning_scale(ys)), title="front", size=(860.0, 420.0),
    )  # fmt: skip

    assert svg.count("<text") > 12
    assert touching(svg) == []
    assert outside(svg) == []
    assert svg.count("<title>") == 40


def test_every_axis_has_a_name_and_a_unit():
    texts = [text for text, *_ in boxes(drawn_lines(lines(3, [2, 50], 0)))]

    assert "loss (share)" in texts
    assert "k (records, log scale)" in texts


def test_a_plot_of_five_lines_and_seven_points_has_about_six_kilobytes():
    svg = drawn_lines(lines(5, [2, 3, 5, 8, 13, 21, 34], 1))

    assert 3_000 < len(svg) < 7_000
    assert svg.count("<title>") == 35


def test_the_spread_over_seeds_is_drawn_as_a_band():
    assert drawn_lines(lines(2, [2, 5], 0)).count('class="band"') == 0
    assert drawn_lines(lines(2, [2, 5], 0, spread=0.01)).count('class="band"') == 2


def test_a_picture_is_xml_and_escapes_names():
    hostile = lines(1, [2, 5], 0)[0]._replace(name='<script>"&')

    root = ElementTree.fromstring(Figure("t", "s", (drawn_lines([hostile]),), (), (), ()).svg)

    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert '<script>"&' in texts


def test_each_line_has_its_own_colour_or_dashes():
    svg = drawn_lines(lines(13, [2, 5], 0))
    line = r'<path class="line" [^>]*?(?: stroke-dasharray="([^"]*)")?/>'
    looks = re.findall(rf'<g class="(c\d) series s\d+">{line}', svg)

    assert len(looks) == len(set(looks)) == 13


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("scheme", [0, 1])
def test_colours_stand_out_from_the_ground_in_light_and_dark(scheme):
    """By 4.5 to 1, as the guidelines for accessible pages ask of small text."""
    light, dark = re.findall(r"\.plot \{ (--p0:.*?)\}", css(), re.DOTALL)[:2]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", (light, dark)[scheme]))
    ground = luminance(colours.pop("ground"))
    del colours["rule"]

    assert len(colours) == 10
    for name, colour in colours.items():
        high, low = sorted([ground, luminance(colour)], reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, name
