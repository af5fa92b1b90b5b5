"""A small table, and releases of it at any levels, whose truth is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

import shoal

TOWNS = {"North": ["ayr", "bude"], "South": ["cove", "dell"]}
REGION = {town: region for region, towns in TOWNS.items() for town in towns}
WIDTHS = (1, 5, 10, 20)  # of ages, by level; above them is the root
SICK = ["flu", "gout", "cold"]


class AtLevels(NamedTuple):
    """Released rows, and by record of the table its group, None where it was suppressed."""

    frame: pl.DataFrame
    groups: list[tuple[str, str] | None]


def table(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": rng.integers(20, 60, n),
            "town": rng.choice(list(REGION), n),
            "ill": rng.choice(SICK, n),
            "visits": rng.integers(0, 2, n),
        }
    )


def rules(algorithm="mondrian", *, k=3, l=2, keep=True, **settings) -> shoal.Policy:
    return shoal.Policy.of_roles(
        identifiers=["name"],
        quasi={"age": shoal.intervals(*WIDTHS[1:]), "town": shoal.tree(TOWNS)},
        sensitive=["ill"],
        keep=["visits"] if keep else [],
        drop=[] if keep else ["visits"],
        privacy=[shoal.KAnonymity(k), shoal.DistinctLDiversity("ill", l)],
        algorithm=algorithm,
        **settings,
    )


def cells(age: int, town: str, levels: tuple[int, int]) -> tuple[str, str]:
    high, width = levels[0] == len(WIDTHS), WIDTHS[min(levels[0], 3)]
    low = age // width * width
    years = "*" if high else str(age) if width == 1 else f"[{low}, {low + width - 1}]"
    return years, (town, REGION[town], "*")[levels[1]]


def at_levels(frame: pl.DataFrame, levels: tuple[int, int], *, k=3, l=2) -> AtLevels:
    """One level for each column; groups that fail k or l are left out. Rows in random order."""
    found = [cells(age, town, levels) for age, town in frame.select("age", "town").rows()]
    ill = frame["ill"].to_list()
    kept = {
        group
        for group in set(found)
        if found.count(group) >= k
        and len({i for i, g in zip(ill, found, strict=True) if g == group}) >= l
    }
    groups = [group if group in kept else None for group in found]
    released = frame.drop("name").with_columns(
        pl.Series("age", [g[0] for g in found]), pl.Series("town", [g[1] for g in found])
    )
    is_in = pl.Series([group is not None for group in groups])
    return AtLevels(released.filter(is_in).sample(fraction=1, shuffle=True, seed=1), groups)
