"""t-clustering: clusters in which severity is balanced (Kayem and Meinel)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.errors import BadOption, PolicyError
from shoal.group.cluster._clusterer import Clusterer, Members, Part, Task
from shoal.group.cluster._severity import balanced_ratios, severities_of, space_of
from shoal.group.cluster._severity_figures import figures_of
from shoal.group.cluster._severity_parts import balanced_parts, members_of, no_members
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.threads import Spread
from shoal.kernels.boxes import group_boxes
from shoal.kernels.severity_balance import Goal, Parts
from shoal.kernels.t_clustering import cluster_parts
from shoal.types.algorithm import Traits
from shoal.types.arrays import Int64Array
from shoal.types.grouping import Grouping
from shoal.types.table import Table

SIZE = 8  # times k: the records of a part at least, unless `prepartition` says otherwise


@dataclass(frozen=True)
class TClustering(Clusterer):
    """Clusters of near records whose mean severity is about that of the table; not t-closeness.

    `t` is how far out of balance a group may be: phi(x) = x ln x - x + 1 of its mean severity by
    the table's. 0.004 keeps it within nine percent. `balance` is what phi counts against distance
    while clusters grow. `noise` moves numbers of quasi-identifiers at random before they are
    grouped, by up to this share of a column's width. Kayem and Meinel.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52], "ill": ["flu", "cold", "cancer", "gout"]})
    >>> severity = shoal.severity({"flu": 1, "cold": 1, "gout": 3, "cancer": 3})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive={"ill": severity},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="t-clustering")
    >>> release.frame.rows()
    [('[21, 34]', 'cancer'), ('[21, 34]', 'flu'), ('[27, 52]', 'cold'), ('[27, 52]', 'gout')]
    """

    t: float = 0.004
    balance: float = 1.0
    noise: float = 0.0  # added by the pipeline: the table that is grouped has it already

    def __post_init__(self) -> None:
        for name, value in (("t", self.t), ("balance", self.balance)):
            if not 0 <= value < math.inf:
                raise BadOption(f"{name} must be a number, at least 0")
        if not 0 <= self.noise < 1:
            raise BadOption("noise must be a number of at least 0 and less than 1")

    @property
    def traits(self) -> Traits:
        return Traits(noise=self.noise)

    def cluster(self, part: Part, task: Task) -> Members:
        """The clusters of one part."""
        n_rows, n_records = len(part.counts), int(part.counts.sum())
        record = np.random.default_rng(part.seed).integers(0, n_records, 1)
        rows, starts = np.arange(n_rows, dtype=np.int32), np.array([0, n_rows])
        parts = Parts(rows, part.counts, starts, np.array([0, n_records]), record)
        found, space = no_members(parts), space_of(task.table, part.codes, part.sensitive)
        goal, pulse = self._goal(task), task.limits.watch.pulse()
        cluster_parts(space, task.ruler, parts, goal, np.arange(1), found, pulse)
        task.limits.watch.check()
        return members_of(parts, found)

    def cluster_all(self, table: Table, task: Task, spread: Spread) -> Grouping:
        """The clusters of all parts: a call of a kernel for each thread, not for each part."""
        space, goal = space_of(table, table.codes, table.sensitive), self._goal(task)
        parts = balanced_parts(self._size(task), self.t, space, task, spread)
        found = no_members(parts)

        def work(share: Int64Array) -> None:
            cluster_parts(space, task.ruler, parts, goal, share, found, spread.watch.pulse())

        efforts = np.diff(parts.places) * np.diff(parts.starts)  # every record looks at all rows
        spread.watch.begin("records", table.n_records)
        spread(work, np.arange(len(parts.first)), efforts)
        rows, counts, clusters = members_of(parts, found)
        labels = clusters.astype(np.int32)
        low, high = group_boxes(table.codes, rows, labels, int(labels.max(initial=-1)) + 1)
        return joined_parts(Grouping(rows, counts, labels, low, high))

    def figures(self, grouping: Grouping, task: Task) -> Mapping[str, Any]:
        return {"t_clustering": {"t": self.t, **figures_of(grouping, task.table, task.limits)}}

    def notes(self, grouping: Grouping, task: Task) -> tuple[str, ...]:
        graded = {severity.name for severity in severities_of(task.table)}
        notes = list(super().notes(grouping, task))
        if graded:
            notes.append(
                "Severity is balanced. This does not guarantee t-closeness: all records of a "
                "group may have the same value. `--json` shows the t-closeness distances."
            )
        notes += [
            f"Column {column.name!r} has no severities, so t-clustering does not balance it. Set "
            "them in the policy: `severity: {value: number, ...}`."
            for column in task.table.sensitive_columns
            if column.name not in graded
        ]
        return tuple(notes)

    def _goal(self, task: Task) -> Goal:
        k = min(task.k, task.table.n_records + 1)  # a number that kernels can hold
        return Goal(k, float(self.t), float(self.balance), *balanced_ratios(self.t))

    def _size(self, task: Task) -> int:
        """The records of a part, in numbers that kernels can hold."""
        size = SIZE * task.k if self.prepartition is None else self.prepartition.size
        if size < task.k:
            raise PolicyError(
                f"size must be at least {task.k:,}, so that a part has room for a cluster",
                ("algorithm", "prepartition", "size"),
            )
        return min(size, task.table.n_records + 1)
