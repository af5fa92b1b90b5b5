"""Measure sweep on Adult and write its table to benchmarks/README.md.

    python benchmarks/sweep.py                 default effort, seeds 0 to 4
    python benchmarks/sweep.py --seconds 30    searches of so many seconds, seed 0, printed only
    python benchmarks/sweep.py --part eight    one table of columns, printed only
    python benchmarks/sweep.py --models        with other models, and other algorithms; printed only
    python benchmarks/sweep.py --refine        other algorithms, plain and refined; printed only

With the ARX project's hierarchies, which are not part of this repository: set SHOAL_SHARED to the
folder that has `data/adult`. Seconds are of the processor, all cores together, and of the clock,
from frame to frame, kernels compiled.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
OTHERS = ("mondrian", "k-member", "mstk", "oka", "flash")
MODELS = (
    shoal.DistinctLDiversity("occupation", 3),
    shoal.AlphaK("occupation", alpha=0.5, k=5),
    shoal.TCloseness("occupation", 0.3),
    shoal.BetaLikeness("occupation", 2),
    shoal.SDiversity("occupation", 0.95),
)
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
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--refine", action="store_true")
    options = parser.parse_args()
    if options.models or options.refine:
        print("\n".join(with_models() if options.models else with_refining()))
        return
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


class Run(NamedTuple):
    """A release, and what it took from frame to frame."""

    loss: float
    cpu: float
    clock: float


def table(
    parts: Sequence[str], seeds: Sequence[int], algorithm: shoal.Sweep, measured: float
) -> Iterator[str]:
    yield "| columns | k | best | mean | at most | CPU s | clock s | clock ÷ yardstick (≤ 30) |"
    yield "|--" * 8 + "|"
    for part in parts:
        for k in KS:
            privacy = [shoal.KAnonymity(k)]
            runs = [once(COLUMNS[part], privacy, algorithm, seed) for seed in seeds]
            losses = [run.loss for run in runs]
            clock = statistics.mean(run.clock for run in runs)
            yield (
                f"| {part} | {k} | {min(losses):.5f} | {statistics.mean(losses):.5f} "
                f"| {MOST[part, k]:.4f} | {statistics.mean(run.cpu for run in runs):.1f} "
                f"| {clock:.1f} | {clock / measured:.0f} |"
            )


def with_models() -> Iterator[str]:
    """Eight columns, occupation being sensitive, k = 5 and one more model each."""
    yield "| model | " + " | ".join(OTHERS) + " | sweep | CPU s of sweep |"
    yield "|--" * (len(OTHERS) + 3) + "|"
    for model in MODELS:
        privacy = [shoal.KAnonymity(5), model]
        losses = [f"{once(EIGHT, privacy, name).loss:.4f}" for name in OTHERS]
        own = once(EIGHT, privacy, "sweep")
        yield f"| {model} | {' | '.join(losses)} | {own.loss:.4f} | {own.cpu:.1f} |"


def with_refining() -> Iterator[str]:
    """Eight columns, k = 5: what other algorithms lose, and lose after the search."""
    yield "| algorithm | loss | refined | CPU s | refined |"
    yield "|--" * 5 + "|"
    for name in OTHERS:
        runs = [
            once(EIGHT, [shoal.KAnonymity(5)], {"name": name, "refine": on}) for on in (False, True)
        ]
        losses = " | ".join(f"{run.loss:.4f}" for run in runs)
        yield f"| {name} | {losses} | {' | '.join(f'{run.cpu:.1f}' for run in runs)} |"


def once(names: Sequence[str], privacy: Sequence[Any], algorithm: Any, seed: int = 0) -> Run:
    sensitive = [] if "occupation" in names else ["occupation"]
    frame = pl.read_csv(ADULT / "adult.csv", separator=";", infer_schema=False)
    frame = frame.select([*names, *sensitive])
    quasi = {name: shoal.levels(ADULT / f"adult_hierarchy_{name}.csv") for name in names}
    given = {"quasi": quasi, "sensitive": sensitive, "privacy": privacy, "algorithm": algorithm}
    if seed == 0:  # compiles or loads the kernels
        shoal.anonymize(frame.head(3000), **given)
    cpu, clock = time.process_time(), time.perf_counter()
    release = shoal.anonymize(frame, **given, seed=seed)
    return Run(release.measures["loss"], time.process_time() - cpu, time.perf_counter() - clock)


if __name__ == "__main__":
    main()
