"""Draw oka.svg: what one-pass k-means does to two columns of the Adult table.

python docs/figures/draw_oka.py
"""

from __future__ import annotations

from pathlib import Path

from draw_mondrian import boxes_of, svg

from shoal.datasets import adult


def main() -> None:
    people = adult(complete=True).select("age", "hours-per-week")
    dots = people.unique().sort(people.columns).rows()
    lines = svg(boxes_of(people, "oka"), dots)
    Path(__file__).with_name("oka.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
