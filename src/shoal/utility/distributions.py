"""How often each value occurs before and after, where at least k people have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.types.arrays import FloatArray, Int64Array
from shoal.utility.compared import Compared


@dataclass(frozen=True)
class Share:
    """A value or a bin, and the share of records that have it, before and after."""

    label: str
    before: float
    after: float


@dataclass(frozen=True)
class Distribution:
    """The values or bins of a column that enough people have, and what is in none of them.

    Shares after are what a reader of the cells would estimate, each cell spread evenly over the
    values that it covers. `told`: the share of cells that cover less than everything; `exact`: the
    share of those that are a value as it was. Other values do not count where too few people have
    them.
    """

    column: str
    is_binned: bool
    shares: tuple[Share, ...]
    others: Share | None
    told: float
    exact: float
    n_values: int
    n_cells: int

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "binned": self.is_binned,
            "shares": [_share(share) for share in self.shares],
            "others": None if self.others is None else _share(self.others),
            "told": round(self.told, 4),
            "exact": round(self.exact, 4),
            "values": self.n_values,
            "cells": self.n_cells,
        }


def distribution(column: Compared) -> Distribution:
    """Shares of the records of the original, and of the released cells that tell something."""
    n, counts = column.categories.n, _counts(column)
    before, after = shares_of(column)
    n_after = max(int(counts.sum()), 1)
    shares = [
        Share(label, float(before[i]), float(after[i]))
        for i, label in enumerate((*column.categories.labels, "other values"))
    ]
    return Distribution(
        column=column.name,
        is_binned=column.categories.bins is not None,
        shares=tuple(shares[:n]),
        others=shares[n] if before[n] or after[n] else None,
        told=int(counts[column.is_told].sum()) / n_after,
        exact=int(counts[column.is_exact].sum()) / n_after,
        n_values=len(column.before.labels),
        n_cells=int(np.count_nonzero(counts)),
    )


def shares_of(column: Compared) -> tuple[FloatArray, FloatArray]:
    """The share of records in each category, before and after; the last is of all others."""
    n = column.categories.n
    before = np.bincount(column.categories_before(), minlength=n + 1).astype(np.float64)
    after = _counts(column) @ column.weights
    if column.has_few_others:  # what is left of the whole must not tell how few they are
        before[n] = after[n] = 0.0
    total = float(after.sum())
    return before / max(before.sum(), 1), after / total if total > 0 else after


def _counts(column: Compared) -> Int64Array:
    """How many released records have each cell."""
    return np.bincount(column.cell_codes, minlength=len(column.cells))


def _share(share: Share) -> dict[str, Any]:
    return {
        "value": share.label,
        "before": round(share.before, 4),
        "after": round(share.after, 4),
    }
