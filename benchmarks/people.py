"""Measure what counting people costs and write its table to benchmarks/README.md.

    python benchmarks/people.py             measure, print and write
    python benchmarks/people.py --print     measure and print only

A million visits of 300,000 people. Each line is the same table with and without `person`, each in a
process of its own, kernels loaded before: CPU seconds of encoding and Mondrian, and peak memory.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from _measure import MILLION, machine, run, write_between

PEOPLE = 300_000
RUNS = 3
CONSTANT = ("birth", "sex", "zip", "job")
VARYING = (*CONSTANT, "day")
K = "{model: k-anonymity, k: 5}"
K_AND_L = f"{K}, {{model: distinct-l-diversity, column: ill, l: 3}}"
MEASURE = """
import json, resource, sys, time
from pathlib import Path
from shoal.policy.policy import Policy
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.runs.finish import finish
from shoal.runs.prepare import prepare
from shoal.runs.search import search

policy = Policy.load(sys.argv[1])
source = read_file(Path(sys.argv[2]))
schema = policy.schema_for(source.frame.columns)
few = prepare(Source(source.frame.head(3000)), policy, schema)
finish(few, search(few))
start = time.process_time()
prepared = prepare(source, policy, schema)
found = search(prepared)
cpu = time.process_time() - start
release = finish(prepared, found)
print(json.dumps({"cpu": cpu, "loss": release.measures["loss"],
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        visits().write_parquet(folder / "visits.parquet")
        lines = [f"{machine()}, {time.strftime('%B %Y')}.", "", *table(folder)]
    text = "\n".join(lines)
    print(text)
    if "--print" not in sys.argv:
        write_between("people tables", text)


def visits(seed: int = 0) -> pl.DataFrame:
    """Visits: what people are does not vary, the day does."""
    rng = np.random.default_rng(seed)
    who = np.concatenate([np.arange(PEOPLE), rng.integers(0, PEOPLE, MILLION - PEOPLE)])
    rng.shuffle(who)
    return pl.DataFrame(
        {
            "id": pl.Series(who).cast(pl.String),
            "birth": rng.integers(1930, 2010, PEOPLE)[who],
            "sex": rng.choice(["f", "m"], PEOPLE)[who],
            "zip": rng.integers(10_000, 20_000, PEOPLE)[who],
            "job": rng.integers(0, 40, PEOPLE)[who],
            "day": rng.integers(0, 365, MILLION),
            "ill": rng.integers(0, 30, MILLION).astype(str),
        }
    )


def table(folder: Path) -> Iterator[str]:
    yield (
        "| quasi-identifiers | models | CPU s without | with `person` | ratio | to be reached | "
        "memory | to be reached | loss without | with |"
    )
    yield "|--" * 10 + "|"
    for quasi, kind, bound in ((CONSTANT, "constant", "≤ 1"), (VARYING, "one varies", "≤ 3")):
        for models, name in ((K, "k-anonymity"), (K_AND_L, "and distinct l-diversity")):
            rows, people = (measure(folder, quasi, models, person) for person in (False, True))
            yield (
                f"| {kind} | {name} | {rows['cpu']:.2f} | {people['cpu']:.2f} | "
                f"{people['cpu'] / rows['cpu']:.2f} | {bound} | "
                f"{people['memory'] / rows['memory']:.2f} | ≤ 1.5 | {rows['loss']:.4f} | "
                f"{people['loss']:.4f} |"
            )


def measure(folder: Path, quasi: tuple[str, ...], models: str, person: bool) -> dict[str, float]:
    """The run with the median CPU."""
    roles = {"id": "identifier", "ill": "sensitive", "day": "drop"} | dict.fromkeys(quasi, "quasi")
    rules = ["columns:", *(f"  {name}: {role}" for name, role in roles.items())]
    rules += [f"privacy: [{models}]", *(["person: id"] if person else []), ""]
    policy = folder / "policy.yaml"
    policy.write_text("\n".join(rules), encoding="utf-8")
    command = [sys.executable, "-c", MEASURE, str(policy), str(folder / "visits.parquet")]
    runs = [json.loads(run(command).output) for _ in range(RUNS)]
    middle = statistics.median(found["cpu"] for found in runs)
    return next(found for found in runs if found["cpu"] == middle)


if __name__ == "__main__":
    main()
