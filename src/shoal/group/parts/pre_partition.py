"""Cutting a table into parts before clusters are looked for in each (Loukides and Shao 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shoal.errors import BadOption, PolicyError
from shoal.group.parts.segments import Segments
from shoal.group.parts.threads import Spread
from shoal.group.parts.turns import TakingTurns
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.model import PrivacyModel
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats
from shoal.types.table import Table
from shoal.types.unit import RECORD, Unit


class Parts(NamedTuple):
    """Records of a table in runs: part p is rows[starts[p]:ends[p]], so many of each as counted."""

    rows: Int32Array
    counts: Int64Array
    starts: Int64Array
    ends: Int64Array

    @property
    def n_parts(self) -> int:
        return len(self.starts)

    @property
    def sizes(self) -> Int64Array:
        return self.ends - self.starts

    def part(self, i: int) -> tuple[Int32Array, Int64Array]:
        run = slice(self.starts[i], self.ends[i])
        return self.rows[run], self.counts[run]


@dataclass(frozen=True)
class Prepartition:
    """Halve the table at medians while both halves have at least `size` records."""

    size: int

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadOption("size must be a whole number, at least 1")

    def cut(self, table: Table, k: int, spread: Spread) -> Parts:
        if self.size < k:
            raise PolicyError(
                f"size must be at least {k:,}, so that a part has room for a cluster",
                ("algorithm", "prepartition", "size"),
            )
        return cut_at_medians(table, (AtLeast(self.size),), spread)


@dataclass(frozen=True)
class AtLeast(PrivacyModel):
    """A part has at least so many records."""

    size: int
    is_local = survives_merging = survives_growth = True

    @property
    def smallest(self) -> int:
        return self.size

    def holds(self, stats: GroupStats) -> BoolArray:
        return stats.sizes >= self.size

    def achieved(self, stats: GroupStats) -> float:
        return float(stats.sizes.min())

    def demand(self, unit: Unit = RECORD) -> str:
        return f"Every part has at least {self.size:,} records."

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The smallest part has {achieved:,.0f} records."


def cut_at_medians(table: Table, models: tuple[PrivacyModel, ...], spread: Spread) -> Parts:
    """Halve at the median of the widest column while both halves keep the models.

    Equal values may be separated, so that halves are halves: Mondrian's relaxed cuts.
    """
    segments = Segments(table, Privacy(models), TakingTurns(table))
    segments.cut_all(False, spread)
    return parts_of(segments)


def parts_of(segments: Segments) -> Parts:
    """Segments as parts, the rows of each ascending."""
    order = np.argsort(segments.starts, kind="stable")
    starts, ends = segments.starts[order], segments.ends[order]
    part = np.repeat(np.arange(len(starts)), ends - starts)
    in_order = np.lexsort((segments.rows, part))
    return Parts(segments.rows[in_order], segments.counts[in_order], starts, ends)


def whole_table(table: Table, k: int, spread: Spread) -> Parts:
    rows = np.arange(table.n_rows, dtype=np.int32)
    return Parts(rows, table.weights, np.array([0]), np.array([table.n_rows]))
