"""Draw a picture of each full-domain algorithm: the nodes it checks in a small lattice, in order.

python docs/figures/draw_lattice.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import shoal
from shoal.datasets import adult, copy_adult
from shoal.group.lattice._checker import Check, Checker
from shoal.group.lattice._full_domain import FullDomain
from shoal.group.lattice._grid import Grid, Node
from shoal.group.lattice._search import Search

ALGORITHMS = ("datafly", "samarati", "improved-greedy", "incognito", "ola", "flash")
K, SUPPRESSION = 50, 0.01
WIDTH, HEIGHT = 720, 620
LEFT, BOTTOM, UNIT, STEP = 372, 532, 82, 54  # where the bottom is, and how far apart nodes are
LARGE, SMALL = 14, 7  # radius of a node that was checked, and of the others
BLUE, GREY, INK = "#0a7ea4", "#9ab", "#334"
LABEL = "under each node: the levels of age, relationship, workclass"


class Run(NamedTuple):
    """What an algorithm checked, in order, and what it chose."""

    checks: list[Check]
    chosen: Node


class Picture(NamedTuple):
    """What there is to see: which nodes hold, and what an algorithm did."""

    holds: dict[Node, bool]
    loss: dict[Node, float]
    checked: list[Node]
    chosen: Node
    cheapest: Node


def main() -> None:
    every = run(Everything())
    holds = {check.node: check.holds for check in every.checks}
    loss = {check.node: check.cost for check in every.checks}
    for name in ALGORITHMS:
        found = run(name)
        checked = [check.node for check in found.checks]
        picture = Picture(holds, loss, checked, found.chosen, cheapest=every.chosen)
        target = Path(__file__).with_name(f"{name}.svg")
        target.write_text("\n".join(svg(picture)) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Everything(FullDomain):
    """Checks every node, and so knows the cheapest."""

    def walk(self, search: Search) -> bool:
        for height in range(search.grid.height + 1):
            for _ in search.checks(search.grid.at_height(height)):
                pass
        return True


def run(algorithm: str | FullDomain) -> Run:
    noted: list[Check] = []
    check_nodes = Checker.check

    def check_and_note(checker: Checker, nodes: Sequence[Node]) -> list[Check]:
        noted.extend(checks := check_nodes(checker, nodes))
        return checks

    Checker.check = check_and_note
    quasi = columns()
    release = shoal.anonymize(
        adult(complete=True).select(*quasi),
        quasi=quasi,
        privacy=[shoal.KAnonymity(K)],
        algorithm=algorithm,
        suppression=SUPPRESSION,
    )
    Checker.check = check_nodes
    summary = release.summary()
    # The last checks: those before them are of the rehearsal that loads the kernels.
    return Run(noted[-summary["checks"] :], tuple(summary["levels"].values()))


def columns() -> dict[str, Any]:
    """Three columns with hierarchies of the heights 4, 2 and 3."""
    with TemporaryDirectory() as folder:
        copy_adult(Path(folder))
        tables = Path(folder) / "hierarchies"
        return {
            "age": shoal.intervals(5, 10, 20),
            "relationship": shoal.levels(tables / "relationship.csv"),
            "workclass": shoal.levels(tables / "workclass.csv"),
        }


def svg(picture: Picture) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13" fill="{INK}" text-anchor="middle">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    grid = Grid(max(picture.holds))
    steps = [(node, above) for node in picture.holds for above in grid.above(node)]
    lines = "".join(f"M{across(a):.0f} {up(a):.0f}L{across(b):.0f} {up(b):.0f}" for a, b in steps)
    yield f'<path d="{lines}" stroke="{GREY}" stroke-opacity="0.45" fill="none"/>'
    for node in picture.holds:
        yield from node_svg(node, picture)
    yield from legend(picture)
    yield "</svg>"


def node_svg(node: Node, picture: Picture) -> Iterator[str]:
    x, y = across(node), up(node)
    order = picture.checked.index(node) + 1 if node in picture.checked else None
    radius = LARGE if order else SMALL
    yield circle(x, y, radius, is_filled=picture.holds[node])
    if order:
        colour = "#fff" if picture.holds[node] else INK
        yield f'<text x="{x:.0f}" y="{y + 4.5:.0f}" fill="{colour}">{order}</text>'
    if node == picture.chosen:
        yield ring(x, y, radius + 4)
    elif node == picture.cheapest:
        yield ring(x, y, radius + 4, is_dashed=True)
    below = y + radius + (15 if node in (picture.chosen, picture.cheapest) else 11)
    weight = ' font-weight="bold"' if node == picture.chosen else ""
    levels = " ".join(map(str, node))
    halo = 'stroke="#fff" stroke-width="3" paint-order="stroke"'
    yield f'<text x="{x:.0f}" y="{below:.0f}" font-size="10" {halo}{weight}>{levels}</text>'


def legend(picture: Picture) -> Iterator[str]:
    y = HEIGHT - 24
    yield circle(32, y, SMALL, is_filled=True)
    yield words(44, y, "holds")
    yield circle(102, y, SMALL, is_filled=False)
    yield words(114, y, "fails")
    yield circle(174, y, LARGE, is_filled=False)
    yield f'<text x="174" y="{y + 4.5}">1</text>' + words(194, y, "checked, in this order")
    yield ring(356, y, SMALL + 2)
    loss = f"{picture.loss[picture.chosen]:.3f}"
    if picture.chosen == picture.cheapest:
        yield words(371, y, f"chosen: loss {loss}, the least there is")
    else:
        yield words(371, y, f"chosen: loss {loss}")
        yield ring(517, y, SMALL + 2, is_dashed=True)
        yield words(532, y, f"best: loss {picture.loss[picture.cheapest]:.3f}")
    yield f'<text x="30" y="30" text-anchor="start" font-size="10">{LABEL}</text>'


def words(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y + 4.5}" text-anchor="start">{text}</text>'


def circle(x: float, y: float, radius: float, *, is_filled: bool) -> str:
    fill = BLUE if is_filled else "#fff"
    stroke = BLUE if is_filled else GREY
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius}" fill="{fill}" stroke="{stroke}" '
        'stroke-width="1.6"/>'
    )


def ring(x: float, y: float, radius: float, *, is_dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="4 3"' if is_dashed else ""
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius}" fill="none" stroke="{INK}" '
        f'stroke-width="2.2"{dashes}/>'
    )


def across(node: Node) -> float:
    """The three columns lean left, a little right and right: no two nodes of a height meet."""
    return LEFT + UNIT * (-node[0] + node[1] / 3 + node[2])


def up(node: Node) -> float:
    return BOTTOM - STEP * sum(node)


if __name__ == "__main__":
    main()
