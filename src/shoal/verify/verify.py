"""Counting the published cells anew and asking every model about them.

Nothing here comes from `encode`, `group` or `kernels`: the table is looked at as a recipient
would look at it, as text in columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import polars as pl

from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.privacy import Finding, Leak, Privacy, PrivacyModel, Verdict, name_of, settings_of
from shoal.types.stats import GroupStats, ValueCounts

RECORD = "record"


def verify(
    published: pl.DataFrame,
    *,
    quasi: Sequence[str],
    sensitive: Mapping[str, RawColumn],
    privacy: Privacy,
    withheld: Sequence[str] = (),
) -> Verdict:
    """Whether the published cells keep every model, and no withheld column is among them.

    `sensitive` are the columns that models are about, read from the published table.
    """
    cells = pl.DataFrame({str(i): published[name] for i, name in enumerate(quasi)})
    stats = count_groups(cells, sensitive)
    sizes, times = np.unique(stats.sizes, return_counts=True)
    return Verdict(
        n_records=published.height,
        n_groups=stats.n_groups,
        group_sizes=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
        findings=tuple(_find(model, stats) for model in privacy),
        leaks=tuple(
            Leak("withheld column", name, published.height)
            for name in withheld
            if name in published.columns
        ),
    )


def count_groups(cells: pl.DataFrame, sensitive: Mapping[str, RawColumn]) -> GroupStats:
    """Sizes of the groups of equal rows of cells and, when asked for, their sensitive values."""
    quasi = cells.columns
    if not sensitive:
        return GroupStats(_whole(cells.group_by(quasi).agg(pl.len().alias(RECORD))[RECORD]), {})
    members = cells.with_row_index(RECORD).group_by(quasi).agg(pl.col(RECORD))[RECORD]
    sizes = _whole(members.list.len())
    group = np.empty(cells.height, dtype=np.int64)
    group[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return GroupStats(
        sizes,
        {
            name: partial(_count_values, group, len(sizes), column)
            for name, column in sensitive.items()
        },
    )


def _count_values(group: Int64Array, n_groups: int, column: RawColumn) -> ValueCounts:
    """How often each value occurs in each group; missing is a value, the last one."""
    n_values = len(column.labels)
    values = np.where(column.codes < 0, n_values, column.codes)
    pairs, counts = np.unique(group * (n_values + 1) + values, return_counts=True)
    groups, found = np.divmod(pairs, n_values + 1)
    starts = np.searchsorted(groups, np.arange(n_groups + 1))
    return ValueCounts(starts.astype(np.int64), found.astype(np.int32), counts.astype(np.int64))


def _whole(series: pl.Series) -> Int64Array:
    return series.to_numpy().astype(np.int64)


def _find(model: PrivacyModel, stats: GroupStats) -> Finding:
    holds = model.holds(stats)
    achieved = model.achieved(stats) if stats.n_groups else None
    required = {name: value for name, value in settings_of(model).items() if name != "column"}
    return Finding(
        model=name_of(model),
        column=getattr(model, "column", None),
        required=required,
        achieved=achieved,
        holds=bool(holds.all()),
        demand=model.demand(),
        found="No record was released." if achieved is None else model.found(achieved),
        n_failing_groups=int((~holds).sum()),
        n_failing_records=int(stats.sizes[~holds].sum()),
    )
