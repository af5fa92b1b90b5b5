"""Mean severities of groups, how far they are from the table's, and rows as points in space."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.kernels.severity_balance import ONE, SLACK, Space
from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.model import PrivacyModel
from shoal.types.stats import GroupStats
from shoal.types.table import Table
from shoal.types.unit import RECORD, Unit
from shoal.types.value_distances import phi


@dataclass(frozen=True, eq=False)
class Severity:
    """The severities of a sensitive column that has them."""

    place: int  # among the sensitive columns
    name: str
    by_code: FloatArray
    mean: float  # over the records of the table: the paper's AS_D

    def means(self, stats: GroupStats) -> FloatArray:
        """Of every group: the paper's AS_e."""
        found = stats.counts(self.name)
        weights = self.by_code[found.values] * found.counts
        totals = np.bincount(found.groups, weights, minlength=stats.n_groups)
        return np.asarray(totals / found.sizes)

    def relative(self, severities: FloatArray) -> FloatArray:
        """By the mean of the table; where nothing is grave at all, everything is equally grave."""
        return severities / self.mean if self.mean > 0 else np.ones_like(severities)

    def excess(self, stats: GroupStats) -> FloatArray:
        return phi(self.relative(self.means(stats)))


def severities_of(table: Table) -> tuple[Severity, ...]:
    """Of the columns that have severities, in the order of the table."""
    found = []
    for place, column in enumerate(table.sensitive_columns):
        if column.severity is not None:
            n_records = table.totals[column.name]
            totals = np.where(n_records > 0, column.severity, 0.0) * n_records
            mean = math.fsum(totals) / int(n_records.sum())
            found.append(Severity(place, column.name, column.severity, mean))
    return tuple(found)


def balanced_ratios(t: float) -> tuple[float, float]:
    """Ratios between which phi is at most t, a little narrower, so that it is so for certain."""
    ends = []
    for inside, outside in ((1.0, 0.0), (1.0, t + 4.0)):
        for _ in range(60):
            middle = (inside + outside) / 2
            is_balanced = float(phi(np.array(middle))) <= t
            inside, outside = (middle, outside) if is_balanced else (inside, middle)
        ends.append(inside)
    low, high = ends
    return low + (1 - low) * 1e-9, high - (high - 1) * 1e-9


@dataclass(frozen=True)
class Balanced(PrivacyModel):
    """The mean severities of a part are near those of the table: phi is at most `t`."""

    severities: tuple[Severity, ...]
    t: float
    is_local = survives_merging = True  # a union's mean lies between, and phi falls and then rises
    survives_growth = False
    smallest = 1

    def holds(self, stats: GroupStats) -> BoolArray:
        result = np.ones(stats.n_groups, dtype=np.bool_)
        for severity in self.severities:
            result &= severity.excess(stats) <= self.t + SLACK
        return result

    def achieved(self, stats: GroupStats) -> float:
        return max((float(s.excess(stats).max()) for s in self.severities), default=0.0)

    def demand(self, unit: Unit = RECORD) -> str:
        return f"In every part, phi of the mean severity is at most {self.t:g}."

    def found(self, achieved: float, unit: Unit = RECORD) -> str:
        return f"In the worst part it is {achieved:g}."


def space_of(table: Table, codes: Int32Array, sensitive: Int32Array) -> Space:
    """Rows of a table as points: numbers by their position, other columns by their codes."""
    is_number = np.array([axis.numbers is not None for axis in table.axes])
    weights = np.array([axis.weight for axis in table.axes]) / sum(a.weight for a in table.axes)
    is_new = (codes[1:] != codes[:-1]).any(axis=1)
    numbers = [_positions(table.axes[i])[codes[:, i]] for i in np.flatnonzero(is_number)]
    severities = [
        _whole(np.nan_to_num(severity.relative(severity.by_code)))[sensitive[:, severity.place]]
        for severity in severities_of(table)
    ]
    return Space(
        codes=codes,
        points=np.cumsum(np.append(False, is_new), dtype=np.int32),
        numbers=_side_by_side(numbers, len(codes)),
        categories=np.ascontiguousarray(codes[:, ~is_number]),
        number_weights=weights[is_number],
        category_weights=weights[~is_number],
        number_share=math.fsum(weights[is_number]),
        category_share=math.fsum(weights[~is_number]),
        severities=_side_by_side(severities, len(codes)),
    )


def _positions(axis: Axis) -> Int64Array:
    """Where each number lies between the smallest and the largest of the input; missing is -1."""
    assert axis.numbers is not None
    first, last = axis.domain[0] / 2, axis.domain[1] / 2  # halves: their distance cannot overflow
    width = last - first if last > first else 1.0
    return np.append(_whole(np.clip((axis.numbers / 2 - first) / width, 0.0, 1.0)), -1)


def _whole(numbers: FloatArray) -> Int64Array:
    return np.rint(numbers * ONE).astype(np.int64)


def _side_by_side(columns: list[Int64Array], n_rows: int) -> Int64Array:
    return np.stack(columns, axis=1) if columns else np.zeros((n_rows, 0), dtype=np.int64)
