"""Print what the clustering algorithms lose: the tables of their pages.

    python benchmarks/cluster_losses.py                 all of them, some minutes
    python benchmarks/cluster_losses.py oka alike       these tables only

`alike` and `order` are of docs/clustering.md. `oka`, `mstk` and `t-clustering` use the ARX
project's hierarchies, which are not part of this repository: set SHOAL_SHARED to the folder that
has `data/adult`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from clusters import ADULT, EIGHT, hierarchies

import shoal
from shoal import catalog
from shoal.datasets import adult, copy_adult

PARTS = {"prepartition": {"size": 500}}
OKA = {
    "one pass": {},
    "one pass, the paper's order": {"order": "sorted"},
    "two passes": {"passes": 2},
    "parts of 500": PARTS,
    "parts of 500, the paper's order": {**PARTS, "order": "sorted"},
    "parts of 500, least-loss": {**PARTS, "adjust": "least-loss"},
    "parts of 500, suppress-small, 1 %": {**PARTS, "suppress-small": True},
    "parts of 500, two passes": {**PARTS, "passes": 2},
    "parts of 500, five passes": {**PARTS, "passes": 5},
}
ALIKE = {
    "mondrian": {},
    "mondrian, relaxed": {"name": "mondrian", "strict": False},
    "k-member": {},
    "k-member-p": {},
    "oka": {},
    "oka, the paper's order": {"name": "oka", "order": "sorted"},
    "mstk": {},
    "t-clustering": {},
    "tgc": {},
    "sweep": {"effort": "fast"},
}
TGC_QUASI = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass"]


def main() -> None:
    tables = {
        "alike": alike,
        "order": in_other_orders,
        "oka": oka,
        "mstk": mstk,
        "tgc": tgc,
        "t-clustering": t_clustering,
    }
    for name in sys.argv[1:] or tables:
        print(f"\n{name}\n", flush=True)
        for line in tables[name]():
            print(line, flush=True)


def alike() -> Iterator[str]:
    """Twenty columns of random values: by place in the file, mean of ten tables in both orders."""
    yield "| algorithm | values | mean | first in the file | last | least | most | change |"
    yield "|--" * 8 + "|"
    names = [f"qi{i:02}" for i in range(20)]
    for n_values in (2, 6):
        for label, options in ALIKE.items():
            by_place, spans, changes = [], [], []
            for seed in range(10):
                rng = np.random.default_rng(seed)
                table = {name: rng.integers(0, n_values, 600) for name in [*names, "ill"]}
                one, other = (
                    losses_of(pl.DataFrame(table), order, {"name": label, **options})
                    for order in (names, names[::-1])
                )
                by_place += [one, other]
                spans += [(one.min(), one.max())]
                changes.append(one[0] - other[-1])
            mean = np.mean(by_place, axis=0)
            low, high = np.mean(spans, axis=0)
            yield (
                f"| {label} | {n_values} | {mean.mean():.2f} | {mean[0]:.2f} | {mean[-1]:.2f} "
                f"| {low:.2f} | {high:.2f} | {np.mean(changes):+.2f} |"
            )


def losses_of(frame: pl.DataFrame, order: list[str], algorithm: dict[str, Any]) -> np.ndarray:
    release = shoal.anonymize(
        frame.select(*order, "ill"), quasi=order, sensitive=["ill"],
        privacy=[shoal.KAnonymity(5)], algorithm=algorithm,
    )  # fmt: skip
    return np.array([release.loss_by_column[name] for name in order])


def in_other_orders() -> Iterator[str]:
    """Adult with the bundled hierarchies, its columns in four orders."""
    with TemporaryDirectory() as name:
        copy_adult(Path(name))
        policy = shoal.Policy.load(Path(name) / "policy.yaml")
        frame = pl.read_csv(Path(name) / "adult.csv").sample(6000, seed=1)
        quasi = [column for column in frame.columns if column != "salary-class"]
        many = sorted(quasi, key=lambda column: -frame[column].n_unique())
        yield "| algorithm | as bundled | reversed | many values first | few first |"
        yield "|--" * 5 + "|"
        for label, options in ALIKE.items():
            named = {"name": label, **options}
            algorithm = catalog.load("algorithm", named.pop("name"))(**named)
            losses = [
                replace(policy, algorithm=algorithm)
                .anonymize(frame.select(*order, "salary-class"))
                .measures["loss"]
                for order in (quasi, quasi[::-1], many, many[::-1])
            ]
            yield f"| {label} | " + " | ".join(f"{loss:.3f}" for loss in losses) + " |"


def loss_on_adult(k: int, seed: int, **algorithm: Any) -> float:
    people = pl.read_csv(ADULT / "adult.csv", separator=";").select(EIGHT)
    release = shoal.anonymize(
        people, quasi=hierarchies(EIGHT), privacy=[shoal.KAnonymity(k)], algorithm=algorithm,
        suppression=0.01 if algorithm.get("suppress-small") else 0, seed=seed,
    )  # fmt: skip
    return release.measures["il"]


def oka() -> Iterator[str]:
    yield "| | k = 5 | k = 50 |"
    yield "|--|--|--|"
    for label, options in OKA.items():
        means = [
            np.mean([loss_on_adult(k, seed, name="oka", **options) for seed in range(3)])
            for k in (5, 50)
        ]
        yield f"| {label} | " + " | ".join(f"{mean:,.0f}" for mean in means) + " |"


def mstk() -> Iterator[str]:
    yield "| | k = 5 | k = 10 | k = 25 | k = 50 |"
    yield "|--" * 5 + "|"
    rows = {
        "mstk": {"name": "mstk"},
        "mstk, any": {"name": "mstk", "merge-scope": "any"},
        "k-member": {"name": "k-member"},
        "mondrian": {"name": "mondrian"},
    }
    for label, options in rows.items():
        losses = [loss_on_adult(k, 0, **options) for k in (5, 10, 25, 50)]
        yield f"| {label} | " + " | ".join(f"{loss:,.0f}" for loss in losses) + " |"


def tgc() -> Iterator[str]:
    """Q- and S-diversity on seven columns of Adult with the bundled hierarchies, k = 5."""
    yield "| algorithm | Q by group | Q by record | S by group | S by record |"
    yield "|--" * 5 + "|"
    with TemporaryDirectory() as name:
        copy_adult(Path(name))
        tables = {path.stem: shoal.levels(path) for path in (Path(name) / "hierarchies").iterdir()}
        quasi = {column: None if column == "age" else tables[column] for column in TGC_QUASI}
        frame = adult(complete=True).select(*TGC_QUASI, "occupation")
        rows: dict[str, Any] = {"k-member-p": "k-member-p"}
        for share in (1, 0.75, 0.5, 0):
            weights = {"utility": share, "protection": 1 - share}
            rows[f"tgc, utility {share:g}"] = {"name": "tgc", "weights": weights}
        for label, algorithm in rows.items():
            found = [
                shoal.anonymize(
                    frame, quasi=quasi, sensitive={"occupation": tables["occupation"]},
                    privacy=[shoal.KAnonymity(5)], algorithm=algorithm, seed=seed,
                ).summary()
                for seed in range(3)
            ]  # fmt: skip
            keys = ("utility", "utility_by_record", "protection", "protection_by_record")
            means = [np.mean([one[key] for one in found]) for key in keys]
            yield f"| {label} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def t_clustering() -> Iterator[str]:
    """The paper's setting, and what t costs."""
    yield "| records | k | t | severity distance | loss | groups with one value |"
    yield "|--" * 6 + "|"
    settings = [(30_000, 9), (35_000, 17), (40_000, 16), (45_000, 16), (50_000, 16)]
    for n_records, k in settings:
        yield severity_row(n_records, k, {})
    for t in (0.001, 0.017, 0.1, 1e9):
        yield severity_row(50_000, 16, {"t": t})
    yield severity_row(50_000, 16, {"t": 1e9, "balance": 0})


