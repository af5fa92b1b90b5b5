"""Draw compare.svg and frontier.svg, the plots of docs/compare.md and docs/frontier.md.

python docs/figures/draw_compare.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import shoal
from shoal.datasets import copy_adult

METHODS = ["mondrian", "mstk", "tgc", "k-member", "t-clustering", "oka", "flash"]
HERE = Path(__file__).parent


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        copy_adult(folder)
        data, policy = folder / "adult.csv", folder / "policy.yaml"
        ks = [2, 5, 10, 25, 50]
        found = shoal.compare(data, policy, algorithms=METHODS, k=ks, measures=["loss"])
        found.plot("loss").write(HERE / "compare.svg")
        front = shoal.frontier(data, policy, algorithms="tgc", runs=60)
        front.plot().write(HERE / "frontier.svg")
        print(found.plot("loss").sentence)  # noqa: T201
        print(front.plot().sentence)  # noqa: T201


if __name__ == "__main__":
    main()
