"""Mondrian by scans (LeFevre et al. 2006), counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.reproduction.counted.records import Records
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.arrays import Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class CountedMondrian(Algorithm):
    """Cut at the median of the widest column that allows it. A look at a record counts as one."""

    @property
    def traits(self) -> Traits:
        return Traits(seeded=False)

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        records = Records.of(table)
        labels = np.zeros(records.n, dtype=np.int64)
        open_, n_done, evaluations = [np.arange(records.n)], 0, 0
        while open_:
            part = open_.pop()
            halves, n_looked = cut(records, part, privacy.smallest)
            evaluations += n_looked
            open_ += halves
            if not halves:
                labels[part] = n_done
                n_done += 1
        return records.grouping(labels, evaluations=evaluations)


def cut(records: Records, part: Int64Array, k: int) -> tuple[list[Int64Array], int]:
    """Both sides of the first cut that leaves k records on each, widest column first."""
    codes = records.codes[:, part]
    widths = [
        axis.positions[high] - axis.positions[low]
        for axis, low, high in zip(
            records.table.axes, codes.min(axis=1), codes.max(axis=1), strict=True
        )
    ]
    n_looked = len(part)  # for the widths
    for i in np.argsort(-np.array(widths), kind="stable"):
        n_looked += len(part)
        median = np.sort(codes[i])[(len(part) - 1) // 2]
        is_left = codes[i] <= median
        if k <= is_left.sum() <= len(part) - k:
            return [part[is_left], part[~is_left]], n_looked
    return [], n_looked
