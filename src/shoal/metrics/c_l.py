"""The (c, l) of groups (Loukides and Shao 2008, after Machanavajjhala et al. 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.metrics._sensitive import refuse_sensitive, sensitive_column
from shoal.types.metric import Metric, refuse_without
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec


@dataclass(frozen=True)
class CL(Metric[Outcome]):
    """How varied the sensitive values of a group are, on average over the groups.

    `figure: l` is the number of different values, of which more is better. `figure: c` is how often
    the most frequent value occurs for every record with another value, of which less is better;
    groups with one value alone have none and are left out. `figure: alone` is their share.
    `column` is the sensitive one.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [1, 1, 1, 9, 9], "ill": ["a", "a", "b", "a", "a"]})
    >>> release = shoal.anonymize(patients, quasi=["age"], sensitive=["ill"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> [release.measure("c-l", figure=figure) for figure in ("l", "c", "alone")]
    [1.5, 2.0, 0.5]
    """

    column: str | None = None
    figure: Literal["c", "l", "alone"] = "c"
    needs = ("release", "sensitive")
    unit = "values, ratio or share"

    @property
    def lower_is_better(self) -> bool:
        return self.figure != "l"

    def refuse(self, columns: Mapping[str, ColumnSpec]) -> None:
        refuse_without(self.needs, columns)
        refuse_sensitive(self.column, columns)

    def measure(self, outcome: Outcome) -> float:
        column = sensitive_column(outcome, "c-l", self.column)
        found = outcome.stats.counts(column.name)
        if not outcome.stats.n_groups:
            return 0.0
        if self.figure == "l":
            return float(found.n_distinct.mean())
        varied = found.n_distinct > 1
        if self.figure == "alone":
            return float((~varied).mean())
        most = np.maximum.reduceat(found.counts, found.starts[:-1])[varied]
        return float((most / (found.sizes[varied] - most)).mean()) if varied.any() else np.inf
