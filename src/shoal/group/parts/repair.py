"""Groups that fail a model are merged with the one that costs least, or their records left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.errors import CannotSatisfy
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.merging import Merging
from shoal.group.parts.regrouping import regroup_failing
from shoal.group.parts.stats import stats_of_grouping
from shoal.group.parts.suppress import suppress_failing
from shoal.group.parts.threads import Spread, spread_over
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.merge import join_groups
from shoal.types.algorithm import Limits
from shoal.types.arrays import SUPPRESSED
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


def repair(grouping: Grouping, *, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
    """Merge groups that fail with others until all hold; where people meet, regroup them before."""
    if privacy.people_meet:
        with spread_over(limits.threads, limits.watch) as spread:
            grouping = regroup_failing(grouping, table, privacy, spread)
    return merge_failing(grouping, table=table, privacy=privacy, limits=limits)


def merge_failing(
    grouping: Grouping, *, table: Table, privacy: Privacy, limits: Limits
) -> Grouping:
    """Merge every group that fails, with the group where that costs least, until all hold.

    In a round each failing group looks for its partner; the cheapest mergers take place, none of
    a group twice, and models are asked again. Where even one group of all records fails, groups
    stay as they were and the failing ones are suppressed, if that is within the limit.
    """
    merged = _merged(grouping, table, privacy, limits)
    try:
        return suppress_failing(merged, table=table, privacy=privacy, limits=limits)
    except CannotSatisfy as of_one_group:
        try:
            return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)
        except CannotSatisfy:
            raise of_one_group from None


def _merged(grouping: Grouping, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
    """Merge until all groups hold, or one is left.

    People who meet in a union count once where they counted twice. That changes how frequent values
    are in the release, with which groups are compared: all are asked again until nothing changes.
    """
    ruler = diameter_ruler_of(table)
    with spread_over(limits.threads, limits.watch) as spread:
        while True:
            merging = Merging(grouping, table, privacy, ruler, limits.watch)
            merging.merge_all(spread)
            n_groups, grouping = grouping.n_groups, merging.grouping()
            if not privacy.people_meet or grouping.n_groups == n_groups:
                return grouping


def place_left_over(
    grouping: Grouping, table: Table, ruler: CellWidths, spread: Spread
) -> Grouping:
    """Put records that no cluster took into the groups where they cost least.

    They come as suppressed ones, and one after another in the order of their rows.
    """
    is_left = grouping.labels == SUPPRESSED
    if not is_left.any():
        return grouping
    if grouping.n_groups == 0:
        return _one_group(grouping, table)
    low, high = grouping.low.copy(), grouping.high.copy()
    sizes = stats_of_grouping(table, grouping).entries.copy()
    rows, counts = grouping.rows[is_left].astype(np.int64), grouping.counts[is_left]
    spread.watch.begin("records", int(counts.sum()))
    rows, labels = spread.aside(
        lambda: join_groups(
            table.codes, rows, counts, low, high, sizes, ruler, spread.watch.pulse()
        )
    )
    ones = np.ones(len(rows), dtype=np.int64)
    placed = replace(
        grouping,
        rows=np.concatenate([grouping.rows[~is_left], rows]),
        counts=np.concatenate([grouping.counts[~is_left], ones]),
        labels=np.concatenate([grouping.labels[~is_left], labels]),
        low=low,
        high=high,
    )
    return joined_parts(placed)


def _one_group(grouping: Grouping, table: Table) -> Grouping:
    """Everything together, where there was no cluster at all."""
    low, high = table.codes.min(axis=0), table.codes.max(axis=0)
    return Grouping.of_rows(
        table,
        np.zeros(table.n_rows, dtype=np.int32),
        low[np.newaxis],
        high[np.newaxis],
        trace=grouping.trace,
    )
