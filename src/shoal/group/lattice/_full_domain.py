"""What the full-domain algorithms have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shoal.errors import BadOption, CannotSatisfy
from shoal.group.lattice._checker import Check
from shoal.group.lattice._neighbours import neighbours_of
from shoal.group.lattice._search import OutOfTime, Search, take_first_of_datafly
from shoal.group.lattice._settle import settle
from shoal.group.parts.at_levels import at_levels
from shoal.group.parts.suppress import suppress_failing
from shoal.group.parts.threads import spread_over
from shoal.group.parts.turns import order_by_name
from shoal.metrics import metric_to_minimise
from shoal.types.algorithm import Algorithm, Limits, LookAround, Traits
from shoal.types.grouping import Grouping
from shoal.types.metric import AnyMetric
from shoal.types.named import name_of
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class FullDomain(Algorithm):
    """Chooses a node, and groups the records that are equal there.

    `metric` is what it minimises, or only reports; after `seconds` it takes the best so far.
    """

    metric: AnyMetric | str = "loss"
    seconds: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "metric", metric_to_minimise(self.metric))
        if self.seconds is not None and not self.seconds > 0:
            raise BadOption("seconds must be a number above 0")

    @abstractmethod
    def walk(self, search: Search) -> bool:
        """Check nodes; the best is kept. Returns whether it is proven that none is better."""

    @property
    def traits(self) -> Traits:
        return Traits(publishes_nodes=True, metric=name_of(self._metric), seeded=False)

    @property
    def neighbours(self) -> LookAround:
        return partial(neighbours_of, metric=self._metric)

    @property
    def _metric(self) -> AnyMetric:
        assert not isinstance(self.metric, str)  # a name was looked up when it was given
        return self.metric

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        # Of nodes that cost the same the first is taken. So that it does not depend on the places
        # of columns in the file, these stand in the order of their names.
        by_name = np.argsort(order_by_name([axis.name for axis in table.axes]))
        with spread_over(limits.threads, limits.watch) as spread:
            search = Search(
                table.with_columns(by_name.tolist()), privacy, limits,
                metric=self._metric, seconds=self.seconds, spread=spread,
            )  # fmt: skip
            stopped = None
            try:
                is_optimal = self.walk(search)
            except OutOfTime as end:
                is_optimal, stopped = False, end.why
            best = _best_of(search)
        trace = _trace(search, best, is_optimal, stopped)
        levels = dict(zip(by_name.tolist(), best.node, strict=True))
        grouping = at_levels(table, [levels[i] for i in range(len(levels))], trace=trace)
        return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)


def _best_of(search: Search) -> Check:
    """The best node found; if the time was up before there was one, the first on Datafly's way.

    If models do not survive growth, a walk may end at the top without having met a node that
    holds. Then all nodes are evaluated before the search reports that there is none.
    """
    if search.best is None:
        take_first_of_datafly(search)
    if search.best is None and not search.checker.is_monotone and search.grid.can_be_charted:
        settle(search.without_clock())
    if search.best is None:
        raise _cannot_satisfy(search)
    return search.best


def _cannot_satisfy(search: Search) -> CannotSatisfy:
    """Which models fail even where everything is generalised to the top."""
    groups, stats = search.checker.groups_at(search.grid.top)
    privacy, limit = search.checker.privacy, search.limits.suppression
    n_failing = int(groups.sizes[groups.fails].sum())
    return CannotSatisfy.even_as_one_group(
        privacy.failing(stats),
        privacy.relaxed(stats),
        n_failing,
        limit,
        search.checker.table.placed.words,
    )


def _trace(search: Search, best: Check, is_optimal: bool, stopped: str | None) -> dict[str, Any]:
    checker = search.checker
    n_pruned = 0
    if search.is_charted:  # all the others were ruled out; or, stopped early, those known to fail
        chart = search.chart
        is_ruled_out = ~chart.is_checked & (chart.fails | (stopped is None))
        n_pruned = int(is_ruled_out.sum())
    return {
        "nodes": search.grid.n_nodes,
        "checks": checker.n_checks,
        "rolled_up": checker.roll_up.n_rolled_up,
        "pruned": n_pruned,
        "cost": float(best.cost),
        "optimal": is_optimal,
        "stopped": stopped,
    }
