"""The result of a search for the front of two figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from shoal.comparison.comparison import Comparison, value_of
from shoal.comparison.front import Costs, front_of, gaps_of
from shoal.comparison.measures import SECONDS, Measure
from shoal.comparison.run import Run
from shoal.errors import counted

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.plot.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Frontier(Comparison):
    """Releases of one table, and which of them no other beats in both loss and risk.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38, 52, 55, 41, 47, 29, 63]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.frontier(people, policy, k="2..4", runs=4, processes=0)
    >>> found
    <Frontier: 3 runs, 2 on the front>
    >>> found.front.select("k", "loss", "average-risk").rows()
    [(2, 0.1323529411764706, 0.5), (4, 0.4117647058823529, 0.25)]
    """

    loss: Measure = SECONDS
    risk: Measure = SECONDS

    def __repr__(self) -> str:
        return f"<Frontier: {counted(len(self.runs), 'run')}, {len(self.best_runs)} on the front>"

    @cached_property
    def best_runs(self) -> tuple[Run, ...]:
        """The runs on the front, from the lowest loss to the lowest risk."""
        released = [run for run in self.verified if self.costs_of(run) is not None]
        costs = [cost for run in released if (cost := self.costs_of(run)) is not None]
        return tuple(released[i] for i in front_of(costs))

    def costs_of(self, run: Run) -> Costs | None:
        """Both figures, turned so that lower is better."""
        return costs_of(run, self.loss, self.risk)

    @property
    def gaps(self) -> list[float]:
        """How far neighbours are apart, as shares of what the front spans."""
        return gaps_of([cost for run in self.best_runs if (cost := self.costs_of(run)) is not None])

    @cached_property
    def frame(self) -> pl.DataFrame:
        """A row for each run, with whether it is on the front."""
        best = {run.id for run in self.best_runs}
        on_front = pl.Series("front", [run.id in best for run in self.runs], dtype=pl.Boolean)
        return super().frame.with_columns(on_front)

    @property
    def front(self) -> pl.DataFrame:
        """The rows of the runs on the front, from the lowest loss on."""
        place = {run.id: i for i, run in enumerate(self.best_runs)}
        rows = [row for row, run in enumerate(self.runs) if run.id in place]
        return self.frame[sorted(rows, key=lambda row: place[self.runs[row].id])]

    def print_to(self, console: Console) -> None:
        from shoal.report.comparison.frontier import print_frontier

        print_frontier(self, console)

    def _repr_html_(self) -> str:
        return self.plot()._repr_html_()

    def plot(self, measure: str = "") -> Figure:
        """All releases in the plane of both figures; or one measure, as of a comparison."""
        from shoal.report.comparison.frontier import front_figure

        return super().plot(measure) if measure else front_figure(self)

    def html(self) -> str:
        """The plot, the front as a table, and the list of runs as one page."""
        from shoal.report.comparison.frontier import front_page

        return front_page(self)


def costs_of(run: Run, loss: Measure, risk: Measure) -> Costs | None:
    """Two figures of a run, turned so that lower is better; None if it has not both."""
    found = []
    for measure in (loss, risk):
        value = value_of(run, measure)
        if value is None or math.isnan(value):
            return None
        found.append(value if measure.lower_is_better else -value)
    return found[0], found[1]
