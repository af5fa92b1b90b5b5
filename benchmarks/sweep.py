"""Measure sweep on Adult and write its table to benchmarks/README.md.

    python benchmarks/sweep.py                 default effort, seeds 0 to 4
    python benchmarks/sweep.py --seconds 30    searches of so many seconds, seed 0, printed only
    python benchmarks/sweep.py --part eight    one table of columns, printed only

With the ARX project's hierarchies, which are not part of this repository: set SHOAL_SHARED to the
folder that has `data/adult`. Seconds are processor seconds of grouping, kernels compiled.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
from _measure import MILLION, SHARED, machine, write_between, yardstick
from tables import resampled_adult

import shoal

ADULT = SHARED / "data" / "adult"
EIGHT = [
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass",
    "salary-class",
]  # fmt: skip
COLUMNS = {"nine": [*EIGHT, "occupation"], "eight": EIGHT}
KS = (5, 10, 25, 50)
MOST = {
    ("nine", 5): 0.0510, ("nine", 10): 0.0752, ("nine", 25): 0.1130, ("nine", 50): 0.1482,
    ("eight", 5): 0.0273, ("eight", 10): 0.0418, ("eight", 25): 0.0675, ("eight", 50): 0.0940,
}  # fmt: skip


def main() -> None:
    if not ADULT.exists():
        sys.exit("the ARX project's hierarchies are not there; set SHOAL_SHARED to their folder")
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--part", choices=sorted(COLUMNS))
    options = parser.parse_args()
    parts = [options.part] if options.part else list(COLUMNS)
    seeds = range(5) if options.seconds is None else range(1)
    with tempfile.TemporaryDirectory() as name:
        million = Path(name) / "million.csv"
        resampled_adult(MILLION).write_csv(million)
        measured = yardstick(million)
    rows = list(table(parts, seeds, shoal.Sweep(seconds=options.seconds), measured))
    head = f"{machine()}, {time.strftime('%B %Y')}. The yardstick took {measured:.2f} s."
    text = "\n".join([head, "", *rows])
    print(text)
    if options.part is None and options.seconds is None:
        write_between("sweep tables", text)


def table(
    parts: Sequence[str], seeds: Sequence[int], algorithm: shoal.Sweep, measured: float
) -> Iterator[str]:
    yield "| columns | k | best | mean | at most | CPU s | ÷ yardstick (≤ 30) |"
    yield "|--" * 7 + "|"
    for part in parts:
        for k in KS:
            runs = [once(part, k, seed, algorithm) for seed in seeds]
            losses, seconds = [loss for loss, _ in runs], statistics.mean(s for _, s in runs)
            yield (
                f"| {part} | {k} | {min(losses):.5f} | {statistics.mean(losses):.5f} "
                f"| {MOST[part, k]:.4f} | {seconds:.1f} | {seconds / measured:.0f} |"
            )


def once(part: str, k: int, seed: int, algorithm: shoal.Sweep) -> tuple[float, float]:
    """The loss of a release, and the processor seconds that it took from frame to frame."""
    names = COLUMNS[part]
    frame = pl.read_csv(ADULT / "adult.csv", separator=";", infer_schema=False).select(names)
    quasi = {name: shoal.levels(ADULT / f"adult_hierarchy_{name}.csv") for name in names}
    privacy = [shoal.KAnonymity(k)]
    if seed == 0:  # compiles or loads the kernels
        shoal.anonymize(frame.head(500), quasi=quasi, privacy=privacy, algorithm="sweep")
    start = time.process_time()
    release = shoal.anonymize(frame, quasi=quasi, privacy=privacy, algorithm=algorithm, seed=seed)
    return release.measures["loss"], time.process_time() - start


if __name__ == "__main__":
    main()
