"""How two columns go together, before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.utility.compared import Compared

Measure = Literal["correlation", "cramers-v"]


@dataclass(frozen=True)
class Association:
    """Of two columns. None where one of them does not vary."""

    columns: tuple[str, str]
    measure: Measure
    before: float | None
    after: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "columns": list(self.columns),
            "measure": self.measure,
            "before": None if self.before is None else round(self.before, 3),
            "after": None if self.after is None else round(self.after, 3),
        }


def associations(columns: Sequence[Compared]) -> tuple[Association, ...]:
    """Of every two columns: the correlation of numbers, else Cramér's V of their categories."""
    return tuple(_association(first, second) for first, second in combinations(columns, 2))


def _association(first: Compared, second: Compared) -> Association:
    names = first.name, second.name
    if first.is_number and second.is_number:
        before = correlation(first.numbers_before(), second.numbers_before())
        after = correlation(first.numbers_after(), second.numbers_after())
        return Association(names, "correlation", before, after)
    before, after = cramers_v(table_before(first, second)), cramers_v(table_after(first, second))
    return Association(names, "cramers-v", before, after)


def table_before(first: Compared, second: Compared) -> FloatArray:
    """How many records are in each two categories."""
    n_rows, n_columns = first.categories.n + 1, second.categories.n + 1
    both = first.categories_before() * n_columns + second.categories_before()
    return np.bincount(both, minlength=n_rows * n_columns).reshape(n_rows, -1).astype(np.float64)


def table_after(first: Compared, second: Compared) -> FloatArray:
    """The same as a reader would estimate it, every cell spread over the values it covers.

    A cell that tells nothing is left out.
    """
    width = len(second.cells)
    both = first.cell_codes.astype(np.int64) * width + second.cell_codes
    pairs, counts = np.unique(both, return_counts=True)
    rows = first.weights[pairs // width] * counts[:, None]
    return np.asarray(rows.T @ second.weights[pairs % width])


def correlation(first: FloatArray, second: FloatArray) -> float | None:
    """Pearson's, of the records that have both numbers.

    >>> round(correlation(np.array([1.0, 2, 3, np.nan]), np.array([2.0, 4, 6, 1])), 3)
    1.0
    """
    known = ~(np.isnan(first) | np.isnan(second))
    if known.sum() < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = first[known] - first[known].mean(), second[known] - second[known].mean()
        norm, product = math.sqrt(float(a @ a)) * math.sqrt(float(b @ b)), float(a @ b)
    return None if norm == 0 or not math.isfinite(norm) else product / norm


def cramers_v(table: FloatArray) -> float | None:
    """Cramér's V, corrected for chance (Bergsma 2013): 0 for columns that have nothing in common.

    >>> round(cramers_v(np.array([[50.0, 0], [0, 50]])), 2), cramers_v(np.full((2, 2), 25.0))
    (1.0, 0.0)
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    (r, c), n = table.shape, float(table.sum())
    if r < 2 or c < 2 or n < 2:
        return None
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
    phi = float(((table - expected) ** 2 / expected).sum()) / n
    phi = max(0.0, phi - (r - 1) * (c - 1) / (n - 1))
    smaller = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return min(1.0, math.sqrt(phi / smaller)) if smaller > 0 else None
