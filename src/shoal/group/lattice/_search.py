"""The state of a walk through a lattice: branch and bound with a time limit."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cached_property

from shoal.group.lattice._chart import Chart
from shoal.group.lattice._checker import Check, Checker
from shoal.group.lattice._grid import Node
from shoal.group.parts.threads import Spread
from shoal.types.algorithm import Limits
from shoal.types.metric import AnyMetric
from shoal.types.privacy import Privacy
from shoal.types.table import Table

BATCH = 16  # nodes checked side by side: the same for any number of threads, as the result must be


WORK = "work"  # why a search ended that was allowed to roll up so many rows


class OutOfTime(Exception):
    """The search must end now; `why` is what the summary says."""

    def __init__(self, why: str) -> None:
        self.why = why


class Search:
    """Checks nodes, keeps the best that holds, and ends when the time is up."""

    def __init__(
        self,
        table: Table,
        privacy: Privacy,
        limits: Limits,
        *,
        metric: AnyMetric,
        seconds: float | None,
        spread: Spread,
    ) -> None:
        self.checker = Checker(table, privacy, limits, metric=metric, spread=spread)
        self.grid = self.checker.grid
        self.limits = limits
        self.best: Check | None = None
        self.is_charted = False
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._most_read = float("inf")
        limits.watch.begin("nodes", self.grid.n_nodes)

    @cached_property
    def chart(self) -> Chart:
        """What checks show about nodes that were not checked."""
        self.is_charted = True
        return Chart(self.checker)

    @property
    def bound(self) -> float:
        """The cost of the best node: nodes with a lower bound of at least this are pruned."""
        return float("inf") if self.best is None else self.best.cost

    def without_clock(self) -> Search:
        """The same, for what has to be done however long it takes."""
        self._ends, self._most_read = None, float("inf")
        return self

    def allow(self, n_rows: int) -> None:
        """From now on, end when so many rows were rolled up: the same work on every machine."""
        self._most_read = self.checker.roll_up.n_read + n_rows

    def checks(self, nodes: Sequence[Node]) -> Iterator[Check]:
        """Check nodes, a batch at a time; with a chart, the results are recorded there."""
        for start in range(0, len(nodes), BATCH):
            self.look_at_the_clock()
            for check in self.checker.check(nodes[start : start + BATCH]):
                self.consider(check)
                yield check

    def check(self, node: Node) -> Check:
        return next(self.checks([node]))

    def most_varied_above(self, node: Node) -> Node | None:
        """The node above in which the column with most different values is generalised."""
        above = list(self.grid.above(node))
        if not above:
            return None
        return max(above, key=lambda other: self.variety(node, other))  # then the first

    def variety(self, node: Node, above: Node) -> int:
        """How many values the column has at a node in which another, one above, differs from it."""
        column = _column_between(node, above)
        return self.checker.judge.n_values(column, node[column])

    def consider(self, check: Check) -> None:
        """Keep the best node: the cheapest, of equal ones the least general, then the first."""
        if check.holds and (self.best is None or self._rank(check) < self._rank(self.best)):
            self.best = check
        if self.is_charted:
            self.chart.note(check)

    def _rank(self, check: Check) -> tuple[float, int, Node]:
        return check.cost, sum(check.node), check.node

    def look_at_the_clock(self) -> None:
        """Tell how far the search is; raise `OutOfTime`, or `Cancelled`, if it must end."""
        watch = self.limits.watch
        if watch.is_stopped:
            raise OutOfTime("interrupt")
        if self._ends is not None and time.monotonic() > self._ends:
            raise OutOfTime("time")
        if self.checker.roll_up.n_read > self._most_read:
            raise OutOfTime(WORK)
        watch.report(self.checker.n_checks, None if self.best is None else self.best.cost)


def take_first_of_datafly(search: Search) -> None:
    """The first node on Datafly's way that holds becomes the best one, whatever the clock says.

    Its way does not depend on what is found there. So where all nodes above one that holds do, it
    is halved again and again.
    """
    way, above = [search.grid.bottom], search.most_varied_above(search.grid.bottom)
    while above is not None:
        way.append(above)
        above = search.most_varied_above(above)
    if not search.checker.is_monotone:
        checks = (search.checker.check([node])[0] for node in way)
        found = next((check for check in checks if check.holds), None)
    else:
        found = _first_that_holds(way, search.checker)
    if found is not None:
        search.consider(found)


def _first_that_holds(way: Sequence[Node], checker: Checker) -> Check | None:
    low, high, found = 0, len(way), None
    while low < high:
        middle = (low + high) // 2
        (check,) = checker.check([way[middle]])
        if check.holds:
            high, found = middle, check
        else:
            low = middle + 1
    return found


def _column_between(node: Node, above: Node) -> int:
    return next(i for i, level in enumerate(above) if level != node[i])
