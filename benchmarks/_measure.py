"""What the benchmarks share: processes with their seconds, the yardstick, tables in the README."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

MILLION = 1_000_000
README = Path(__file__).parent / "README.md"
SHARED = Path(os.environ.get("SHOAL_SHARED", Path(__file__).parents[2] / "shared"))

YARDSTICK = """
import polars as pl, statistics, sys, time
frame = pl.read_csv(sys.argv[1])
def once():
    start = time.perf_counter(); frame.group_by(frame.columns).len()
    return time.perf_counter() - start
once(); print(statistics.median(once() for _ in range(5)))
"""


class Process(NamedTuple):
    """A process that ended well: seconds from start to end, and what it printed."""

    seconds: float
    output: str


def run(command: list[str], **environment: str) -> Process:
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | environment
    )
    assert process.stdout is not None
    output = process.stdout.read()
    if process.wait() != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return Process(time.perf_counter() - start, output)


def run_shoal(folder: Path, path: Path, policy: str = "policy.yaml") -> Process:
    command = [sys.executable, "-m", "shoal", "anonymize", str(path)]
    options = ["-p", str(folder / policy), "-o", str(folder / "release.csv")]
    return run([*command, *options, "--json", "--quiet"])


def yardstick(million: Path) -> float:
    """Seconds of polars' group_by of a million rows by eight columns."""
    return float(run([sys.executable, "-c", YARDSTICK, str(million)]).output)


def write_between(name: str, text: str) -> None:
    """Replace what stands between two comments of the README."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = README.read_text(encoding="utf-8").partition(start)
    after = rest.partition(end)[2]
    README.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"{os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}, Python " + (
        platform.python_version()
    )
