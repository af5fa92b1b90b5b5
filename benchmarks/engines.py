"""Measure runs in DuckDB beside what DuckDB itself needs, and write the table to the README.

    python benchmarks/engines.py             ten million rows
    python benchmarks/engines.py 1000000     another number; only printed

A table in a DuckDB file, Adult resampled, becomes a table of the same file. In processes of their
own, DuckDB counts the different rows of the eight columns and copies the table. With a kept column,
every record is joined with its group; without, the release comes from the counted rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from _measure import machine, write_between
from tables import COLUMNS, copy_adult, policy_text, resampled_adult

ROWS = 10_000_000
LIMIT = 4  # times the CPU of DuckDB
FILL = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1])
connection.execute("create table people as from read_parquet(?)", [sys.argv[2]])
"""
OWN = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1])
columns = sys.argv[2]
counted = f"select {columns}, count(*) from people group by all"
connection.execute(f"create temp table counted as {counted}")
connection.execute(f"create or replace table copied as select {columns}{sys.argv[3]} from people")
connection.execute("drop table copied")
"""


class Measured(NamedTuple):
    """CPU seconds and the peak of memory of a process that ended well."""

    cpu: float
    peak_mb: float


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, n)
        lines = [f"{machine()}, {time.strftime('%B %Y')}; {n:,} rows.", "", *table(folder)]
    print("\n".join(lines))
    if n == ROWS:
        write_between("engine tables", "\n".join(lines))


def fill(folder: Path, n: int) -> None:
    """The table and its policies, with and without a kept column."""
    copy_adult(folder)
    text = policy_text()
    (folder / "none.yaml").write_text(text.replace("privacy:", "  visits: drop\nprivacy:"))
    (folder / "kept.yaml").write_text(text.replace("privacy:", "  visits: keep\nprivacy:"))
    visits = pl.Series("visits", np.random.default_rng(1).integers(0, 50, n))
    resampled_adult(n).with_columns(visits).write_parquet(folder / "people.parquet")
    measured([sys.executable, "-c", FILL, str(folder / "a.duckdb"), str(folder / "people.parquet")])


def table(folder: Path) -> Iterator[str]:
    yield f"| kept | algorithm | CPU s | DuckDB's own | ratio (≤ {LIMIT}) | peak MB |"
    yield "|--" * 6 + "|"
    listed = ", ".join(f'"{name}"' for name in COLUMNS)
    database = folder / "a.duckdb"
    for kept, more in (("none", ""), ("kept", ", visits")):
        own = measured([sys.executable, "-c", OWN, str(database), listed, more])
        for algorithm in ("flash", "mondrian"):
            command = [sys.executable, "-m", "shoal", "anonymize", f"{database}::people"]
            command += ["-p", str(folder / f"{kept}.yaml"), "-o", f"{database}::release"]
            ours = measured([*command, "--algorithm", algorithm, "--json", "--quiet"])
            yield (
                f"| {'one column' if more else 'none'} | {algorithm} | {ours.cpu:.1f} | "
                f"{own.cpu:.1f} | {ours.cpu / own.cpu:.1f} | {ours.peak_mb:.0f} |"
            )


def measured(command: list[str]) -> Measured:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(said.decode())
    return Measured(used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)


if __name__ == "__main__":
    main()
