"""How far off counts are that somebody estimates from a release (Loukides and Shao 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.errors import BadOption, nearest
from shoal.metrics._queries import answers, draw, estimates
from shoal.types.arrays import FloatArray
from shoal.types.metric import Metric
from shoal.types.outcome import Outcome

MOST_COLUMNS = 3  # that a query asks about, unless the user names some
ROUNDS = 50  # of drawing queries that somebody answers to


@dataclass(frozen=True)
class QueryError(Metric[Outcome]):
    """How far off estimated counts are, as a share of the true count, on average over queries.

    A query asks how many records have values of certain ranges in `columns`, the first three
    quasi-identifiers unless others are named. A range covers so much of its column that all
    together cover `selectivity` of all combinations. The estimate takes every value that a cell
    covers for as likely. Only queries that some record answers to count. `queries` says how many
    there are, `seed` which.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [20, 21, 22, 23] * 5})
    >>> release = shoal.anonymize(people, quasi=["age"], privacy=[shoal.KAnonymity(5)])
    >>> release.measure("query-error")  # nothing had to be generalised
    0.0
    """

    columns: tuple[str, ...] = ()
    selectivity: float = 0.015
    queries: int = 10_000
    seed: int = 0
    needs = ("release",)
    unit = "share of the true count"

    def __post_init__(self) -> None:
        if not 0 < self.selectivity <= 1:
            raise BadOption("selectivity must be a number above 0, at most 1")
        if self.queries < 1:
            raise BadOption("queries must be a number of at least 1")

    def measure(self, outcome: Outcome) -> float:
        """The average relative error; 0 where there is nothing to ask about."""
        columns = self._places(outcome)
        if not columns:
            return 0.0
        errors = self._errors(outcome, columns)
        return float(errors.mean()) if len(errors) else 0.0

    def _errors(self, outcome: Outcome, columns: tuple[int, ...]) -> FloatArray:
        rng = np.random.default_rng(self.seed)
        share, found, n_found = self.selectivity ** (1 / len(columns)), [], 0
        for _ in range(ROUNDS):
            drawn = draw(outcome, columns, share, self.queries, rng)
            true = answers(outcome, drawn)
            is_answered = true > 0
            asked = drawn._replace(low=drawn.low[is_answered], high=drawn.high[is_answered])
            true = true[is_answered]
            found.append(np.abs(true - estimates(outcome, asked)) / true)
            n_found += len(true)
            if n_found >= self.queries:
                break
        return np.concatenate(found)[: self.queries]

    def _places(self, outcome: Outcome) -> tuple[int, ...]:
        names = [axis.name for axis in outcome.table.axes]
        for name in self.columns:
            if name not in names:
                raise BadOption(
                    f"query-error: {name!r} is not a quasi-identifier{nearest(name, names)}"
                )
        chosen = self.columns or tuple(names[:MOST_COLUMNS])
        axes = outcome.table.axes
        return tuple(i for i in map(names.index, chosen) if axes[i].leaves)
