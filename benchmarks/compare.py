"""Compare all quick algorithms on Adult, search a front, and write both to benchmarks/README.md.

    python benchmarks/compare.py

The points of the front are made again from their policy files, and none may beat another.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _measure import machine, write_between

import shoal
from shoal import catalog
from shoal.datasets import copy_adult

KS = [2, 5, 10, 25, 50]
NOT_TRIED = ("sweep", "auto")  # one takes minutes, the other tries several itself


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_adult(folder)
        rows = [*compared(folder), *front(folder)]
    heads = [
        "| what | runs | seconds | of all processors | found | to be reached |",
        "|--" * 6 + "|",
    ]
    text = "\n".join([f"{machine()}, {time.strftime('%B %Y')}.", "", *heads, *rows])
    print(text)
    write_between("compare tables", text)


def compared(folder: Path) -> Iterator[str]:
    algorithms = [name for name in catalog.names("algorithm") if name not in NOT_TRIED]
    start, spent = time.perf_counter(), processors()
    data, policy = folder / "adult.csv", folder / "policy.yaml"
    found = shoal.compare(data, policy, algorithms=algorithms, k=KS, folder=folder / "compared")
    found.page(folder / "page.html")
    seconds, spent = time.perf_counter() - start, processors() - spent
    n_measures = len(found.measures)
    yield (
        f"| {len(algorithms)} algorithms × k = {', '.join(map(str, KS))}, {n_measures} measures | "
        f"{len(found.runs)} | {seconds:.0f} | {spent:.0f} | {len(found.verified)} verified | "
        "180 s on two cores |"
    )


def front(folder: Path) -> Iterator[str]:
    start, spent = time.perf_counter(), processors()
    data, policy = folder / "adult.csv", folder / "policy.yaml"
    vary = {"algorithm.weights.utility": "0.0..1.0"}
    found = shoal.frontier(
        data, policy, algorithms="tgc", k="5..50", vary=vary, runs=60, folder=folder / "front"
    )
    seconds, spent = time.perf_counter() - start, processors() - spent
    points = []
    for row in found.front.iter_rows(named=True):
        rules = folder / "front" / row["policy"]
        release = shoal.anonymize(data, policy=rules)
        points.append((release.measures["loss"], release.measure("protection")))
        assert points[-1] == (row["loss"], row["protection"])
    all_points = found.frame.select("loss", "protection").rows()
    beaten = [p for p in points if any(beats(other, p) for other in all_points)]
    yield (
        f"| front of tgc over its weights and k | {len(found.runs)} | {seconds:.0f} | "
        f"{spent:.0f} | {len(points)} points, of which {len(beaten)} are beaten when made again "
        "from their files | "
        "12 points, none beaten |"
    )


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one != other


def processors() -> float:
    """Seconds that this process and those that it ended have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


if __name__ == "__main__":
    main()
