"""How far off answers are that somebody estimates from a release (Loukides and Shao 2008)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

import numpy as np

from shoal.errors import BadOption, nearest
from shoal.metrics._kept_numbers import KeptNumbers, refuse_column
from shoal.metrics._queries import Queries, answers, draw, estimates
from shoal.metrics._workload import Workload, queries_of, read_workload, refuse_columns
from shoal.types.arrays import FloatArray
from shoal.types.metric import Measured, Metric
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec

MOST_COLUMNS = 3  # that a query asks about, unless the user names some
ROUNDS = 50  # of drawing queries that somebody answers to


@dataclass(frozen=True)
class QueryError(Metric[Outcome]):
    """How far off estimated counts are, as a share of the true count, on average over queries.

    A query asks how many records have values of certain ranges in `columns`, the first three
    quasi-identifiers unless others are named. A range covers so much of its column that all
    together cover `selectivity` of all combinations. The estimate takes every value that a cell
    covers for as likely. Only queries that some record answers to count. `queries` says how many
    there are, `seed` which. A `workload` is a csv file with queries of your own in place of random
    ones. With `answer: sum` or `answer: mean`, queries ask for the sum or the mean `of` a kept
    column.

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
    workload: str = ""
    answer: Literal["count", "sum", "mean"] = "count"
    of: str = ""
    needs = ("release",)
    unit = "share of the true answer"

    def __post_init__(self) -> None:
        if not 0 < self.selectivity <= 1:
            raise BadOption("selectivity must be a number above 0, at most 1")
        if self.queries < 1:
            raise BadOption("queries must be a number of at least 1")
        if self.workload and self.columns:
            raise BadOption("columns are those of the workload; remove one of the two")
        if (self.answer == "count") != (not self.of):
            raise BadOption("of is the column that a sum or mean is of; give both or none")

    def measure(self, outcome: Outcome) -> float:
        """The average relative error; 0 where there is nothing to ask about."""
        return self.explain(outcome).value

    def explain(self, outcome: Outcome) -> Measured:
        errors = self._errors(outcome)
        if not len(errors):
            return Measured(0.0, {"queries": 0})
        middle, worst = (float(np.quantile(errors, q)) for q in (0.5, 1))
        details = {"queries": len(errors), "median": middle, "largest": worst}
        return Measured(float(errors.mean()), details)

    @property
    def file(self) -> Path | None:
        return Path(self.workload) if self.workload else None

    def placed(self, place: Callable[[str], str]) -> Self:
        return replace(self, workload=place(self.workload)) if self.workload else self

    def refuse(self, columns: Mapping[str, ColumnSpec]) -> None:
        is_quasi = {name: spec.role == "quasi" for name, spec in columns.items()}
        for name in self.columns:
            _refuse_other(name, [name for name, is_one in is_quasi.items() if is_one])
        if self.workload:
            refuse_columns(self._file, is_quasi)
        if self.of:
            refuse_column(self.of, columns)

    @cached_property
    def _file(self) -> Workload:
        return read_workload(self.workload)

    def _errors(self, outcome: Outcome) -> FloatArray:
        """Of each query that has an answer, as a share of it."""
        kept = KeptNumbers.of(outcome, self.of) if self.of else None
        if self.workload:
            is_quasi = {axis.name: True for axis in outcome.table.axes}
            refuse_columns(self._file, is_quasi)
            return self._errors_of(outcome, queries_of(self._file, outcome.table.axes), kept)
        columns = self._places(outcome)
        if not columns:
            return np.empty(0)
        rng = np.random.default_rng(self.seed)
        share, found, n_found = self.selectivity ** (1 / len(columns)), [], 0
        for _ in range(ROUNDS):
            drawn = draw(outcome, columns, share, self.queries, rng)
            found.append(self._errors_of(outcome, drawn, kept))
            n_found += len(found[-1])
            if n_found >= self.queries:
                break
        return np.concatenate(found)[: self.queries]

    def _errors_of(
        self, outcome: Outcome, queries: Queries, kept: KeptNumbers | None
    ) -> FloatArray:
        true = self._true(outcome, queries, kept)
        has_answer = np.abs(true) > 0  # not where nobody matches, or there is nothing to divide by
        asked, true = queries.some(has_answer), true[has_answer]
        return np.asarray(np.abs(true - self._estimated(outcome, asked, kept)) / np.abs(true))

    def _true(self, outcome: Outcome, queries: Queries, kept: KeptNumbers | None) -> FloatArray:
        if kept is None:
            return answers(outcome, queries)
        total = answers(outcome, queries, kept.sums_of_rows)
        if self.answer == "sum":
            return total
        return _divided(total, answers(outcome, queries, kept.counts_of_rows))

    def _estimated(
        self, outcome: Outcome, queries: Queries, kept: KeptNumbers | None
    ) -> FloatArray:
        if kept is None:
            return estimates(outcome, queries)
        total = estimates(outcome, queries, kept.sums_of_groups)
        if self.answer == "sum":
            return total
        return _divided(total, estimates(outcome, queries, kept.counts_of_groups))

    def _places(self, outcome: Outcome) -> tuple[int, ...]:
        names = [axis.name for axis in outcome.table.axes]
        for name in self.columns:
            _refuse_other(name, names)
        chosen = self.columns or tuple(names[:MOST_COLUMNS])
        axes = outcome.table.axes
        return tuple(i for i in map(names.index, chosen) if axes[i].leaves)


def _refuse_other(name: str, quasi: list[str]) -> None:
    if name not in quasi:
        raise BadOption(f"query-error: {name!r} is not a quasi-identifier{nearest(name, quasi)}")


def _divided(totals: FloatArray, counts: FloatArray) -> FloatArray:
    """Means; 0 where no record has one."""
    return np.divide(totals, counts, out=np.zeros_like(totals), where=counts > 0)
