"""Draw k-member-p.svg: how many different occupations groups have, beside those of k-member.

python docs/figures/draw_k_member_p.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from draw_tgc import algorithm, people

import shoal
from shoal.group.parts.stats import stats_of_grouping
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.table import Table

K = 5
WIDTH, HEIGHT, MARGIN = 720, 360, 50
COLOURS = {"k-member": "#c2541b", "k-member-p": "#0a7ea4"}


def main() -> None:
    table = people()
    bars = {name: shares(name, table) for name in COLOURS}
    target = Path(__file__).with_name("k-member-p.svg")
    target.write_text("\n".join(svg(bars)) + "\n", encoding="utf-8")


def shares(name: str, table: Table) -> list[float]:
    """The share of the groups that have 1, 2, ... K different values."""
    grouping = algorithm(name).group(table, Privacy((shoal.KAnonymity(K),)), Limits())
    column = table.sensitive_columns[0].name
    n_distinct = stats_of_grouping(table, grouping).counts(column).n_distinct
    counts = np.bincount(np.minimum(n_distinct, K), minlength=K + 1)[1:]
    return (counts / counts.sum()).tolist()


def svg(bars: dict[str, list[float]]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#334">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    room = (WIDTH - 2 * MARGIN) / K
    for i, (name, found) in enumerate(bars.items()):
        yield f'<text x="{MARGIN + 10}" y="{30 + 20 * i}" fill="{COLOURS[name]}">{name}</text>'
        for n, share in enumerate(found):
            left, height = MARGIN + n * room + 12 + i * room * 0.4, share * (HEIGHT - 90)
            top = HEIGHT - MARGIN - height
            yield (
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{room * 0.36:.1f}" '
                f'height="{height:.1f}" fill="{COLOURS[name]}"/>'
            )
            yield (
                f'<text x="{left + room * 0.18:.1f}" y="{top - 5:.1f}" '
                f'text-anchor="middle">{share:.0%}</text>'
            )
    for n in range(K):
        x = MARGIN + (n + 0.47) * room
        yield f'<text x="{x:.0f}" y="{HEIGHT - 32}" text-anchor="middle">{n + 1}</text>'
    yield (
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">different occupations '
        "in a group</text>"
    )
    yield "</svg>"


if __name__ == "__main__":
    main()
