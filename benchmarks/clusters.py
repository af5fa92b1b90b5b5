"""Measure the clustering algorithms and write their tables to benchmarks/README.md.

    python benchmarks/clusters.py                     everything
    python benchmarks/clusters.py k-member oka        these algorithms only, printed and not written

With the ARX project's hierarchies, which are not part of this repository: set SHOAL_SHARED to the
folder that has `data/adult`.
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
from _measure import MILLION, SHARED, machine, run_shoal, write_between, yardstick
from scan import grow_clusters_by_scan
from tables import COLUMNS, resampled_adult

import shoal
from shoal.encode.encode import encode
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.kernels.k_member import SEED_TO_SEED, grow_clusters
from shoal.kernels.tree import grow_tree
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.types.table import Table
from shoal.types.watch import Watch

ADULT = SHARED / "data" / "adult"
SMALL = 100_000
SIX = ["age", "workclass", "sex", "education", "race", "occupation"]  # of MSTK's paper
EIGHT = list(COLUMNS)
SEVEN = [name for name in EIGHT if name != "occupation"]
# What is asked: the columns, whether occupation is sensitive, and the options.
SETTINGS = {
    "k-member": (EIGHT, False, "{name: k-member}"),
    "oka": (EIGHT, False, "{name: oka, prepartition: {size: 500}}"),
    "mstk": (SIX, False, "{name: mstk}"),
    "t-clustering": (SEVEN, True, "{name: t-clustering}"),
    "k-member-p": (SEVEN, True, "{name: k-member-p}"),
    "tgc": (SEVEN, True, "{name: tgc, s: 25}"),
}


def main() -> None:
    if not ADULT.exists():
        sys.exit("the ARX project's hierarchies are not there; set SHOAL_SHARED to their folder")
    names = sys.argv[1:] or list(SETTINGS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n in (SMALL, MILLION):
            resampled_adult(n).write_csv(folder / f"{n}.csv")
        blocks = [[f"{machine()}, {time.strftime('%B %Y')}."], list(sizes_table(folder, names))]
    if not sys.argv[1:]:
        blocks.append(list(figures()))
    text = "\n\n".join("\n".join(block) for block in blocks)
    print(text)
    if not sys.argv[1:]:
        write_between("clustering tables", text)


def sizes_table(folder: Path, names: list[str]) -> Iterator[str]:
    """Every algorithm on a hundred thousand rows and on a million, k = 5."""
    yield (
        "| algorithm | options | 100 k, s | 1 M, s | ÷ yardstick (≤ 60) | growth (≤ 15) "
        "| peak MB (≤ 4000) | il | loss |"
    )
    yield "|--" * 9 + "|"
    for name in names:
        columns, is_sensitive, options = SETTINGS[name]
        write_policy(folder, columns, is_sensitive, options)
        small = best_of(folder, SMALL, 3)
        measured = yardstick(folder / f"{MILLION}.csv")
        large = best_of(folder, MILLION, 1)
        before, after = (run["seconds"]["group"] for run in (small, large))
        yield (
            f"| {name} | `{options}`, {len(columns)} columns | {before:.2f} | {after:.2f} "
            f"| {after / measured:.1f} | {after / before:.1f} | {large['peak_memory_mb']:,} "
            f"| {large['measures']['il']:,.0f} | {large['measures']['loss']:.4f} |"
        )


def best_of(folder: Path, rows: int, n_runs: int) -> dict:
    """The fastest of some whole runs of the command."""
    runs = [json.loads(run_shoal(folder, folder / f"{rows}.csv").output) for _ in range(n_runs)]
    return min(runs, key=lambda run: run["seconds"]["group"])


def figures() -> Iterator[str]:
    yield "| figure | measured | to be reached |"
    yield "|--|--|--|"
    yield from k_member_figures()
    yield from t_clustering_figures()


def k_member_figures() -> Iterator[str]:
    """Adult itself: against a compiled scan, and what it loses."""
    people = pl.read_csv(ADULT / "adult.csv", separator=";").select(EIGHT)
    table = coded(people, EIGHT)
    ruler = diameter_ruler_of(table)
    positions = np.empty(table.n_rows, dtype=np.int64)
    positions[grow_tree(table.codes, table.weights, ruler, Watch().pulse()).rows] = np.arange(
        table.n_rows
    )
    rows = np.repeat(np.arange(table.n_rows), table.weights)
    few, pulse = slice(0, 50), Watch().pulse()
    grow_clusters_by_scan(table.codes[rows[few]], positions[rows[few]], ruler, 5, 0)  # compiles
    grow_clusters(table.codes, table.weights, ruler, 5, 0, SEED_TO_SEED, pulse)
    start = time.perf_counter()
    grow_clusters_by_scan(table.codes[rows], positions[rows], ruler, 5, 0)
    scanned = time.perf_counter() - start
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        grow_clusters(table.codes, table.weights, ruler, 5, 0, SEED_TO_SEED, pulse)
        seconds.append(time.perf_counter() - start)
    ours = statistics.median(seconds)
    yield (
        f"| k-member on Adult, k = 5: compiled scan {scanned:.1f} s ÷ tree {ours:.2f} s "
        f"| {scanned / ours:.0f} × | ≥ 20 × |"
    )
    losses = [
        shoal.anonymize(
            people, quasi=hierarchies(EIGHT), privacy=[shoal.KAnonymity(5)],
            algorithm="k-member", seed=seed,
        ).measures["il"]
        for seed in range(5)
    ]  # fmt: skip
    yield f"| the same, il, mean of seeds 0 to 4 | {np.mean(losses):,.0f} | ≤ 16,000 |"


def t_clustering_figures() -> Iterator[str]:
    """The paper's experiment: 50,000 rows, clusters of 16."""
    rng = np.random.default_rng(0)
    people = pl.read_csv(ADULT / "adult.csv", separator=";")
    people = people[rng.integers(0, people.height, 50_000)]
    columns = ["age", "sex", "education"]
    leaves = pl.read_csv(ADULT / "adult_hierarchy_occupation.csv", separator=";", has_header=False)
    ranks = {leaf: 1 + 9 * i / (leaves.height - 1) for i, leaf in enumerate(leaves.to_series(0))}
    runs = [
        shoal.anonymize(
            people.select(*columns, "occupation"), quasi=hierarchies(columns),
            sensitive={"occupation": shoal.severity(ranks)}, privacy=[shoal.KAnonymity(16)],
            algorithm="t-clustering",
        ).summary()
        for _ in range(6)
    ]  # fmt: skip
    milliseconds = 1000 * statistics.median(run["seconds"]["group"] for run in runs[1:])
    with tempfile.TemporaryDirectory() as name:
        resampled_adult(MILLION).write_csv(Path(name) / "million.csv")
        measured = yardstick(Path(name) / "million.csv")
    what = "t-clustering, 50,000 rows, clusters of 16"
    yield (
        f"| {what}: {milliseconds:.0f} ms (the paper: 98) ÷ yardstick "
        f"| {milliseconds / 1000 / measured:.2f} | ≤ 0.5 |"
    )
    figures = runs[0]["t_clustering"]
    distance = figures["columns"]["occupation"]["severity_distance"]
    yield f"| the same, severity distance | {distance:.5f} | ≤ 0.002 |"
    yield f"| the same, information loss | {figures['information_loss_percent']:.1f} % | ≤ 25 % |"


