"""What the clustering algorithms have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.pre_partition import Prepartition, whole_table
from shoal.group.parts.repair import place_left_over, repair
from shoal.group.parts.threads import Spread, spread_over
from shoal.kernels.boxes import group_boxes
from shoal.kernels.cell_widths import CellWidths
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.arrays import Int32Array, Int64Array, IntArray
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


class Part(NamedTuple):
    """Some records of a table: rows of codes, each with a number of equal records."""

    codes: Int32Array  # [rows, quasi-identifiers]
    sensitive: Int32Array  # [rows, sensitive columns]
    counts: Int64Array
    seed: int  # of this part's own, so that parts can be clustered in any order


class Members(NamedTuple):
    """Which records of a part are in which cluster; -1: left over, to be placed by the caller."""

    rows: IntArray  # of the part; a row may stand several times
    counts: Int64Array
    clusters: Int64Array


class Task(NamedTuple):
    """What a part is to be clustered for."""

    k: int  # no cluster may have fewer records
    table: Table
    ruler: CellWidths  # `il`: width by width of the domain, or level by height
    limits: Limits


@dataclass(frozen=True)
class Clusterer(Algorithm):
    """Clusters records, then repairs groups that fail a model.

    `prepartition` cuts the table into parts of at least so many records beforehand.
    """

    prepartition: Prepartition | None = None

    @abstractmethod
    def cluster(self, part: Part, task: Task) -> Members:
        """Clusters of at least `task.k` records. Runs on several threads at once."""

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        task = Task(privacy.smallest, table, diameter_ruler_of(table), limits)
        with spread_over(limits.threads, limits.watch) as spread:
            grouping = self.cluster_all(table, task, spread)
            grouping = self.place_left_over(grouping, task, spread)
        grouping = repair(grouping, table=table, privacy=privacy, limits=limits)
        trace = {**grouping.trace, **self.figures(grouping, task)}
        return replace(grouping, trace=trace, notes=self.notes(grouping, task))

    @property
    def turns(self) -> int:
        """How often a record is counted as done, at most, while its part is clustered."""
        return 1

    def place_left_over(self, grouping: Grouping, task: Task, spread: Spread) -> Grouping:
        """Records that no cluster took go where they cost least."""
        return place_left_over(grouping, task.table, task.ruler, spread)

    def figures(self, grouping: Grouping, task: Task) -> Mapping[str, Any]:
        """Figures of the result for the summary, in addition to the measures."""
        return {}

    def notes(self, grouping: Grouping, task: Task) -> tuple[str, ...]:
        """What the user should know about how the groups were found."""
        if self.prepartition is None or self.prepartition.size >= 2 * task.k:
            return ()
        return (
            f"Each part of {self.prepartition.size:,} records has room for only one group. Set "
            f"`size` to {2 * task.k:,} or more to get clusters of similar records.",
        )

    def cluster_all(self, table: Table, task: Task, spread: Spread) -> Grouping:
        """Cluster every part, on all cores; the same for any number of threads."""
        cut = self.prepartition.cut if self.prepartition else whole_table
        parts = cut(table, task.k, spread)
        found: list[Members | None] = [None] * parts.n_parts
        watch = spread.watch

        def work(share: Int64Array) -> None:
            done = watch.pulse().done
            for i in share:
                n_before = done[0]
                rows, counts = parts.part(int(i))
                part = Part(
                    table.codes[rows], table.sensitive[rows], counts, seed_of(task.limits, int(i))
                )
                members = self.cluster(part, task)
                watch.check()
                done[0] = n_before + self.turns * counts.sum()
                found[i] = members._replace(rows=rows[members.rows])

        watch.begin("records", self.turns * table.n_records)
        spread(work, np.arange(parts.n_parts), parts.sizes**2)  # about the work of a part
        return _joined([members for members in found if members is not None], table)


def seed_of(limits: Limits, part: int) -> int:
    """A seed for each part that follows from the seed of the run."""
    return int(np.random.SeedSequence([limits.seed, part]).generate_state(1)[0])


def _joined(found: list[Members], table: Table) -> Grouping:
    """The clusters of all parts as one grouping."""
    n_before = 0
    labels = []
    for members in found:
        labels.append(np.where(members.clusters < 0, -1, members.clusters + n_before))
        n_before += int(members.clusters.max(initial=-1)) + 1
    rows = np.concatenate([members.rows for members in found]).astype(np.int32)
    counts = np.concatenate([members.counts for members in found])
    label = np.concatenate(labels).astype(np.int32)
    low, high = group_boxes(table.codes, rows, label, n_before)
    return joined_parts(Grouping(rows, counts, label, low, high))
