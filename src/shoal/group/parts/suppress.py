"""The last resort for groups that fail: leave their records out, within the limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.errors import CannotSatisfy
from shoal.group.parts.stats import stats_of_grouping
from shoal.types.algorithm import Limits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats
from shoal.types.table import Table


def suppress_failing(
    grouping: Grouping, *, table: Table, privacy: Privacy, limits: Limits
) -> Grouping:
    """Suppress groups so that all others hold, or raise `CannotSatisfy` where they are too many."""
    stats = stats_of_grouping(table, grouping)
    fails = privacy.to_suppress(stats)
    n_records = int(stats.entries[fails].sum())
    if n_records + grouping.n_suppressed > limits.suppression:
        refuse_what_fails_as_one_group(
            stats_of_grouping(table, _as_one_group(grouping, table)), privacy, limits
        )
        n_groups, words = int(fails.sum()), stats.suppressed_unit.words
        raise CannotSatisfy.too_many_to_suppress(
            privacy.failing(stats), n_groups, n_records, limits.suppression, *words
        )
    return grouping.without(fails) if fails.any() else grouping


def refuse_what_fails_as_one_group(stats: GroupStats, privacy: Privacy, limits: Limits) -> None:
    """Raise `CannotSatisfy` where models fail at the most general table, with what to relax."""
    models = privacy.failing(stats)
    if models:
        raise CannotSatisfy.even_as_one_group(
            models,
            privacy.relaxed(stats),
            int(stats.entries.sum()),
            limits.suppression,
            *stats.suppressed_unit.words,
        )


def _as_one_group(grouping: Grouping, table: Table) -> Grouping:
    """All records in one group, with those that were suppressed."""
    levels = grouping.levels
    if levels is not None:
        levels = tuple(
            0 if axis.hierarchy is None else axis.hierarchy.height for axis in table.axes
        )
    return replace(
        grouping,
        labels=np.zeros_like(grouping.labels),
        low=table.codes.min(axis=0, keepdims=True),
        high=table.codes.max(axis=0, keepdims=True),
        levels=levels,
    )
