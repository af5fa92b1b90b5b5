"""Improving a grouping by local search: what Sweep does with its start, and `refine` with any."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from shoal.group.local._asking import holds, is_about_size
from shoal.group.local._certify import certified, polish
from shoal.group.local._search import Effort, LocalSearch
from shoal.group.parts.threads import spread_over
from shoal.types.algorithm import Limits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table

Degree = Literal["fast", "default", "full"]
# Work, which is steps x (10 + records of an average group): with larger groups, they take longer.
WORK_OF_A_ROW = {"fast": 200, "default": 800, "full": 4000}
LEAST_WORK, MOST_WORK = 30_000, {"fast": 20_000_000, "default": 80_000_000, "full": 800_000_000}


def improved(
    start: Grouping,
    table: Table,
    privacy: Privacy,
    limits: Limits,
    *,
    effort: Degree = "default",
    seconds: float | None = None,
) -> Grouping:
    """Groups that hold and never cost more than those that it begins with."""
    asks = not is_about_size(privacy)
    with spread_over(limits.threads, limits.watch) as spread:
        search = LocalSearch(
            start, table, privacy,
            room=0 if asks else limits.suppression - start.n_suppressed,
            asks=asks, seed=limits.seed, spread=spread,
        )  # fmt: skip
        search.run(Effort(_work(table, effort), seconds))
        proof = _finished(search, effort)
    found = search.grouping()
    if not holds(found, table, privacy):
        found, proof = start, {"certified": False} if proof else {}
    stopped = "interrupt" if limits.watch.is_stopped else None
    trace = {"steps": search.n_steps, "moves": search.n_taken, "stopped": stopped}
    return replace(found, trace=trace | proof)


def _finished(search: LocalSearch, effort: Degree) -> dict[str, bool]:
    """Make what moves are left that help: all of them with full effort, which is then certified."""
    watch = search.spread.watch
    watch.may_stop = True
    try:
        if effort == "full":
            return {"certified": certified(search)}
        polish(search)
    finally:
        watch.may_stop = False
    return {}


def _work(table: Table, effort: Degree) -> int:
    return min(max(WORK_OF_A_ROW[effort] * table.n_rows, LEAST_WORK), MOST_WORK[effort])
