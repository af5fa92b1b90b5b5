"""What the full-domain algorithms have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.errors import CannotSatisfy, nearest
from shoal.group.lattice._checker import Check, Metric
from shoal.group.lattice._grid import Node
from shoal.group.lattice._neighbours import neighbours_of
from shoal.group.lattice._search import OutOfTime, Search
from shoal.group.lattice._settle import settle
from shoal.group.parts.suppress import suppress_failing
from shoal.group.parts.threads import spread_over
from shoal.kernels.boxes import group_boxes
from shoal.metrics import BY_COLUMN, BY_GROUP
from shoal.types.algorithm import Limits
from shoal.types.grouping import Grouping
from shoal.types.neighbour import Neighbour
from shoal.types.privacy import Privacy
from shoal.types.table import Table

METRICS = BY_COLUMN + BY_GROUP


@dataclass(frozen=True)
class FullDomain(ABC):
    """Chooses a node, and groups the records that are equal there.

    `metric` is what it minimises, or only reports; after `seconds` it takes the best so far.
    """

    metric: str = "loss"
    seconds: float | None = None
    publishes_nodes: ClassVar[bool] = True  # columns without a hierarchy get a flat one

    def __post_init__(self) -> None:
        if str(self.metric).replace("_", "-") not in METRICS:
            raise ValueError(
                f"metric must be one of {', '.join(METRICS)}{nearest(str(self.metric), METRICS)}"
            )
        object.__setattr__(self, "metric", str(self.metric).replace("_", "-"))
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError("seconds must be a number above 0")

    @abstractmethod
    def walk(self, search: Search) -> bool:
        """Check nodes; the best is kept. Returns whether it is proven that none is better."""

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        with spread_over(limits.threads) as spread:
            search = Search(
                table, privacy, limits,
                metric=_metric(self.metric), seconds=self.seconds, spread=spread,
            )  # fmt: skip
            stopped = None
            try:
                is_optimal = self.walk(search)
            except OutOfTime as end:
                is_optimal, stopped = False, end.why
            best = _best_of(search)
        trace = _trace(search, best, is_optimal, stopped)
        grouping = grouping_at(best.node, table, search, trace)
        return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)

    def neighbours(
        self, node: Node, table: Table, privacy: Privacy, limits: Limits
    ) -> tuple[Neighbour, ...]:
        """The neighbours of a node: what they cost, and which models fail there."""
        return neighbours_of(node, table, privacy, limits, metric=_metric(self.metric))


def grouping_at(node: Node, table: Table, search: Search, trace: dict[str, Any]) -> Grouping:
    """Records that are equal at a node, as groups."""
    tables = search.checker.roll_up.tables
    columns = [tables[i][level][table.codes[:, i]] for i, level in enumerate(node)]
    labels, first = fold_equal_rows(columns, [axis.n_codes for axis in table.axes])
    rows = np.arange(table.n_rows, dtype=np.int32)
    low, high = group_boxes(table.codes, rows, labels, len(first))
    return Grouping.of_rows(table, labels, low, high, levels=node, trace=trace)


def _best_of(search: Search) -> Check:
    """The best node found; if the time was up before there was one, the first on Datafly's way.

    If models do not survive growth, a walk may end at the top without having met a node that
    holds. Then all nodes are evaluated before the search reports that there is none.
    """
    above: Node | None = search.grid.bottom
    while search.best is None and above is not None:
        search.consider(search.checker.check([above])[0])
        above = search.most_varied_above(above)
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
        privacy.failing(stats), privacy.relaxed(stats), n_failing, limit
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


def _metric(name: str) -> Metric:
    name = name.replace("_", "-")
    function = name.replace("-", "_")
    module = import_module(f"shoal.metrics.{function}")
    return Metric(name, getattr(module, function), by_column=name in BY_COLUMN)
