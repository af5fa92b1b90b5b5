"""The neighbours of the chosen node: which column forces its generalisation, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shoal.group.lattice._checker import Checker
from shoal.group.lattice._grid import Node
from shoal.group.parts.threads import spread_over
from shoal.types.algorithm import Limits
from shoal.types.metric import AnyMetric
from shoal.types.named import name_of
from shoal.types.neighbour import Failure, Neighbour
from shoal.types.privacy import Privacy, groups_hold
from shoal.types.stats import GroupStats
from shoal.types.table import Table


def neighbours_of(
    node: Node, table: Table, privacy: Privacy, limits: Limits, *, metric: AnyMetric
) -> tuple[Neighbour, ...]:
    """The nodes one step below and above, column by column, the lower one first."""
    # As if everything could be suppressed: a node that fails has a cost then, too.
    generous = replace(limits, suppression=table.n_records)
    with spread_over(limits.threads, limits.watch) as spread:
        checker = Checker(table, privacy, generous, metric=metric, spread=spread)
        return tuple(_neighbours(node, table, checker, limits.suppression))


def _neighbours(node: Node, table: Table, checker: Checker, limit: int) -> Iterator[Neighbour]:
    for column, axis in enumerate(table.axes):
        for level in (node[column] - 1, node[column] + 1):
            if not 0 <= level <= checker.grid.heights[column]:
                continue
            other = (*node[:column], level, *node[column + 1 :])
            groups, stats = checker.groups_at(other)
            n_failing = int(groups.sizes[groups.fails].sum())
            yield Neighbour(
                column=axis.name,
                level=level,
                chosen_level=node[column],
                holds=n_failing <= limit and n_failing < table.n_records,
                n_failing=n_failing,
                cost=float(checker.metric.measure(checker.judge.at(other, groups))),
                failures=_failures(checker.privacy, stats),
            )


def _failures(privacy: Privacy, stats: GroupStats) -> tuple[Failure, ...]:
    found = []
    for model in privacy:
        fails = ~groups_hold(model, stats)
        if fails.any():
            n_records = int(stats.entries[fails].sum())
            found.append(Failure(name_of(model), int(fails.sum()), n_records))
    return tuple(found)
