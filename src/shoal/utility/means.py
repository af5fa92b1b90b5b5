"""The means of numbers, from the values of the original and from the published cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.utility.compared import Compared


@dataclass(frozen=True)
class Mean:
    """The mean of a column before, and of the middles of its cells after.

    `deviation`: the standard deviation before. `told`: the share of released cells that say a
    number or a range.
    """

    column: str
    before: float
    after: float | None
    deviation: float
    deviation_after: float | None
    told: float

    @property
    def shift(self) -> float | None:
        """How far the mean moved, in standard deviations."""
        if self.after is None or self.deviation == 0:
            return None
        return (self.after - self.before) / self.deviation

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "mean_before": _short(self.before),
            "mean_after": _short(self.after),
            "deviation_before": _short(self.deviation),
            "deviation_after": _short(self.deviation_after),
            "shift": None if self.shift is None else round(self.shift, 3),
            "told": round(self.told, 4),
        }


def mean(column: Compared) -> Mean | None:
    """None where the column has no numbers."""
    if not column.is_number or not len(column.before.labels):
        return None
    before, after = column.numbers_before(), column.numbers_after()
    before, told = before[~np.isnan(before)], after[~np.isnan(after)]
    return Mean(
        column=column.name,
        before=float(before.mean()),
        after=float(told.mean()) if len(told) else None,
        deviation=float(before.std()),
        deviation_after=float(told.std()) if len(told) else None,
        told=len(told) / max(len(after), 1),
    )


def _short(figure: float | None) -> float | None:
    """Four digits: of a sum of many values, no single one can be computed from it."""
    return None if figure is None else float(f"{figure:.4g}")
