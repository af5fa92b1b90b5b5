"""How far the associations of two columns moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.metrics._records import records_of
from shoal.types.metric import Measured, Metric
from shoal.types.outcome import Outcome
from shoal.utility.associations import Association, associations


@dataclass(frozen=True)
class Correlation(Metric[Outcome]):
    """How far the association of two columns moved, on average over all pairs.

    Of two columns of numbers it is their correlation, from -1 to 1, by the middles of ranges; of
    others Cramér's V, from 0 to 1, in about eight bins or categories. An association that the
    release no longer tells has moved to 0.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [20, 21, 50, 51], "pay": [1, 2, 8, 9]})
    >>> release = shoal.anonymize(people, quasi=["age", "pay"], privacy=[shoal.KAnonymity(2)])
    >>> round(release.measure("correlation"), 3)  # from 0.994 to 1
    0.006
    """

    needs = ("release", "records")
    unit = "difference of associations"

    def measure(self, outcome: Outcome) -> float:
        return self.explain(outcome).value

    def explain(self, outcome: Outcome) -> Measured:
        beside = records_of(outcome, "correlation")
        pairs = associations(beside.paired(beside.measured))
        known = [pair for pair in pairs if pair.before is not None]
        if not known:
            return Measured(0.0)
        worst = max(known, key=moved)
        details = {"worst": worst.as_dict(), "largest": moved(worst), "pairs": len(known)}
        return Measured(float(np.mean([moved(pair) for pair in known])), details)


def moved(pair: Association) -> float:
    """By how much an association changed."""
    return abs((pair.before or 0.0) - (pair.after or 0.0))
