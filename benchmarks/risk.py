"""Measure the risk of tables and write its table to benchmarks/README.md.

    python benchmarks/risk.py             measure, print and write
    python benchmarks/risk.py --print     measure and print only

The columns are read from csv beforehand; coding them, folding equal records and counting all 92
combinations of up to three of eight quasi-identifiers is what is timed, in a process of its own.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _measure import MILLION, machine, run, write_between, yardstick
from tables import resampled_adult, write_tables

SMALL = 100_000
RUNS = 5
MEASURE = """
import json, statistics, sys, time
from pathlib import Path
from shoal.policy.policy import Policy
from shoal.release.memory import peak_memory_mb
from shoal.runs.stages import Stages
from shoal.read.files import read_file
from shoal.runs.risk import warm_up, risk_of

data, policy, release, population, n_runs = sys.argv[1:]
policy = Policy.load(policy)
source = read_file(Path(data))
beside = {
    "release": read_file(Path(release)) if release else None,
    "population": read_file(Path(population)) if population else None,
}
warm_up()
runs = []
for _ in range(int(n_runs)):
    stages, heard = Stages(), []
    stages.watch.tell = heard.append
    start = time.perf_counter()
    risk = risk_of(source, policy, stages=stages, **beside)
    runs.append((time.perf_counter() - start, stages.seconds))
seconds, stages = sorted(runs, key=lambda run: run[0])[len(runs) // 2]
print(json.dumps({
    "seconds": seconds, "stages": stages, "combinations": len(risk.data.combinations),
    "told": len(heard), "unique": risk.data.n_unique, "peak": peak_memory_mb(),
}))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_tables(folder, [SMALL, MILLION])
        measured = yardstick(paths[MILLION])
        lines = [f"{machine()}, {time.strftime('%B %Y')}; yardstick {measured:.3f} s.", ""]
        lines += table(folder, paths, measured)
    text = "\n".join(lines)
    print(text)
    if "--print" not in sys.argv:
        write_between("risk tables", text)


def table(folder: Path, paths: dict[int, Path], measured: float) -> Iterator[str]:
    yield (
        "| what | records | s | of that coding | population | counting | ÷ yardstick (≤ 8) "
        "| times told | peak MB |"
    )
    yield "|--" * 9 + "|"
    for n in (SMALL, MILLION):
        yield line("all combinations", n, measure(folder, paths[n], RUNS), measured)
    release = released(folder, paths[SMALL])
    people = folder / "people.csv"
    resampled_adult(MILLION, seed=1).write_csv(people)
    beside = measure(folder, paths[SMALL], 1, release, people)
    yield line("with its release, in a population of 1 M", SMALL, beside, measured)


def line(what: str, n: int, found: dict, measured: float) -> str:
    stages = (found["stages"].get(stage, 0.0) for stage in ("encode", "population", "risk"))
    return (
        f"| {what} ({found['combinations']}) | {n:,} | {found['seconds']:.2f} | "
        + " | ".join(f"{seconds:.2f}" for seconds in stages)
        + f" | {found['seconds'] / measured:.1f} | {found['told']} | {found['peak']:,} |"
    )


def measure(folder: Path, data: Path, n_runs: int, *beside: Path) -> dict:
    others = [str(path) for path in beside] or ["", ""]
    arguments = [str(data), str(folder / "policy.yaml"), *others, str(n_runs)]
    return json.loads(run([sys.executable, "-c", MEASURE, *arguments]).output)


def released(folder: Path, data: Path) -> Path:
    path = folder / "released.csv"
    options = ["-p", str(folder / "policy.yaml"), "-o", str(path), "--quiet", "--json"]
    run([sys.executable, "-m", "shoal", "anonymize", str(data), *options])
    return path


if __name__ == "__main__":
    main()
