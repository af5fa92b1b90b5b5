"""Measure special uniques and write their table to benchmarks/README.md.

    python benchmarks/suda.py             measure, print and write
    python benchmarks/suda.py --print     measure and print only

Combinations of up to four of eight columns, of a table that is read already: two of a million rows,
one of which most rows are equal to others, and one of which nearly all rows differ.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from _measure import MILLION, machine, write_between, yardstick
from tables import COLUMNS, resampled_adult, write_tables

import shoal
from shoal.read.source import Source
from shoal.risks.suda import Suda
from shoal.runs.suda import suda_of

SMALL = 100_000
SIZE = 4
LIMIT = 60  # times the yardstick


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        measured = yardstick(write_tables(Path(name), [MILLION])[MILLION])
    lines = [f"{machine()}, {time.strftime('%B %Y')}; yardstick {measured:.3f} s.", ""]
    text = "\n".join([*lines, *table(measured)])
    print(text)
    if "--print" not in sys.argv:
        write_between("suda tables", text)


def table(measured: float) -> Iterator[str]:
    yield f"| table | records | special uniques | CPU s | s | s ÷ yardstick (≤ {LIMIT}) |"
    yield "|--" * 6 + "|"
    tables = {
        "resampled Adult": resampled_adult(MILLION),
        "rows that differ": different(MILLION),
        "rows that differ, a tenth": different(SMALL),
    }
    suda_of(Source(tables["resampled Adult"].head(100)), policy(COLUMNS))  # compiles
    for name, frame in tables.items():
        found, cpu, seconds = timed(frame)
        yield (
            f"| {name} | {frame.height:,} | {found.n_special:,} | {cpu:.2f} | {seconds:.2f} | "
            f"{seconds / measured:.1f} |"
        )


def timed(frame: pl.DataFrame) -> tuple[Suda, float, float]:
    cpu, start = time.process_time(), time.perf_counter()
    found = suda_of(Source(frame), policy(frame.columns), size=SIZE)
    return found, time.process_time() - cpu, time.perf_counter() - start


def policy(names: list[str]) -> shoal.Policy:
    return shoal.Policy.of_roles(quasi=names, privacy=[shoal.KAnonymity(2)])


def different(n: int) -> pl.DataFrame:
    """Skewed columns of 2 to 40,000 values, so that nearly every row is there once."""
    rng = np.random.default_rng(0)
    n_values = [2, 5, 9, 16, 41, 90, 10_000, 40_000]
    return pl.DataFrame(
        {f"c{i}": (v * rng.random(n) ** 2).astype(np.int64) for i, v in enumerate(n_values)}
    )


if __name__ == "__main__":
    main()