def severity_row(n_records: int, k: int, options: dict[str, Any]) -> str:
    rng = np.random.default_rng(0)
    people = pl.read_csv(ADULT / "adult.csv", separator=";")
    people = people[rng.integers(0, people.height, n_records)]
    columns = ["age", "sex", "education"]
    leaves = pl.read_csv(ADULT / "adult_hierarchy_occupation.csv", separator=";", has_header=False)
    ranks = {leaf: 1 + 9 * i / (leaves.height - 1) for i, leaf in enumerate(leaves.to_series(0))}
    release = shoal.anonymize(
        people.select(*columns, "occupation"), quasi=hierarchies(columns),
        sensitive={"occupation": shoal.severity(ranks)}, privacy=[shoal.KAnonymity(k)],
        algorithm={"name": "t-clustering", **options},
    )  # fmt: skip
    figures = release.summary()["t_clustering"]
    column = figures["columns"]["occupation"]
    groups = release.frame.group_by(columns).agg(pl.col("occupation").n_unique())
    n_single = groups.filter(pl.col("occupation") == 1).height
    return (
        f"| {n_records:,} | {k} | {options} | {column['severity_distance']:.4f} "
        f"| {figures['information_loss_percent']:.1f} % | {n_single:,} of {groups.height:,} |"
    )


if __name__ == "__main__":
    main()
