"""How the full-domain algorithms walk the lattice of nine Adult columns.

    python benchmarks/full_domain_walks.py          the bundled table and hierarchies
    python benchmarks/full_domain_walks.py FOLDER   those of the ARX project, which are not bundled:
                                                    adult.csv and adult_hierarchy_<column>.csv

Everything but the milliseconds is the same on every machine. The pages in docs/algorithms and
benchmarks/README.md quote what is printed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from _measure import machine

import shoal
from shoal.datasets import DEMO_COLUMNS, adult, copy_adult
from shoal.metrics import minimisable

REPEATS = 3
PERCENT_5 = 0.05
ALGORITHMS = {
    "datafly": shoal.Datafly(),
    "improved-greedy": shoal.ImprovedGreedy(),
    "improved-greedy, least-loss": shoal.ImprovedGreedy(choice="least-loss"),
    "samarati": shoal.Samarati(),
    "incognito": shoal.Incognito(),
    "ola": shoal.Ola(),
    "flash": shoal.Flash(),
}
AGES = shoal.intervals(5, 10, 20, 40)


class Setting(NamedTuple):
    """A table and what is asked of it."""

    title: str
    people: pl.DataFrame
    quasi: dict[str, Any]
    privacy: list[Any]
    suppression: float

    def run(self, algorithm: Any) -> dict[str, Any]:
        return shoal.anonymize(
            self.people.select(*self.quasi, *self.sensitive),
            quasi=self.quasi,
            sensitive=self.sensitive,
            privacy=self.privacy,
            algorithm=algorithm,
            suppression=self.suppression,
        ).summary()

    @property
    def sensitive(self) -> list[str]:
        return [model.column for model in self.privacy if hasattr(model, "column")]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy_adult(Path(folder))
        people, quasi = _of_arx(Path(sys.argv[1])) if sys.argv[1:] else _bundled(Path(folder))
        wide = _twelve_columns(Path(folder), quasi)
    print(f"{machine()}, {time.strftime('%B %Y')}.")
    print(f"Milliseconds of the stage `group`, the fastest of {REPEATS} runs. Levels are of")
    print(f"{', '.join(quasi)}.")
    for setting in _settings(people, quasi):
        print("\n".join(_table(setting, ALGORITHMS)))
    first = Setting("Flash, each metric", people, quasi, [shoal.KAnonymity(5)], PERCENT_5)
    print("\n".join(_table(first, {m: shoal.Flash(metric=m) for m in minimisable()})))
    if not sys.argv[1:]:
        walks = {name: ALGORITHMS[name] for name in ("datafly", "improved-greedy, least-loss")}
        walks |= {f"flash, checks: {n}": shoal.Flash(checks=n) for n in (1000, 10_000)}
        most = Setting("Twelve columns", adult(complete=True), wide, first.privacy, PERCENT_5)
        print("\n".join(_table(most, walks)))


def _bundled(folder: Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    """The columns of the demo; salary class is shown or not."""
    quasi = {
        name: shoal.levels(table) if table.exists() else shoal.flat()
        for name in DEMO_COLUMNS
        for table in [folder / "hierarchies" / f"{name}.csv"]
    }
    return adult(complete=True), quasi | {"age": AGES}


def _of_arx(folder: Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    people = pl.read_csv(folder / "adult.csv", separator=";")
    return people, {n: shoal.levels(folder / f"adult_hierarchy_{n}.csv") for n in DEMO_COLUMNS}


def _twelve_columns(folder: Path, quasi: dict[str, Any]) -> dict[str, Any]:
    """More nodes than can be kept track of."""
    relationship = shoal.levels(folder / "hierarchies" / "relationship.csv")
    more = {"relationship": relationship, "hours-per-week": AGES, "capital-gain": shoal.flat()}
    return quasi | more


def _settings(people: pl.DataFrame, quasi: dict[str, Any]) -> Iterator[Setting]:
    for k, share in ((5, 0.0), (5, PERCENT_5), (50, PERCENT_5)):
        yield Setting("Nine columns", people, quasi, [shoal.KAnonymity(k)], share)
    eight = {name: hierarchy for name, hierarchy in quasi.items() if name != "salary-class"}
    models = [shoal.KAnonymity(5), shoal.DistinctLDiversity("salary-class", 2)]
    yield Setting("Salary class sensitive, l = 2", people, eight, models, PERCENT_5)


def _table(setting: Setting, algorithms: dict[str, Any]) -> Iterator[str]:
    runs = {name: _fastest(setting, algorithm) for name, algorithm in algorithms.items()}
    n_nodes = next(iter(runs.values()))["nodes"]
    k, share = setting.privacy[0].k, setting.suppression
    yield f"\n**{setting.title}, k = {k}, suppression {share:.0%}: {n_nodes:,} nodes**\n"
    heads = ["", "checks", "rolled up", "ms", "levels", "loss", "cost", "optimal"]
    yield f"| {' | '.join(heads)} |"
    yield "|--" * len(heads) + "|"
    for name, run in runs.items():
        cells = [name, f"{run['checks']:,}", f"{run['rolled_up']:,}"]
        cells += [f"{1000 * run['seconds']['group']:,.0f}", " ".join(map(str, _levels(run)))]
        cost = run["cost"]
        cells += [f"{run['measures']['loss']:.4f}", f"{cost:,.{4 if cost < 1000 else 0}f}"]
        yield f"| {' | '.join([*cells, 'yes' if run['optimal'] else 'no'])} |"


def _fastest(setting: Setting, algorithm: Any) -> dict[str, Any]:
    runs = [setting.run(algorithm) for _ in range(REPEATS)]
    return min(runs, key=lambda run: run["seconds"]["group"])


def _levels(run: dict[str, Any]) -> list[int]:
    return list(run["levels"].values())


if __name__ == "__main__":
    main()
