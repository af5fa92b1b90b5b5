"""Draw t-clustering.svg: balanced severity, and how close to the table's the values are.

python docs/figures/draw_t_clustering.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from shoal.datasets import adult

K = 16
WIDTH, HEIGHT, MARGIN, GAP = 720, 330, 50, 30
QUASI = ["age", "sex", "education"]
OCCUPATIONS = [  # as the leaves of ARX's hierarchy stand: severities from 1 to 10 in this order
    "Tech-support", "Craft-repair", "Other-service", "Sales", "Exec-managerial", "Prof-specialty",
    "Handlers-cleaners", "Machine-op-inspct", "Adm-clerical", "Farming-fishing",
    "Transport-moving", "Priv-house-serv", "Protective-serv", "Armed-Forces",
]  # fmt: skip
SEVERITY = {name: 1 + 9 * i / (len(OCCUPATIONS) - 1) for i, name in enumerate(OCCUPATIONS)}


def main() -> None:
    people = adult(complete=True).select(*QUASI, "occupation")
    clouds = {name: cloud(people, name) for name in ("k-member", "t-clustering")}
    target = Path(__file__).with_name("t-clustering.svg")
    target.write_text("\n".join(svg(clouds)) + "\n", encoding="utf-8")


def cloud(people: pl.DataFrame, algorithm: str) -> list[tuple[float, float]]:
    """For each group, its mean severity by the table's and its distance from the table's values."""
    release = shoal.anonymize(
        people,
        quasi=QUASI,
        sensitive={"occupation": shoal.severity(SEVERITY)},
        privacy=[shoal.KAnonymity(K)],
        algorithm=algorithm,
    )
    values = np.array([OCCUPATIONS.index(name) for name in people["occupation"]])
    severity = np.array(list(SEVERITY.values()))
    overall = np.bincount(values, minlength=len(OCCUPATIONS)) / len(values)
    counts = np.zeros((release.verdict.n_groups, len(OCCUPATIONS)))
    np.add.at(counts, (release.groups, values), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    ratios = shares @ severity / (overall @ severity)
    distances = np.abs(shares - overall).sum(axis=1) / 2
    return list(zip(ratios.tolist(), distances.tolist(), strict=True))


def svg(clouds: dict[str, list[tuple[float, float]]]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#334">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    for panel, (name, dots) in enumerate(clouds.items()):
        left, right = across(0.91, panel), across(1.09, panel)
        yield (
            f'<rect x="{left:.1f}" y="{up(1):.1f}" width="{right - left:.1f}" '
            f'height="{up(0) - up(1):.1f}" fill="#0a7ea4" fill-opacity="0.14"/>'
        )
        places = sorted({(round(across(x, panel)), round(up(y))) for x, y in dots})
        marks = "".join(f"M{x} {y}h0" for x, y in places)
        yield f'<path d="{marks}" stroke="#246" stroke-width="2.2" stroke-linecap="round"/>'
        middle = across(1, panel)
        yield f'<text x="{middle:.0f}" y="20" text-anchor="middle">{name}</text>'
        for value in (0.5, 1, 1.5):
            x = across(value, panel)
            yield f'<text x="{x:.0f}" y="{HEIGHT - 30}" text-anchor="middle">{value}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">'
    yield "mean severity of a group, by the table's</text>"
    yield f'<text x="16" y="{HEIGHT / 2}" transform="rotate(-90 16 {HEIGHT / 2})" '
    yield 'text-anchor="middle">distance from the table\'s values</text>'
    for value in (0, 0.5, 1):
        yield f'<text x="{MARGIN - 8}" y="{up(value) + 4:.0f}" text-anchor="end">{value}</text>'
    yield "</svg>"


def across(ratio: float, panel: int) -> float:
    width = (WIDTH - MARGIN - 20 - GAP) / 2
    return MARGIN + panel * (width + GAP) + (min(ratio, 1.9) - 0.3) / 1.6 * width


def up(distance: float) -> float:
    return HEIGHT - MARGIN - distance * (HEIGHT - MARGIN - 40)


if __name__ == "__main__":
    main()
