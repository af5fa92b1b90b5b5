"""Hierarchies as users give them: level tables, trees, and rules that build one from the values.

`intervals`, `prefix`, `dates`, `levels`, `tree` and `flat` are the builders of the Python API.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from shoal.errors import HierarchyError, counted, nearest
from shoal.read.level_table import Place, paths_of_rows, paths_of_tree, read_level_table
from shoal.types.column import DistinctValues
from shoal.types.hierarchy import ROOT, Hierarchy

Unit = Literal["hour", "day", "month", "quarter", "year", "decade", "century"]
UNITS: tuple[Unit, ...] = get_args(Unit)
MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}


@dataclass(frozen=True)
class Levels:
    """The paths of a level table or a tree, one per leaf, leaf first."""

    paths: tuple[tuple[str, ...], ...] = field(repr=False)  # values of the data: not for logs
    file: Path | None = field(default=None, compare=False)  # where they were read
    reads_text = True

    def describe(self) -> str:
        n_levels = len(self.paths[0]) - 1  # the leaf itself is no level
        return f"hierarchy with {n_levels} level{'' if n_levels == 1 else 's'}"

    def build(self, column: DistinctValues) -> Hierarchy:
        return Hierarchy.of_paths(self.paths)


@dataclass(frozen=True)
class Intervals:
    """Bins of growing width that nest; bins begin at 0."""

    widths: tuple[float, ...]
    reads_text = False

    def __post_init__(self) -> None:
        if not self.widths or not all(_is_width(width) for width in self.widths):
            raise HierarchyError("Interval widths must be numbers above 0, such as [5, 10, 20].")
        for narrow, wide in zip(self.widths, self.widths[1:], strict=False):
            if wide <= narrow or abs(wide / narrow - round(wide / narrow)) > 1e-9:
                raise HierarchyError(
                    f"Interval widths must nest: {wide:g} is no multiple of {narrow:g}. "
                    "Try widths such as [5, 10, 20]."
                )

    def describe(self) -> str:
        return f"intervals of {', '.join(f'{width:g}' for width in self.widths)}"

    def build(self, column: DistinctValues) -> Hierarchy:
        if column.kind not in ("integer", "number"):
            raise HierarchyError(
                f"Column {column.name!r}: intervals need numbers, and this column is "
                f"{column.kind}. Leave the hierarchy out, or use a level table."
            )
        assert column.numbers is not None
        if column.kind == "integer" and all(float(w).is_integer() for w in self.widths):
            return self._build_whole(column)
        narrowest = self.widths[0]
        # Rounded first: 0.3 / 0.1 falls just below 3. Wider bins are made of the narrowest.
        with np.errstate(over="ignore"):
            bins = np.floor(np.round(column.numbers / narrowest, 9))
        if not np.isfinite(bins).all():
            raise HierarchyError(
                f"Column {column.name!r}: intervals of {narrowest:g} are too narrow."
            )

        def name(level: int, bin_: float) -> str:
            start = bin_ * round(self.widths[level] / narrowest) * narrowest
            return f"[{_plain(start)}, {_plain(start + self.widths[level])})"

        keys = [bins // round(width / narrowest) for width in self.widths]
        return Hierarchy.of_keys(column.labels, keys, name)

    def _build_whole(self, column: DistinctValues) -> Hierarchy:
        """In whole numbers throughout, which are exact however large."""
        assert column.numbers is not None
        widths = [int(width) for width in self.widths]

        def name(level: int, bin_: int) -> str:
            start = int(bin_) * widths[level]
            return f"[{start}, {start + widths[level] - 1}]" if widths[level] > 1 else f"{start}"

        keys = [
            column.numbers // w if w < 2**62 else np.minimum(np.sign(column.numbers), 0)
            for w in widths
        ]
        return Hierarchy.of_keys(column.labels, keys, name)


@dataclass(frozen=True)
class Prefix:
    """Codes such as postcodes: the last characters go first."""

    length: int
    reads_text = True

    def __post_init__(self) -> None:
        if not isinstance(self.length, int) or self.length < 1:
            raise HierarchyError("A prefix needs the number of characters, such as 5.")

    def describe(self) -> str:
        return f"code of {self.length} characters, shortened from its end"

    def build(self, column: DistinctValues) -> Hierarchy:
        labels = tuple(sorted(column.labels))
        kept = range(self.length - 1, 0, -1)
        return Hierarchy.of_keys(
            labels,
            [np.array([label[:n] for label in labels], dtype=object) for n in kept],
            lambda level, key: str(key) + ROOT * (self.length - kept[level]),
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
        if not self.units or sorted(set(self.units), key=UNITS.index) != list(self.units):
            raise HierarchyError("Units of time must grow, such as [month, year, decade].")

    def describe(self) -> str:
        return f"date by {', '.join(self.units)}"

    def build(self, column: DistinctValues) -> Hierarchy:
        if column.kind not in ("date", "datetime"):
            raise _no_dates(column)
        assert column.numbers is not None
        moments = column.numbers.astype("M8[us]" if column.kind == "datetime" else "M8[D]")
        return Hierarchy.of_keys(
            column.labels,
            [_date_key(moments, unit) for unit in self.units],
            lambda level, key: _date_label(key, self.units[level]),
        )


@dataclass(frozen=True)
class Flat:
    """Every value directly under the root."""

    reads_text = False

    def describe(self) -> str:
        return "the value, or * where it is hidden"

    def build(self, column: DistinctValues) -> Hierarchy:
        return Hierarchy.of_keys(column.labels, [], lambda level, key: "")


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
        return Levels(read_level_table(Path(table)), Path(table))
    return Levels(
        paths_of_rows([tuple(map(str, row)) for row in table], Place("Level table", "row"))
    )


def tree(branches: Mapping[str, Any] | Sequence[Any]) -> Levels:
    """A nested tree: a mapping from a node to its children, a list of leaves at the end.

    >>> tree({"Higher": ["BA", "MA"], "School": ["9th"]}).paths
    (('BA', 'Higher', '*'), ('MA', 'Higher', '*'), ('9th', 'School', '*'))
    """
    return Levels(paths_of_tree(branches))


def flat() -> Flat:
    """Every value directly under the root."""
    return Flat()


def _is_width(width: object) -> bool:
    return isinstance(width, int | float) and 0 < width < math.inf


def _plain(number: float) -> str:
    """A number without exponent and without the noise of binary fractions."""
    return np.format_float_positional(round(number, 9) + 0.0, trim="-")


def _no_dates(column: DistinctValues) -> HierarchyError:
    """How much of a column is no date, in numbers."""
    from shoal.read.columns import DATES, DATETIME  # loads polars, which a builder does not need

    is_text = column.kind == "text"
    is_other = np.array(
        [not (is_text and any(re.search(f, x) for f in (*DATES, DATETIME))) for x in column.labels]
    )
    n_other = int(is_other.sum())
    if n_other == len(column.labels):
        what = "holds no dates"
    elif n_other:
        what = (
            f"holds dates, but {counted(n_other, 'value')} "
            f"{'is not a date' if n_other == 1 else 'are not dates'}. List what stands for a "
            "missing value under `missing_values`"
        )
    else:
        what = "writes dates in several forms, or holds days that do not exist"
    return HierarchyError(
        f"Column {column.name!r} {what}. Dates are written 2021-03-05, 2021/03/05 or 05.03.2021, "
        "times 2021-03-05 13:45, all of a column in one form; in a frame they have a type for it."
    )


def _date_key(moments: npt.NDArray[np.datetime64], unit: Unit) -> npt.NDArray[np.int64]:
    """The number of the hour, day, month ... that each moment lies in."""
    if unit == "hour":
        return moments.astype("M8[h]").astype(np.int64)
    if unit == "day":
        return moments.astype("M8[D]").astype(np.int64)
    months = moments.astype("M8[M]").astype(np.int64) + 12 * 1970
    return months // MONTHS_OF[unit]


def _date_label(key: int, unit: Unit) -> str:
    if unit == "hour":
        return str(np.datetime64(int(key), "h")).replace("T", " ") + ":00"
    if unit == "day":
        return str(np.datetime64(int(key), "D"))
    year, month = divmod(int(key) * MONTHS_OF[unit], 12)
    match unit:
        case "month":
            return f"{year:04}-{month + 1:02}"
        case "quarter":
            return f"{year:04}-Q{month // 3 + 1}"
        case "decade":
            return f"{year:04}s"
        case "century":
            return f"{year:04}–{year + 99:04}"
    return f"{year:04}"
