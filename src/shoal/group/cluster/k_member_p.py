"""Greedy k-member clustering for protection instead of detail (Loukides and Shao, PAIS 2008)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shoal.group.cluster._clusterer import Clusterer, Members, Part, Task
from shoal.group.cluster._diversity import Measured, diversity_figures, measured
from shoal.group.cluster._join import join_left_over
from shoal.group.cluster._subspaces import divide_large
from shoal.group.cluster.k_member import random_row
from shoal.group.parts.mixed_order import mixed_order
from shoal.group.parts.pre_partition import Parts, Prepartition
from shoal.group.parts.threads import Spread
from shoal.kernels import k_member_p as kernels
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table

LARGE = 50_000_000  # looks of a record at a row, about a second
PARTS = 1_000  # records, then


@dataclass(frozen=True)
class KMemberP(Algorithm):
    """Grow clusters of k records, each time by the one that discloses sensitive values least.

    Of records that disclose as little, the one that widens the cluster least is taken. A cluster
    begins with the record furthest from where the one before began. `prepartition` cuts the table
    into parts of at least so many records beforehand; large tables are cut into parts of 1,000 if
    it is not given. Loukides and Shao 2008.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [10, 15, 15, 20, 20, 25], "pay": [20, 20, 65, 65, 20, 65]})
    >>> release = shoal.anonymize(people, quasi=["age"], sensitive=["pay"],
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="k-member-p")
    >>> release.frame.rows()
    [('[10, 15]', 20), ('[10, 15]', 65), ('[15, 20]', 20), ('[15, 20]', 65), ('[20, 25]', 20),
     ('[20, 25]', 65)]
    """

    prepartition: Prepartition | None = None

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        in_table = measured(table, utility=0.0, protection=1.0, r=1.0)
        is_large = self.prepartition is None and table.n_records * table.n_rows > LARGE
        parts = _Divided(max(PARTS, 2 * privacy.smallest)) if is_large else self.prepartition
        run = _Run(parts, measured=in_table, is_default=is_large)
        return run.group(table, privacy, limits)


class _Divided(Prepartition):
    """Parts none of which is large, even where records are equal but for sensitive values."""

    def cut(self, table: Table, k: int, spread: Spread) -> Parts:
        return divide_large(table, super().cut(table, k, spread), self.size, spread)


@dataclass(frozen=True)
class _Run(Clusterer):
    """The clustering of one table, measured once."""

    measured: Measured = field(kw_only=True)
    is_default: bool = field(kw_only=True)  # the parts were not asked for

    def cluster(self, part: Part, task: Task) -> Members:
        # Of records that are alike in both, the first is taken: first in an order that no column
        # rules, or the columns that stand first in the file would lose less.
        order = mixed_order(part.codes, [axis.name for axis in task.table.axes])
        mixed = Part(part.codes[order], part.sensitive[order], part.counts[order], part.seed)
        rows, clusters = kernels.grow_clusters(
            *mixed[:3], self.measured.scale, task.ruler, task.k, random_row(mixed),
            task.limits.watch.pulse(),
        )  # fmt: skip
        return Members(order[rows], np.ones(len(rows), dtype=np.int64), clusters)

    def place_left_over(self, grouping: Grouping, task: Task, spread: Spread) -> Grouping:
        """Records that no cluster took go where they disclose least more."""
        if grouping.n_groups == 0:
            return super().place_left_over(grouping, task, spread)
        rows = np.repeat(grouping.rows, grouping.counts)
        labels = np.repeat(grouping.labels, grouping.counts)
        joined = join_left_over(self.measured, rows, labels, spread)
        return replace(joined.grouping(), trace=grouping.trace, notes=grouping.notes)

    def figures(self, grouping: Grouping, task: Task) -> Mapping[str, Any]:
        return diversity_figures(grouping, task.table, 1.0)

    def notes(self, grouping: Grouping, task: Task) -> tuple[str, ...]:
        notes = super().notes(grouping, task)
        if self.is_default and self.prepartition is not None:
            notes += (
                f"The table is large, so it was cut into parts of {self.prepartition.size:,} "
                "records before clustering. `prepartition` sets another size.",
            )
        if not task.table.sensitive_columns:
            notes += (
                "The policy has no sensitive column, so k-member-p formed clusters by utility "
                "alone.",
            )
        return notes
