"""The benchmark's tables: Adult, resampled with replacement, ages jittered by up to five years."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from shoal.datasets import DEMO_COLUMNS, adult, copy_adult

COLUMNS = [name for name in DEMO_COLUMNS if name != "salary-class"]


def resampled_adult(n: int, *, seed: int = 0) -> pl.DataFrame:
    """Records drawn with replacement, so that a million of them are like the thirty thousand."""
    rng = np.random.default_rng(seed)
    people = adult(complete=True).select(COLUMNS)
    drawn = people[rng.integers(0, people.height, n)]
    return drawn.with_columns(age=drawn["age"] + pl.Series(rng.integers(-5, 6, n)))


def write_tables(folder: Path, sizes: list[int]) -> dict[int, Path]:
    """A csv file for each size, and beside them the policy for their eight columns."""
    copy_adult(folder)
    (folder / "policy.yaml").write_text(policy_text(), encoding="utf-8")
    paths = {n: folder / f"adult-{n}.csv" for n in sizes}
    for n, path in paths.items():
        resampled_adult(n).write_csv(path)
    return paths


def policy_text() -> str:
    """Age as a number, the other seven columns with the bundled hierarchies, k = 5."""
    columns = [
        f"  {name}: " + ("quasi" if name == "age" else _with_hierarchy(name)) for name in COLUMNS
    ]
    return "\n".join(["columns:", *columns, "privacy: [{model: k-anonymity, k: 5}]", ""])


def _with_hierarchy(name: str) -> str:
    return f"{{role: quasi, hierarchy: hierarchies/{name}.csv}}"
