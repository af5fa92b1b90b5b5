"""Where values and cells lie on a line: numbers as they are, dates by year, times by hour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import FloatArray
from shoal.types.column import Kind, RawColumn
from shoal.verify.cell_text import Measured, measure, read_range, read_set

HOUR = 3_600_000_000_000  # nanoseconds
WHOLE: tuple[Kind, ...] = ("integer", "date", "datetime", "time")  # places are whole numbers
YEARS = re.compile(r"([0-9]{4})(?:(-.*)?|(s)|–([0-9]{4}))")  # 2021-03, 2021-Q1, 2020s, 2000–2099


class Place(NamedTuple):
    """Where a cell begins and ends. The end of a whole number is the next one."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        return self.low / 2 + self.high / 2


def places_of(column: RawColumn) -> FloatArray | None:
    """The place of each different value; None where the column is text.

    >>> days = ("1970-01-02", "1980-05-01")
    >>> places_of(RawColumn("born", "date", days, np.array([1, 3773]), np.array([0, 1])))
    array([1970., 1980.])
    """
    if column.numbers is None:
        return None
    match column.kind:
        case "date":
            return _years(column.numbers.astype("datetime64[D]"))
        case "datetime":
            return _years(column.numbers.astype("datetime64[us]"))
        case "time":
            return np.asarray(column.numbers // HOUR, dtype=np.float64)
        case "integer" | "number":
            return np.asarray(column.numbers, dtype=np.float64)
    return None


def place_of_cell(cell: str | None, kind: Kind) -> Place | None:
    """Where the cell of a column of this kind lies, as far as its text says.

    >>> place_of_cell("[20, 24]", "integer"), place_of_cell("[1.5, 2)", "number")
    (Place(low=20.0, high=25.0), Place(low=1.5, high=2.0))
    >>> place_of_cell("1980s", "date"), place_of_cell("*", "integer")
    (Place(low=1980.0, high=1990.0), None)
    """
    if not cell:
        return None
    if kind in ("date", "datetime") and (years := YEARS.fullmatch(cell)) and not measure(cell):
        first = float(years[1])
        return Place(first, float(years[4]) + 1 if years[4] else first + (10 if years[3] else 1))
    if (found := read_range(cell)) is not None:
        ends = _units([found.low, found.high], kind)
        return None if ends is None else Place(ends[0], ends[1] + (_length(kind) * found.has_high))
    units = _units(read_set(cell) or [cell], kind)
    if units is None:
        return None
    return Place(min(units), max(units) + _length(kind))


def _length(kind: Kind) -> float:
    return 1.0 if kind in WHOLE else 0.0


def _units(texts: Iterable[str], kind: Kind) -> list[float] | None:
    marks = [measure(text) for text in texts]
    if any(mark is None for mark in marks):
        return None
    return [_unit(mark, kind) for mark in marks if mark is not None]


def _unit(mark: Measured, kind: Kind) -> float:
    if mark.family == "moment":
        return float(_years(np.array([mark.first]).astype("datetime64[us]"))[0])
    if mark.family == "time":
        return float(mark.first // HOUR)
    return float(mark.first)


def _years(moments: np.ndarray) -> FloatArray:
    return moments.astype("datetime64[Y]").astype(np.float64) + 1970


def middles(cells: Sequence[str | None], kind: Kind) -> FloatArray:
    """The middle of each cell; not a number where its text does not say where it lies.

    Of a whole number it is the number itself: the middle of `[20, 24]` is 22.
    """
    places = [place_of_cell(cell, kind) for cell in cells]
    half = _length(kind) / 2
    return np.array([np.nan if place is None else place.middle - half for place in places])
