"""Draw mstk.svg: the spanning tree of the paper's seven records, and where it is cut for k = 2.

python docs/figures/draw_mstk.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

import shoal
from shoal.encode.encode import encode
from shoal.group.cluster._spanning_tree import spanning_tree
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.threads import spread_over
from shoal.read.source import Source
from shoal.runs.inputs import read_columns

WIDTH, HEIGHT = 720, 330
AGE = [
    (str(age), f"[{ten}-{ten + 9}]", f"[{ten // 20 * 20}-{ten // 20 * 20 + 19}]", "*")
    for age in (21, 26, 33, 37, 45, 48, 50)
    for ten in [(age - 1) // 10 * 10]
]  # 50 belongs to the forties, as in the paper
SEX = [("M", "*"), ("F", "*")]
ZIP = [
    (code, f"{code[:4]}*", f"{code[:3]}**", "*")
    for code in ("13051", "13053", "13063", "13068", "14851", "14856", "14865")
]
PATIENTS = pl.DataFrame(
    {
        "age": [path[0] for path in AGE],
        "sex": list("MMFFMFM"),
        "zip": [path[0] for path in ZIP],
    }
)
PLACES = [(80, 80), (80, 240), (580, 240), (640, 90), (250, 120), (420, 170), (250, 270)]
COLOURS = ["#0a7ea4", "#b4532a", "#5a7d2a"]


def main() -> None:
    rules = shoal.Policy.of_roles(
        quasi={"age": shoal.levels(AGE), "sex": shoal.levels(SEX), "zip": shoal.levels(ZIP)},
        privacy=[shoal.KAnonymity(2)],
        algorithm="mstk",
    )
    schema = rules.schema_for(PATIENTS.columns)
    columns = read_columns(Source.of_frame(PATIENTS), rules, schema.quasi)
    table = encode(columns, schema, missing="category", unknown="error").table
    with spread_over(1) as spread:
        tree = spanning_tree(table.codes, diameter_ruler_of(table), spread)
    edges = list(zip(tree.first.tolist(), tree.second.tolist(), tree.weights * 2, strict=True))
    groups = rules.anonymize(PATIENTS).groups.tolist()
    target = Path(__file__).with_name("mstk.svg")
    target.write_text("\n".join(svg(edges, groups)) + "\n", encoding="utf-8")


def svg(edges: list[tuple[int, int, float]], groups: list[int]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#334">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    for first, second, weight in edges:
        yield from edge(first, second, weight, is_cut=groups[first] != groups[second])
    for record, ((x, y), group) in enumerate(zip(PLACES, groups, strict=True)):
        yield f'<circle cx="{x}" cy="{y}" r="15" fill="{COLOURS[group]}"/>'
        yield f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="#fff">{record + 1}</text>'
        cells = ", ".join(PATIENTS.row(record))
        yield (
            f'<text x="{x}" y="{y + 33}" text-anchor="middle" font-size="12" '
            f'stroke="#fff" stroke-width="5" paint-order="stroke">{cells}</text>'
        )
    yield "</svg>"


def edge(first: int, second: int, weight: float, *, is_cut: bool) -> Iterator[str]:
    (x1, y1), (x2, y2) = PLACES[first], PLACES[second]
    look = 'stroke="#b8c2cc" stroke-dasharray="6 5"' if is_cut else 'stroke="#334"'
    yield f'<path d="M{x1} {y1}L{x2} {y2}" stroke-width="2" {look}/>'
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    yield f'<rect x="{x - 20}" y="{y - 11}" width="40" height="20" fill="#fff"/>'
    yield f'<text x="{x}" y="{y + 4}" text-anchor="middle">{weight:.2f}</text>'


if __name__ == "__main__":
    main()
