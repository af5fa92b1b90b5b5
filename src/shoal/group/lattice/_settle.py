"""The true optimum, by branch and bound: every node that could still be the best is checked."""

from __future__ import annotations

from collections.abc import Callable

from shoal.group.lattice._grid import Node, is_below
from shoal.group.lattice._search import BATCH, Search
from shoal.types.arrays import BoolArray, Int64Array

AT_ONCE = 4096  # places of the chart looked at together
AHEAD = 4 * BATCH  # among which a batch is chosen


def settle(search: Search) -> bool:
    """Check all nodes that may hold and may cost less than the best: then none is better."""
    chart = search.chart

    # Nearly all of the open nodes that would be better fail. So those that cost most come first:
    # the more general a node that fails, the more others fail with it, and the fewer groups it
    # has. Without a floor for every node, the checks must come from below to give one.
    def is_open(places: Int64Array) -> BoolArray:
        return ~(chart.holds.ravel()[places] | chart.fails.ravel()[places])

    order = chart.by_floor(~(chart.holds | chart.fails).ravel())
    is_known_by_levels = search.checker.metric.bound == "levels"
    _check_in_order(search, order[::-1] if is_known_by_levels else order, is_open)

    # What holds only because a node below does has no cost yet. The cheapest may be the best.
    def is_unchecked(places: Int64Array) -> BoolArray:
        return ~(chart.fails.ravel()[places] | chart.is_checked.ravel()[places])

    _check_in_order(search, chart.by_floor(chart.unchecked()), is_unchecked)
    _descend(search)
    return True


def _descend(search: Search) -> None:
    """Go down where the cost stays the same: levels without an effect must not be generalised."""
    before = None
    while search.best is not None and search.best is not before:
        before = search.best
        places = [(node, search.grid.place(node)) for node in search.grid.below(before.node)]
        chart = search.chart
        as_good = [node for node, at in places if not (chart.fails[at] or chart.is_checked[at])]
        for _ in search.checks(as_good):
            pass


def _check_in_order(
    search: Search, order: Int64Array, is_wanted: Callable[[Int64Array], BoolArray]
) -> None:
    floor = search.chart.floor.ravel()
    for start in range(0, len(order), AT_ONCE):
        places = order[start : start + AT_ONCE]
        while len(places := places[is_wanted(places) & (floor[places] < search.bound)]):
            for _ in search.checks(_apart([search.grid.node(int(p)) for p in places[:AHEAD]])):
                pass


def _apart(nodes: list[Node]) -> list[Node]:
    """The first nodes of which none is above another: no check decides one of the others."""
    batch: list[Node] = []
    for node in nodes:
        if not any(is_below(node, other) or is_below(other, node) for other in batch):
            batch.append(node)
        if len(batch) == BATCH:
            break
    return batch
