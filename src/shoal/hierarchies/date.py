"""Dates by month, quarter, year and so on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from shoal.errors import HierarchyError, counted, nearest
from shoal.types.column import DistinctValues, Kind
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.sql_cell import SqlCell, SqlColumn

Unit = Literal["hour", "day", "month", "quarter", "year", "decade", "century"]
UNITS: tuple[Unit, ...] = get_args(Unit)
MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}


@dataclass(frozen=True)
class Date(HierarchySpec):
    """Dates: months, quarters, years, decades.

    `units` grow: hour, day, month, quarter, year, decade, century.

    >>> import polars as pl, shoal
    >>> from datetime import date
    >>> births = [date(1990, 1, 5), date(1990, 3, 31), date(1984, 7, 2), date(1989, 12, 24)]
    >>> release = shoal.anonymize(pl.DataFrame({"born": births}), privacy=[shoal.KAnonymity(2)],
    ...                           quasi={"born": shoal.dates("month", "year", "decade")})
    >>> release.frame["born"].to_list()
    ['1980s', '1980s', '1990', '1990']
    """

    units: tuple[Unit, ...]
    aliases = ("dates",)

    def __post_init__(self) -> None:
        for unit in self.units:
            if unit not in UNITS:
                raise HierarchyError(
                    f"unknown unit of time {unit!r}{nearest(str(unit), UNITS)} "
                    f"Units are {', '.join(UNITS)}."
                )
        if not self.units or sorted(set(self.units), key=UNITS.index) != list(self.units):
            raise HierarchyError("Units of time must grow, such as [month, year, decade].")

    def describe(self) -> str:
        return f"date by {', '.join(self.units)}"

    @property
    def height(self) -> int:
        return len(self.units) + 1

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

    def is_leaf(self, cell: str) -> bool:
        """A day or a moment is taken for a value as it was, though days and hours may be nodes."""
        return _is_written_as_date(cell)

    def sql(self, level: int, column: SqlColumn) -> SqlCell:
        return SqlCell(column.label, _cell_sql(self.units[level - 1], column.kind, column.value))


def dates(*units: Unit) -> Date:
    """Dates by growing units: `dates("month", "year", "decade")`.

    >>> dates("month", "year", "decade")
    Date(units=('month', 'year', 'decade'))
    """
    return Date(units)


def _no_dates(column: DistinctValues) -> HierarchyError:
    """How many values of a column are not dates."""
    is_text = column.kind == "text"
    n_other = sum(not (is_text and _is_written_as_date(label)) for label in column.labels)
    if n_other == len(column.labels):
        what = "contains no dates"
    elif n_other:
        what = (
            f"contains dates, but {counted(n_other, 'value')} "
            f"{'is not a date' if n_other == 1 else 'are not dates'}. List the texts that mean "
            "missing under `missing_values`"
        )
    else:
        what = "has dates in several formats, or days that do not exist"
    return HierarchyError(
        f"Column {column.name!r} {what}. Dates are written 2021-03-05, 05.03.2021, 05-Mar-2021 or "
        "as the column's `format` says, with a time after all of them or none. In a frame, use a "
        "date type or `format`."
    )


def _is_written_as_date(text: str) -> bool:
    from shoal.read.dates import FORMS  # loads polars, which a builder does not need

    return any(re.search(form.regex, text) for form in FORMS.values() if form.is_found)


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


def _cell_sql(unit: Unit, kind: Kind, value: str) -> str:
    year = f"substr({value}, 1, 4)"
    match unit:
        case "hour":
            hour = f"substr({value}, 1, 13) || ':00'"
            return hour if kind == "datetime" else f"{value} || ' 00:00'"
        case "day":
            return f"substr({value}, 1, 10)"
        case "month":
            return f"substr({value}, 1, 7)"
        case "quarter":
            month = f"CAST(substr({value}, 6, 2) AS INTEGER)"
            return f"{year} || '-Q' || substr('111222333444', {month}, 1)"
        case "decade":
            return f"substr({value}, 1, 3) || '0s'"
        case "century":
            return f"substr({value}, 1, 2) || '00–' || substr({value}, 1, 2) || '99'"
    return year
