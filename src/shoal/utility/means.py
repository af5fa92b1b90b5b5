"""The means of numbers, from the values of the original and from the published cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.types.arrays import FloatArray
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
    """None where the column has no numbers, or such as cannot be added."""
    if not column.is_number or not len(column.before.labels):
        return None
    before, after = column.numbers_before(), column.numbers_after()
    before, told = before[~np.isnan(before)], after[~np.isnan(after)]
    with np.errstate(over="ignore", invalid="ignore"):
        figures = [figure for numbers in (before, told) for figure in _figures(numbers)]
    if figures[0] is None or figures[1] is None:
        return None
    return Mean(
        column=column.name,
        before=figures[0],
        after=figures[2],
        deviation=figures[1],
        deviation_after=figures[3],
        told=len(told) / max(len(after), 1),
    )


def _figures(numbers: FloatArray) -> tuple[float | None, float | None]:
    """Mean and standard deviation; None where there are none, or they are beyond all numbers."""
    if not len(numbers):
        return None, None
    mean, deviation = float(numbers.mean()), float(numbers.std())
    return (mean, deviation) if math.isfinite(mean) and math.isfinite(deviation) else (None, None)


def _short(figure: float | None) -> float | None:
    """Four digits: of a sum of many values, no single one can be computed from it."""
    return None if figure is None else float(f"{figure:.4g}")
