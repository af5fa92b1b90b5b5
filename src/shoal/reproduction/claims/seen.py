"""Looking up figures: means over seeds, by method and by what is on the axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl


class Spread(NamedTuple):
    """The mean of some seeds, and the lowest and highest of them."""

    mean: float
    low: float
    high: float
    n: int


Curve = dict[float, Spread]  # by what is on the axis, ascending


class Grid(NamedTuple):
    """A table of figures: a row for each method, a column for each value of the axis."""

    experiment: str
    table: str
    measure: str
    axis: str  # k, or what varies
    curves: Mapping[str, Curve]
    at: Mapping[str, float]  # what is fixed

    @property
    def values(self) -> list[float]:
        return sorted({x for curve in self.curves.values() for x in curve})


class Seen:
    """The figures of a run."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    def curve(
        self, experiment: str, measure: str, method: str, *, table: str = "", **at: float
    ) -> Curve:
        """Means over seeds, by k where `value` or nothing is fixed, else by the value."""
        axis = "value" if "k" in at else "k"
        chosen = self._chosen(experiment, measure, table, at).filter(pl.col("method") == method)
        return _by(chosen, axis)

    def grid(
        self,
        experiment: str,
        measure: str,
        methods: Sequence[str] = (),
        *,
        table: str = "",
        **at: float,
    ) -> Grid:
        axis = "value" if "k" in at else "k"
        chosen = self._chosen(experiment, measure, table, at)
        names = methods or chosen["method"].unique(maintain_order=True).to_list()
        curves = {name: _by(chosen.filter(pl.col("method") == name), axis) for name in names}
        found = {name: curve for name, curve in curves.items() if curve}
        varied = sorted(set(chosen["varied"]) - {""})
        name = "k" if axis == "k" else (varied or ["value"])[0]
        return Grid(experiment, _only(chosen["table"]), measure, name, found, at)

    def tables(self, experiment: str) -> list[str]:
        """The tables of an experiment, in their order."""
        found = self.frame.filter(pl.col("experiment") == experiment)["table"]
        return found.unique(maintain_order=True).to_list()

    def mean(self, experiment: str, measure: str, method: str, table: str = "") -> float | None:
        found = self._chosen(experiment, measure, table, {}).filter(pl.col("method") == method)
        mean = found["figure"].mean()
        return None if mean is None else float(mean)  # type: ignore[arg-type]

    def _chosen(
        self, experiment: str, measure: str, table: str, at: Mapping[str, float]
    ) -> pl.DataFrame:
        asked = (pl.col("experiment") == experiment) & (pl.col("measure") == measure)
        if table:
            asked &= pl.col("table") == table
        for name, value in at.items():
            asked &= (pl.col(name) - value).abs() < 1e-9
        return self.frame.filter(asked)


def _by(chosen: pl.DataFrame, axis: str) -> Curve:
    found = (
        chosen.group_by(axis)
        .agg(pl.col("figure").mean().alias("mean"), pl.col("figure").min().alias("low"),
             pl.col("figure").max().alias("high"), pl.len().alias("n"))
        .sort(axis)
    )  # fmt: skip
    return {float(x): Spread(mean, low, high, n) for x, mean, low, high, n in found.iter_rows()}


def _only(names: pl.Series) -> str:
    different = names.unique().to_list()
    return different[0] if len(different) == 1 else ""


def means(curve: Curve) -> dict[float, float]:
    return {x: found.mean for x, found in curve.items()}


def average(curve: Curve) -> float:
    """Over the axis: every value counts alike."""
    return float(np.mean([found.mean for found in curve.values()])) if curve else math.nan


def shared(*curves: Curve) -> list[float]:
    """The values of the axis that all curves have."""
    return sorted(set.intersection(*(set(curve) for curve in curves))) if curves else []


def spearman(curve: Curve) -> float:
    """The rank correlation of the axis and the means; nan if nothing varies."""
    xs, ys = list(curve), [found.mean for found in curve.values()]
    return pearson(_ranks(xs), _ranks(ys))


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = np.array(one, dtype=float), np.array(other, dtype=float)
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return math.nan
    return float(((a - a.mean()) * (b - b.mean())).mean() / (a.std() * b.std()))


def _ranks(values: Sequence[float]) -> list[float]:
    """Places by size, equal values sharing the mean of theirs."""
    array = np.array(values, dtype=float).round(12)
    return [float((array < v).sum() + ((array == v).sum() + 1) / 2) for v in array]


def slope(curve: Curve) -> float:
    """Of the means in the axis, both as logarithms: the exponent of a power."""
    xs = [math.log(x) for x in curve]
    ys = [math.log(max(found.mean, 1e-12)) for found in curve.values()]
    return float(np.polyfit(xs, ys, 1)[0]) if len(xs) > 1 else math.nan


def fit_of_line(curve: Curve) -> float:
    """R squared of a straight line through the means."""
    return pearson(list(curve), [found.mean for found in curve.values()]) ** 2
