"""Learning that a sensitive value is more likely than in the whole release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.attacks.confidence import Estimate, mean
from shoal.attacks.sensitive import Seen, Sensitive
from shoal.attacks.trial import Told
from shoal.types.arrays import FloatArray


@dataclass(frozen=True)
class Skewness:
    """How much more frequent the most frequent value of the matching rows is there than overall.

    The mean over all people (0 for those without a matching row), and the largest of the sample.
    `by_chance` is the same for as many rows drawn at random: few rows are skewed by themselves.
    `excess` is the mean of the differences, person by person.
    """

    column: str
    skew: Estimate
    by_chance: Estimate
    excess: Estimate
    largest: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "skew": self.skew.as_dict(),
            "skew_by_chance": self.by_chance.as_dict(),
            "excess": self.excess.as_dict(),
            "largest_skew": round(self.largest, 6),
        }


def skewness(column: Sensitive, rows: Told) -> Skewness:
    """From what the matching rows of each person tell, and as many rows drawn at random."""
    overall = column.counts / column.counts.sum()
    skew, by_chance = _skew(rows.matched, overall), _skew(rows.at_random, overall)
    return Skewness(
        column.name,
        skew=mean(skew, lowest=-1.0, highest=1.0),
        by_chance=mean(by_chance, lowest=-1.0, highest=1.0),
        excess=mean(skew - by_chance, lowest=-1.0, highest=1.0),
        largest=float(skew.max()),
    )


def _skew(rows: Sequence[Seen], overall: FloatArray) -> FloatArray:
    """Below 0 where even the most frequent value is rarer than overall: the rows are more mixed."""
    return np.array(
        [seen.n_value / seen.n_rows - overall[seen.value] if seen.n_rows else 0.0 for seen in rows]
    )
