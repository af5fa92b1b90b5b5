"""Draw k-member.svg: what k-member does to two columns of the Adult table.

python docs/figures/draw_k_member.py
"""

from __future__ import annotations

from pathlib import Path

from draw_mondrian import boxes_of, svg

from shoal.datasets import adult


def main() -> None:
    people = adult(complete=True).select("age", "hours-per-week")
    dots = people.unique().sort(people.columns).rows()
    lines = svg(boxes_of(people, "k-member"), dots)
    Path(__file__).with_name("k-member.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
