"""Hierarchies as users give them: level tables, trees, and rules that build one from the values.

`intervals`, `prefix`, `dates`, `levels`, `tree` and `flat` are the builders of the Python API.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from shoal.errors import HierarchyError, nearest
from shoal.read.level_table import paths_of_rows, paths_of_tree, read_level_table
from shoal.types.column import RawColumn
from shoal.types.hierarchy import ROOT, Hierarchy

Unit = Literal["hour", "day", "month", "quarter", "year", "decade", "century"]
UNITS: tuple[Unit, ...] = get_args(Unit)


@dataclass(frozen=True)
class Levels:
    """The paths of a level table or a tree, one per leaf, leaf first."""

    paths: tuple[tuple[str, ...], ...]
    reads_text = True

    def build(self, column: RawColumn) -> Hierarchy:
        return Hierarchy.of_paths(self.paths)


@dataclass(frozen=True)
class Intervals:
    """Bins of growing width that nest; bins begin at 0."""

    widths: tuple[float, ...]
    reads_text = False

    def __post_init__(self) -> None:
        if not self.widths or any(width <= 0 for width in self.widths):
            raise HierarchyError("Interval widths must be numbers above 0, such as [5, 10, 20].")
        for narrow, wide in zip(self.widths, self.widths[1:], strict=False):
            if wide <= narrow or abs(wide / narrow - round(wide / narrow)) > 1e-9:
                raise HierarchyError(
                    f"Interval widths must nest: {wide:g} is no multiple of {narrow:g}. "
                    "Try widths such as [5, 10, 20]."
                )

    def build(self, column: RawColumn) -> Hierarchy:
        if column.kind not in ("integer", "number"):
            raise HierarchyError(
                f"Column {column.name!r}: intervals need numbers, and this column is "
                f"{column.kind}. Leave the hierarchy out, or use a level table."
            )
        assert column.numbers is not None
        bins = [np.floor(column.numbers / width) for width in self.widths]
        is_whole = column.kind == "integer" and all(float(w).is_integer() for w in self.widths)
        return Hierarchy.of_paths(
            [
                (
                    label,
                    *(
                        _interval_label(bins[level][i] * width, width, is_whole)
                        for level, width in enumerate(self.widths)
                    ),
                    ROOT,
                )
                for i, label in enumerate(column.labels)
            ]
        )


@dataclass(frozen=True)
class Prefix:
    """Codes such as postcodes: the last characters go first."""

    length: int
    reads_text = True

    def __post_init__(self) -> None:
        if self.length < 1:
            raise HierarchyError("A prefix needs the number of characters, such as 5.")

    def build(self, column: RawColumn) -> Hierarchy:
        kept = range(self.length - 1, 0, -1)
        return Hierarchy.of_paths(
            [
                (label, *(label[:n] + ROOT * (self.length - n) for n in kept), ROOT)
                for label in sorted(column.labels)
            ]
        )


@dataclass(frozen=True)
class Dates:
    """Dates: months, quarters, years, decades."""

    units: tuple[Unit, ...]
    reads_text = False

    def __post_init__(self) -> None:
        for unit in self.units:
            if unit not in UNITS:
                raise HierarchyError(
                    f"{unit!r} is no unit of time{nearest(str(unit), UNITS)} "
                    f"Units are {', '.join(UNITS)}."
                )
        if not self.units or sorted(self.units, key=UNITS.index) != list(self.units):
            raise HierarchyError("Units of time must grow, such as [month, year, decade].")

    def build(self, column: RawColumn) -> Hierarchy:
        if column.kind not in ("date", "datetime"):
            raise HierarchyError(
                f"Column {column.name!r} does not hold dates throughout. "
                "Dates are written 2021-03-05, times 2021-03-05 13:45."
            )
        assert column.numbers is not None
        seconds = column.numbers / (1e6 if column.kind == "datetime" else 1 / 86_400)
        moments = [datetime.fromtimestamp(s, UTC) for s in seconds]
        return Hierarchy.of_paths(
            [
                (label, *(_date_label(moment, unit) for unit in self.units), ROOT)
                for label, moment in zip(column.labels, moments, strict=True)
            ]
        )


@dataclass(frozen=True)
class Flat:
    """Every value directly under the root."""

    reads_text = False

    def build(self, column: RawColumn) -> Hierarchy:
        return Hierarchy.of_paths([(label, ROOT) for label in column.labels])


def intervals(*widths: float) -> Intervals:
    """Bins of these widths, each a multiple of the one before; the top is `*`.

    >>> intervals(5, 10)
    Intervals(widths=(5, 10))
    """
    return Intervals(widths)


def prefix(length: int) -> Prefix:
    """Codes of `length` characters, shortened from the end: 13053, 1305*, 130**, ..., `*`."""
    return Prefix(length)


def dates(*units: Unit) -> Dates:
    """Dates by growing units: `dates("month", "year", "decade")`."""
    return Dates(units)


def levels(table: str | Path | Iterable[Sequence[str]]) -> Levels:
    """A level table: a csv file (`;` or `,`) or rows, leaf first, one column a level.

    >>> levels([("nurse", "care"), ("cook", "kitchen")]).paths
    (('nurse', 'care', '*'), ('cook', 'kitchen', '*'))
    """
    if isinstance(table, str | Path):
        return Levels(read_level_table(Path(table)))
    return Levels(paths_of_rows([tuple(map(str, row)) for row in table], where="level table"))


def tree(branches: Mapping[str, Any] | Sequence[Any]) -> Levels:
    """A nested tree: a mapping from a node to its children, a list of leaves at the end.

    >>> tree({"Higher": ["BA", "MA"], "School": ["9th"]}).paths
    (('BA', 'Higher', '*'), ('MA', 'Higher', '*'), ('9th', 'School', '*'))
    """
    return Levels(paths_of_tree(branches))


def flat() -> Flat:
    """Every value directly under the root."""
    return Flat()


def _interval_label(start: float, width: float, is_whole: bool) -> str:
    if is_whole:
        return f"[{start:.0f}, {start + width - 1:.0f}]" if width > 1 else f"{start:.0f}"
    return f"[{start:g}, {start + width:g})"


def _date_label(moment: datetime, unit: Unit) -> str:
    match unit:
        case "hour":
            return moment.strftime("%Y-%m-%d %H:00")
        case "day":
            return moment.strftime("%Y-%m-%d")
        case "month":
            return moment.strftime("%Y-%m")
        case "quarter":
            return f"{moment.year:04}-Q{(moment.month + 2) // 3}"
        case "year":
            return f"{moment.year:04}"
        case "decade":
            return f"{moment.year // 10 * 10:04}s"
        case "century":
            return f"{moment.year // 100 * 100:04}–{moment.year // 100 * 100 + 99:04}"
