"""Measure the pipeline stage by stage and print the tables of benchmarks/README.md.

    python benchmarks/run.py                all sizes, and the tables are written to the README
    python benchmarks/run.py 30000 300000   these sizes only, printed and not written

Machines are shared and noisy, so every figure that counts is a ratio to a yardstick measured
in the same run, the two taken in turns.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from _measure import MILLION, machine, run, run_shoal, write_between, yardstick
from tables import write_tables

SIZES = [30_000, 300_000, 1_000_000, 3_000_000]
REPEATS = 3
STAGES = ("read", "compile", "encode", "group", "recode", "verify", "write")

READ_AND_WRITE = """
import polars as pl, sys
pl.read_csv(sys.argv[1]).write_csv(sys.argv[2])
"""


class Size(NamedTuple):
    """The medians for one size of table."""

    rows: int
    polars: float
    whole: float
    stages: dict[str, float]
    megabytes: float
    yardstick: float


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_tables(folder, sorted({*sizes, MILLION}))
        run_shoal(folder, paths[min(paths)])  # compiles, where that was not done before
        measured = [measure(folder, paths, rows) for rows in sizes]
        text = "\n".join([*table_of(measured), "", *figures_of(measured, folder)])
    print(text)
    if sizes == SIZES:
        write_between("tables", text)


def measure(folder: Path, paths: dict[int, Path], rows: int) -> Size:
    """Yardstick, plain polars and Shoal in turns, so that noise meets all of them alike."""
    path = paths[rows]
    yardsticks, plain, ours, summaries = [], [], [], []
    for _ in range(REPEATS):
        yardsticks.append(yardstick(paths[MILLION]))
        plain.append(
            run([sys.executable, "-c", READ_AND_WRITE, str(path), str(folder / "copy.csv")])
        )
        ours.append(run_shoal(folder, path))
        summaries.append(json.loads(ours[-1].output))
    return Size(
        rows=rows,
        polars=statistics.median(process.seconds for process in plain),
        whole=statistics.median(process.seconds for process in ours),
        stages={s: statistics.median(each["seconds"][s] for each in summaries) for s in STAGES},
        megabytes=max(each["peak_memory_mb"] for each in summaries),
        yardstick=statistics.median(yardsticks),
    )


def table_of(measured: list[Size]) -> Iterator[str]:
    yield f"{machine()}, {time.strftime('%B %Y')}. Seconds, medians of {REPEATS} fresh processes."
    yield ""
    heads = ["rows", *STAGES, "whole run", "rows/s", "polars r+w", "whole ÷ polars",
             "encode+group ÷ yardstick", "peak MB"]  # fmt: skip
    yield "| " + " | ".join(heads) + " |"
    yield "|--" * len(heads) + "|"
    for size in measured:
        cells = [f"{size.rows:,}", *(f"{size.stages[stage]:.2f}" for stage in STAGES)]
        cells += [f"{size.whole:.2f}", f"{size.rows / size.whole:,.0f}", f"{size.polars:.2f}"]
        cells += [f"{size.whole / size.polars:.2f}", f"{search_ratio(size):.2f}"]
        yield "| " + " | ".join([*cells, f"{size.megabytes:.0f}"]) + " |"


def figures_of(measured: list[Size], folder: Path) -> Iterator[str]:
    yield "| figure | measured | to be reached |"
    yield "|--|--|--|"
    by_rows = {size.rows: size for size in measured}
    if MILLION in by_rows:
        size = by_rows[MILLION]
        yield f"| yardstick: polars `group_by` of 1 M rows | {size.yardstick:.3f} s | |"
        yield f"| 1 M rows, encode + Mondrian ÷ yardstick | {search_ratio(size):.2f} | ≤ 4 |"
        yield f"| 1 M rows, whole run ÷ polars r+w | {size.whole / size.polars:.2f} | ≤ 4 |"
        yield f"| 1 M rows, peak memory | {size.megabytes:.0f} MB | ≤ 1500 MB |"
    if MILLION in by_rows and 3 * MILLION in by_rows:
        growth = by_rows[3 * MILLION].whole / by_rows[MILLION].whole
        search = search_seconds(by_rows[3 * MILLION]) / search_seconds(by_rows[MILLION])
        yield f"| growth from 1 M to 3 M rows, whole run | {growth:.2f} | ≤ 3.5 |"
        yield f"| growth from 1 M to 3 M rows, encode + Mondrian | {search:.2f} | ≤ 3.5 |"
    starts = [run([sys.executable, "-m", "shoal", "--help"]).seconds for _ in range(5)]
    yield f"| `shoal --help` | {statistics.median(starts):.2f} s | ≤ 0.5 s |"
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "shoal", "demo", "-o", str(folder / "demo")]
        first = run([*command, "--quiet"], NUMBA_CACHE_DIR=cache).seconds
    yield f"| `shoal demo` with an empty cache | {first:.1f} s | ≤ 30 s |"


def search_seconds(size: Size) -> float:
    return size.stages["encode"] + size.stages["group"]


def search_ratio(size: Size) -> float:
    return search_seconds(size) / size.yardstick


if __name__ == "__main__":
    main()
