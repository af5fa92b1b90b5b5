"""Cutting a table into subspaces that stay diverse in their sensitive values (TGC, Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.group.cluster._diversity import CLOSE, s_diversities
from shoal.group.parts.pre_partition import (
    AtLeast,
    Parts,
    cut_at_medians,
    parts_of,
    whole_table,
)
from shoal.group.parts.segments import Segments
from shoal.group.parts.stats import stats_of_parts
from shoal.group.parts.threads import Spread
from shoal.group.parts.turns import TakingTurns
from shoal.kernels.s_diversity import Likeness
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.model import PrivacyModel
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats
from shoal.types.table import Table
from shoal.types.unit import RECORD, Unit

MANY = 10  # sizes of a subspace: sides that large are made whatever their values are

Run = tuple[Int32Array, Int64Array]  # rows of a part, and how many records of each


@dataclass(frozen=True, eq=False)
class Diverse(PrivacyModel):
    """The S-diversity of a subspace, added up over the sensitive columns, is at most `limit`."""

    table: Table
    likeness: Likeness
    limit: float
    size: int
    survives_merging = survives_growth = False
    is_local = True
    smallest = 1

    def holds(self, stats: GroupStats) -> BoolArray:
        # Large sides are not asked, or a limit that is hard to keep would leave one huge subspace.
        result = stats.sizes >= MANY * self.size
        asked = np.flatnonzero(~result & (stats.sizes > 0))
        diversities = s_diversities(stats, self.table, self.likeness, asked)
        result[asked] = diversities <= self.limit + CLOSE
        return result

    def achieved(self, stats: GroupStats) -> float:
        everyone = np.arange(stats.n_groups)
        return float(s_diversities(stats, self.table, self.likeness, everyone).max())

    def demand(self, unit: Unit = RECORD) -> str:
        return f"The S-diversity of every part is at most {self.limit:g}."

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"The largest S-diversity of a part is {achieved:g}."


def cut_subspaces(
    table: Table, size: int, limit: float | None, *, likeness: Likeness, spread: Spread
) -> Parts:
    """Cut while both sides have `size` records and keep the limit; no limit: None.

    Cuts are Mondrian's strict ones, which leave equal values together. What they leave with more
    than 2 * MANY * `size` different rows is divided regardless.
    """
    models: tuple[PrivacyModel, ...] = (AtLeast(size),)
    if limit is not None:
        diverse = Diverse(table, likeness, limit, size)
        if not diverse.holds(_stats_of_all(table)).all():
            return whole_table(table, size, spread)  # which is small, and hardly has better sides
        models += (diverse,)
    segments = Segments(table, Privacy(models), TakingTurns(table))
    segments.cut_all(True, spread)
    return divide_large(table, parts_of(segments), MANY * size, spread)


def divide_large(table: Table, parts: Parts, size: int, spread: Spread) -> Parts:
    """Divide parts of more than twice `size` rows, whose work would be the square of that.

    At medians, equal values or not; rows that no median divides are dealt out like cards.
    """
    is_large = parts.sizes > 2 * size
    if not is_large.any():
        return parts
    runs: list[Run] = []
    for i, large in enumerate(is_large):
        rows, counts = parts.part(i)
        if not large:
            runs.append((rows, counts))
            continue
        own = replace(
            table, codes=table.codes[rows], sensitive=table.sensitive[rows], weights=counts
        )
        halves = cut_at_medians(own, (AtLeast(size),), spread)
        for j in range(halves.n_parts):
            chosen, n_of_each = halves.part(j)
            runs += _dealt(rows[chosen], n_of_each, size)
    ends = np.cumsum([len(rows) for rows, _ in runs])
    return Parts(
        np.concatenate([rows for rows, _ in runs]),
        np.concatenate([counts for _, counts in runs]),
        np.append(0, ends[:-1]),
        ends,
    )


def _dealt(rows: Int32Array, counts: Int64Array, size: int) -> list[Run]:
    """Rows that are neighbours, and so alike in sensitive values too, go to different hands."""
    n_hands = max(1, len(rows) // size if len(rows) > 2 * size else 1)
    return [(rows[hand::n_hands], counts[hand::n_hands]) for hand in range(n_hands)]


def _stats_of_all(table: Table) -> GroupStats:
    return stats_of_parts(
        table,
        rows=np.arange(table.n_rows, dtype=np.int32),
        counts=table.weights,
        labels=np.zeros(table.n_rows, dtype=np.int32),
        n_groups=1,
    )