def write_policy(folder: Path, columns: list[str], is_sensitive: bool, options: str) -> None:
    lines = [f"  {name}: {role(name, columns, is_sensitive)}" for name in COLUMNS]
    text = ["columns:", *lines, "privacy: [{model: k-anonymity, k: 5}]", f"algorithm: {options}"]
    (folder / "policy.yaml").write_text("\n".join([*text, ""]), "utf-8")


def role(name: str, columns: list[str], is_sensitive: bool) -> str:
    table = ADULT / f"adult_hierarchy_{name}.csv"
    if name == "occupation" and is_sensitive:
        return f"{{role: sensitive, hierarchy: {table}}}"
    if name not in columns:
        return "drop"
    is_number = name == "age" and columns is not SIX
    return "quasi" if is_number else f"{{role: quasi, hierarchy: {table}}}"


def hierarchies(columns: list[str]) -> dict:
    """Age as a number, the others with their hierarchies."""
    tables = {name: shoal.levels(ADULT / f"adult_hierarchy_{name}.csv") for name in columns}
    return tables | {"age": None}


def coded(people: pl.DataFrame, columns: list[str]) -> Table:
    policy = shoal.Policy.of_roles(quasi=hierarchies(columns), privacy=[shoal.KAnonymity(5)])
    schema = policy.schema_for(people.columns)
    read = read_columns(Source.of_frame(people), policy, schema.quasi)
    return encode(read, schema, missing="category", unknown="error").table


if __name__ == "__main__":
    main()
