"""A full-domain algorithm that searches for nothing, and tables with every kind of column.

Its grouping is made with dictionaries, so that what is tested here is not its own twin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

import shoal
from shoal.group.parts.suppress import suppress_failing
from shoal.read.source import Source
from shoal.types.algorithm import Algorithm, Traits
from shoal.types.grouping import Grouping

HIERARCHIES = {
    "age": shoal.intervals(5, 10, 20),
    "pay": shoal.intervals(0.5, 10, 1000),
    "zip": shoal.prefix(5),
    "born": shoal.dates("month", "quarter", "year", "decade", "century"),
    "seen": shoal.dates("hour", "day", "month"),
    "job": shoal.levels([("nurse", "care"), ("doctor's", "care"), ("cook", "kitchen")]),
    "sex": shoal.flat(),
}
ROOTS = {"age": 4, "pay": 4, "zip": 5, "born": 6, "seen": 4, "job": 2, "sex": 1}


@dataclass(frozen=True)
class FixedLevels(Algorithm):
    """Every column at a level that the test chose."""

    levels: tuple[int, ...]
    traits = Traits(publishes_nodes=True)

    def group(self, table, privacy, limits):
        tuples = [self._tuple(table, row) for row in table.codes]
        number = {nodes: i for i, nodes in enumerate(dict.fromkeys(tuples))}
        labels = np.array([number[nodes] for nodes in tuples], dtype=np.int32)
        low = np.array([table.codes[labels == g].min(axis=0) for g in range(len(number))])
        high = np.array([table.codes[labels == g].max(axis=0) for g in range(len(number))])
        grouping = Grouping.of_rows(table, labels, low, high, levels=self.levels)
        return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)

    def _tuple(self, table, row):
        nodes = []
        for axis, level, code in zip(table.axes, self.levels, row, strict=True):
            tree = axis.hierarchy
            if tree is None:
                nodes.append("missing")
            elif level >= tree.height:
                nodes.append("root")
            else:
                is_missing = code == axis.missing_code
                nodes.append("missing" if is_missing else tree.label(level, code))
        return tuple(nodes)


def people(n: int = 200, *, seed: int = 0, missing: float = 0.1) -> pl.DataFrame:
    """Typed columns of every kind; few different values, so that groups are large."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(-12, 60, n),
            "pay": np.round(rng.normal(0, 40, n), 1),
            "zip": [f"{code:05}" for code in rng.integers(0, 40, n) * 77],
            "born": pl.Series(rng.integers(-30_000, 15_000, n), dtype=pl.Int32).cast(pl.Date),
            "seen": pl.Series(
                1_600_000_000_000_000 + rng.integers(0, 4 * 10**6, n) * 2_500_000
            ).cast(pl.Datetime("us")),
            "job": rng.choice(["nurse", "doctor's", "cook"], n),
            "sex": rng.choice(["f", "m"], n),
            "disease": rng.choice(["flu", "gout", "o'cold", "none"], n),
            "visits": rng.integers(0, 9, n),
        }
    )
    gaps = [*HIERARCHIES, "disease"]
    return frame.with_columns(
        pl.when(pl.Series(rng.random(n) >= missing)).then(pl.col(name)).alias(name) for name in gaps
    )


def as_csv(frame: pl.DataFrame) -> Source:
    """The frame as it is read from a csv file: text in every column."""
    texts = {name: _as_text(frame[name]) for name in frame.columns}
    return Source(pl.DataFrame(texts), is_text=True)


def _as_text(series: pl.Series) -> pl.Series:
    if series.dtype == pl.Datetime:
        return series.dt.strftime("%Y-%m-%d %H:%M:%S%.f")
    return series.cast(pl.String)


def policy(levels: dict[str, int], *, k: int = 2, privacy=(), **settings) -> shoal.Policy:
    """The policy for `people` at these levels, the others at the root."""
    chosen = ROOTS | levels
    return shoal.Policy.of_roles(
        identifiers=["name"],
        quasi=HIERARCHIES,
        sensitive=["disease"],
        keep=["visits"],
        privacy=[shoal.KAnonymity(k), *privacy],
        algorithm=FixedLevels(tuple(chosen[name] for name in HIERARCHIES)),
        **({"suppression": 1.0} | settings),
    )


def with_suppression(recoding: shoal.Recoding, share: float) -> shoal.Recoding:
    """The same recoding with another share that may be suppressed."""
    return replace(recoding, policy=replace(recoding.policy, suppression=share))
