"""A search for lattices with too many nodes to keep track of.

It begins with Improved Greedy's node and goes on along the border between nodes that hold and
nodes that fail: from one that holds downwards, from one that fails upwards, the most promising
first (best-first search with a priority queue). It never ends worse than it began, but it cannot
prove that nothing is better.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from shoal.group.lattice._checker import Check
from shoal.group.lattice._grid import Node
from shoal.group.lattice._search import BATCH, WORK, OutOfTime, Search, take_first_of_datafly
from shoal.group.lattice.improved_greedy import greedy

MOST_ROWS = 500_000_000  # that are rolled up by as many checks as are usual, or by fewer
USUAL_CHECKS = 10_000


def search_without_chart(search: Search, n_checks: int) -> bool:
    """Improve on Improved Greedy until so many nodes were checked. Nothing is proven.

    Checks of large tables with many columns take long. So there is also a limit on the rows that
    are rolled up. Half of them are for the beginning; if they do not suffice, it is Datafly's node.
    """
    search.limits.watch.begin("nodes", n_checks)
    n_rows = MOST_ROWS * max(n_checks, USUAL_CHECKS) // USUAL_CHECKS // 2
    search.allow(n_rows)
    is_cut = _begin(search)
    if search.best is None:
        return False
    search.allow(n_rows)
    search.limits.watch.may_stop = True
    try:
        _go_along_the_border(search, n_checks)
    finally:
        search.limits.watch.may_stop = False
    if is_cut:
        raise OutOfTime(WORK)
    return False


def _begin(search: Search) -> bool:
    """Find a node that holds; whether that ended early."""
    try:
        greedy(search, "least-loss")
    except OutOfTime as end:
        if end.why != WORK:
            raise
        if search.best is None:
            take_first_of_datafly(search)
        return True
    return False


def _go_along_the_border(search: Search, n_checks: int) -> None:
    border = Border(search)
    while (n_more := n_checks - search.checker.n_checks) > 0:
        nodes = border.most_promising(min(n_more, BATCH))
        if not nodes:
            break
        for check in search.checks(nodes):
            border.go_on_from(check)


class Border:
    """Nodes to be checked, the most promising first.

    A candidate's rank is its lower bound, raised if its neighbour is far from holding. When
    no candidate is left, nodes that were checked are gone back to, for their exchanges: one
    column lower and another higher, past nodes that are known to fail.
    """

    def __init__(self, search: Search) -> None:
        assert search.best is not None
        self.search = search
        self._seen: set[Node] = {search.best.node}
        self._failed = np.zeros((0, len(search.grid.heights)), dtype=np.int32)
        self._candidates: list[tuple[float, Node]] = []
        self._checked: list[tuple[float, Node]] = []
        self.go_on_from(search.best)

    def go_on_from(self, check: Check) -> None:
        """The neighbours of a node that was checked become candidates."""
        grid = self.search.grid
        if check.fails_below:
            self._failed = np.vstack([self._failed, np.array([check.node], dtype=np.int32)])
        too_many = 0.0 if check.holds else check.n_failing - self.search.limits.suppression
        penalty = 1 + too_many / self.search.checker.n_records
        heapq.heappush(self._checked, (self._floors([check.node])[0] * penalty, check.node))
        self._add(grid.below(check.node) if check.holds else grid.above(check.node), penalty)

    def most_promising(self, most: int) -> list[Node]:
        """The next nodes to check, without those that cannot be better or are known to fail."""
        nodes: list[Node] = []
        while len(nodes) < most:
            while not self._candidates and self._checked:
                self._add(self._exchanges(heapq.heappop(self._checked)[1]), 1.0)
            if not self._candidates:
                break
            _, node = heapq.heappop(self._candidates)
            if not self._is_known_to_fail(node) and self._floors([node])[0] < self.search.bound:
                nodes.append(node)
        return nodes

    def _add(self, nodes: Iterable[Node], penalty: float) -> None:
        new = [node for node in nodes if node not in self._seen]
        self._seen.update(new)
        for node, floor in zip(new, self._floors(new), strict=True):
            if floor < self.search.bound:
                heapq.heappush(self._candidates, (floor * penalty, node))

    def _exchanges(self, node: Node) -> Iterator[Node]:
        grid = self.search.grid
        return (other for lower in grid.below(node) for other in grid.above(lower))

    def _floors(self, nodes: Sequence[Node]) -> list[float]:
        if not nodes:
            return []
        floors: list[float] = self.search.checker.floors(np.array(nodes)).tolist()
        return floors

    def _is_known_to_fail(self, node: Node) -> bool:
        return bool((np.array(node) <= self._failed).all(axis=1).any())
