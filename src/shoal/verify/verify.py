"""Counting the published cells anew and asking every model about them.

Nothing here comes from `encode`, `group` or `kernels`: the table is looked at as a recipient
would look at it, as text in columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from shoal.types.arrays import Int64Array
from shoal.types.privacy import Finding, Leak, Privacy, PrivacyModel, Verdict, name_of
from shoal.types.stats import GroupStats, ValueCounts


def verify(
    published: pl.DataFrame,
    *,
    quasi: Sequence[str],
    privacy: Privacy,
    withheld: Sequence[str] = (),
) -> Verdict:
    """Whether the published cells keep every model, and no withheld column is among them."""
    stats = count_groups(published, quasi, sensitive=_columns_of(privacy))
    leaks = tuple(
        Leak("withheld column", name, published.height)
        for name in withheld
        if name in published.columns
    )
    sizes, times = np.unique(stats.sizes, return_counts=True)
    return Verdict(
        n_records=published.height,
        n_groups=stats.n_groups,
        group_sizes=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
        findings=tuple(_find(model, stats) for model in privacy),
        leaks=leaks,
    )


def count_groups(
    published: pl.DataFrame, quasi: Sequence[str], *, sensitive: Sequence[str]
) -> GroupStats:
    """Sizes of the groups of equal cells and, where asked for, their sensitive values."""
    if not sensitive:
        return GroupStats(_whole(published.select(quasi).group_by(quasi).len()[:, -1]), {})
    members = published.select(quasi).with_row_index("\0").group_by(quasi).agg(pl.col("\0"))["\0"]
    sizes = _whole(members.list.len())
    group = np.empty(published.height, dtype=np.int64)
    group[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return GroupStats(
        sizes,
        {name: partial(_count_values, group, len(sizes), published[name]) for name in sensitive},
    )


def _whole(series: pl.Series) -> Int64Array:
    return series.to_numpy().astype(np.int64)


def _count_values(group: Int64Array, n_groups: int, column: pl.Series) -> ValueCounts:
    """How often each value occurs in each group; a missing value is a value."""
    ranks = column.rank("dense")
    values = _whole(ranks.fill_null(0))
    pairs, counts = np.unique(group * (values.max() + 1) + values, return_counts=True)
    groups, found = np.divmod(pairs, values.max() + 1)
    starts = np.searchsorted(groups, np.arange(n_groups + 1))
    return ValueCounts(starts.astype(np.int64), found.astype(np.int32), counts.astype(np.int64))


def _find(model: PrivacyModel, stats: GroupStats) -> Finding:
    holds = model.holds(stats)
    return Finding(
        model=name_of(model),
        column=getattr(model, "column", None),
        required=_required(model),
        achieved=model.achieved(stats) if stats.n_groups else None,
        holds=bool(holds.all()),
        n_failing_groups=int((~holds).sum()),
        n_failing_records=int(stats.sizes[~holds].sum()),
    )


def _required(model: PrivacyModel) -> dict[str, Any]:
    assert is_dataclass(model)
    return {
        name.replace("_", "-"): value for name, value in asdict(model).items() if name != "column"
    }


def _columns_of(privacy: Privacy) -> list[str]:
    return sorted({model.column for model in privacy if hasattr(model, "column")})
