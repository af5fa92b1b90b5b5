"""Draw tgc.svg: what TGC keeps and what it discloses for different weights, and others beside it.

python docs/figures/draw_tgc.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import shoal
from shoal.datasets import adult, copy_adult
from shoal.encode.encode import encode
from shoal.group.cluster._diversity import diversity_figures
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.table import Table

K = 10
QUASI = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass")
SENSITIVE = "occupation"
WIDTH, HEIGHT, MARGIN = 720, 440, 90
LOSS, DISCLOSED = (0.0, 6.0), (0.38, 0.66)  # what the axes show


class Point(NamedTuple):
    name: str
    loss: float
    disclosed: float
    is_tgc: bool


def main() -> None:
    table = people()
    points = [point(f"{share:g}", tgc(share), table) for share in (1, 0.75, 0.5, 0.25, 0.1, 0)]
    points += [
        point(name, algorithm(name), table, is_tgc=False)
        for name in ("mondrian", "k-member", "k-member-p")
    ]
    target = Path(__file__).with_name("tgc.svg")
    target.write_text("\n".join(svg(points)) + "\n", encoding="utf-8")


def people() -> Table:
    """Seven columns of Adult, and the occupation as a sensitive one."""
    frame = adult(complete=True).select(*QUASI, SENSITIVE)
    with TemporaryDirectory() as folder:
        copy_adult(Path(folder))
        hierarchies = {
            name: shoal.levels(Path(folder) / "hierarchies" / f"{name}.csv")
            for name in frame.columns
            if name != "age"
        }
        policy = shoal.Policy.of_roles(
            quasi={name: hierarchies.get(name) for name in QUASI},
            sensitive={SENSITIVE: hierarchies[SENSITIVE]},
            privacy=[shoal.KAnonymity(K)],
        )
        schema = policy.schema_for(frame.columns)
        source = Source.of_frame(frame)
        columns = read_columns(source, policy, schema.quasi + schema.sensitive)
        return encode(columns, schema, missing="category", unknown="error").table


def tgc(utility: float) -> Any:
    weights = {"utility": utility, "protection": 1 - utility}
    return algorithm({"name": "tgc", "weights": weights})


def algorithm(name: Any) -> Any:
    privacy = [shoal.KAnonymity(K)]
    return shoal.Policy.of_roles(quasi=["age"], privacy=privacy, algorithm=name).algorithm


def point(name: str, algorithm: Any, table: Table, *, is_tgc: bool = True) -> Point:
    grouping = algorithm.group(table, Privacy((shoal.KAnonymity(K),)), Limits())
    figures = diversity_figures(grouping, table, 1.0)
    return Point(name, figures["utility_by_record"], figures["protection_by_record"], is_tgc)


def svg(points: list[Point]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#334">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    line = " ".join(f"{across(p.loss):.1f},{up(p.disclosed):.1f}" for p in points if p.is_tgc)
    yield f'<polyline points="{line}" fill="none" stroke="#0a7ea4" stroke-opacity="0.5"/>'
    for p in points:
        x, y = across(p.loss), up(p.disclosed)
        colour, side, anchor = ("#0a7ea4", 9, "start") if p.is_tgc else ("#c2541b", -9, "end")
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
        yield (
            f'<text x="{x + side:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}" '
            f'fill="{colour}">{p.name}</text>'
        )
    for value in range(6):
        yield f'<text x="{across(value):.0f}" y="{HEIGHT - 36}" text-anchor="middle">{value}</text>'
    for value in (0.4, 0.5, 0.6):
        yield f'<text x="48" y="{up(value) + 4:.0f}" text-anchor="end">{value}</text>'
    yield (
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">detail lost '
        "(Q-diversity of a record's cells)</text>"
    )
    yield (
        f'<text x="18" y="{HEIGHT / 2}" transform="rotate(-90 18 {HEIGHT / 2})" '
        'text-anchor="middle">disclosed (S-diversity of its group)</text>'
    )
    yield "</svg>"


def across(loss: float) -> float:
    low, high = LOSS
    return MARGIN + (loss - low) / (high - low) * (WIDTH - MARGIN - 20)


def up(disclosed: float) -> float:
    low, high = DISCLOSED
    return HEIGHT - 60 - (disclosed - low) / (high - low) * (HEIGHT - 80)


if __name__ == "__main__":
    main()
