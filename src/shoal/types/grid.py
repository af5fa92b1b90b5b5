"""Ends of ranges that are multiples of a step, and so tell nobody's value."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal, get_args

import numpy as np

from shoal.errors import BadOption
from shoal.types.arrays import FloatArray, Int64Array, NumberArray
from shoal.types.column import Kind

GridUnit = Literal["hour", "day", "month", "quarter", "year", "decade", "century"]
GRID_UNITS: tuple[GridUnit, ...] = get_args(GridUnit)

MONTHS: dict[GridUnit, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
HOURS: dict[GridUnit, int] = {"hour": 1, "day": 24}
AN_HOUR: dict[Kind, int] = {"datetime": 3_600_000_000, "time": 3_600_000_000_000}
A_DAY: dict[Kind, int] = {"date": 1, "datetime": 24 * AN_HOUR["datetime"]}
UNITS_OF: dict[Kind, tuple[GridUnit, ...]] = {
    "date": tuple(MONTHS),
    "datetime": GRID_UNITS,
    "time": ("hour",),
}
# Steps that fit a column are taken from these, and from 1, 2 and 5 times powers of ten.
LADDER_OF_MONTHS = (1, 3, 12, 60, 120, 600, 1200, 6000, 12000)
LADDER_OF_HOURS: dict[Kind, tuple[int, ...]] = {"datetime": (1, 6, 24, 240), "time": (1, 3, 6, 12)}
SHARE = 20  # a step is a twentieth of its column, or the next one above that
LEAST_WHOLE = 5  # a step of whole numbers that nobody chose
TOO_MANY = 2.0**50  # steps: beyond, floating-point numbers cannot tell them apart
FIRST_MONTH = 12 * 1970  # months are counted from the year 0
LAST_MOMENT = int(np.datetime64("9999-12-31T23:59:59.999999", "us").astype(np.int64))


@dataclass(frozen=True)
class OnGrid:
    """How a policy asks for a grid: by its step or, without one, by one that fits the column."""

    step: float | GridUnit | None = None


@dataclass(frozen=True)
class Grid(ABC):
    """Multiples of a step. A bin lies between two of them, and has a number.

    Whole numbers and days are written with the last value of a bin, other kinds with the first one
    after it, which is left out.

    >>> Multiples("integer", 5).text(6, 7), Decimals("number", Decimal("0.5")).text(1, 1)
    ('[30, 39]', '[0.5, 1)')
    >>> Months("date", 3).text(7960, 7960)
    '[1990-01-01, 1990-03-31]'
    """

    kind: Kind
    is_given: bool = field(default=False, kw_only=True)  # the policy names the step

    @abstractmethod
    def bins(self, numbers: NumberArray) -> Int64Array:
        """The bin of each number."""

    @abstractmethod
    def edge(self, bin_: int) -> int | float:
        """The number with which a bin begins."""

    @property
    @abstractmethod
    def width(self) -> float:
        """About how wide a bin is."""

    def last(self, bin_: int) -> int | float:
        """Where a bin ends: its last value if it `has_last`, else the first one after it."""
        return self.edge(bin_ + 1) - self.has_last

    @property
    def has_last(self) -> bool:
        return self.kind in ("integer", "date")

    def text(self, first: int, last: int) -> str:
        """A cell from the first to the last of these bins."""
        low, high = self.edge(first), self.last(last)
        if self.kind == "datetime" and high > LAST_MOMENT:  # in the year 10000
            return f"[{self.label(low)}, 9999-12-31 23:59:59.999999]"
        return f"[{self.label(low)}, {self.label(high)}{']' if self.has_last else ')'}"

    def label(self, edge: int | float) -> str:
        match self.kind:
            case "date":
                return str(np.datetime64(int(edge), "D"))
            case "datetime":
                return str(np.datetime64(int(edge), "us").astype("M8[s]")).replace("T", " ")
            case "time":
                return f"{int(edge) // AN_HOUR['time']:02}:00:00"  # the day ends at 24:00:00
        return plain(edge)

    @property
    def _last_edge(self) -> float:
        """The last one that is a moment: a day ends before 24:00, and years after 9999."""
        ends = {
            "time": 24 * AN_HOUR["time"] - 1,
            "datetime": LAST_MOMENT,
            "date": LAST_MOMENT // A_DAY["datetime"],
        }
        return ends.get(self.kind, math.inf)

    def nearest(self, numbers: FloatArray) -> list[str]:
        """The multiple of the step that is nearest to each number, as text; of two, the higher."""
        bins, of_number = np.unique(self.bins(numbers), return_inverse=True)
        edges = [(self.edge(bin_), self.edge(bin_ + 1)) for bin_ in bins.tolist()]
        low, high = np.array([(low / 2, high / 2) for low, high in edges])[of_number].T
        is_nearer = numbers / 2 - low >= high - numbers / 2
        is_high = (is_nearer & (high <= self._last_edge / 2)).astype(np.int64)
        labels = [[self.label(low), self.label(high)] for low, high in edges]
        return [labels[i][j] for i, j in zip(of_number.tolist(), is_high.tolist(), strict=True)]


@dataclass(frozen=True)
class Multiples(Grid):
    """Of whole numbers, however large."""

    step: int

    @property
    def width(self) -> float:
        return float(self.step)

    def bins(self, numbers: NumberArray) -> Int64Array:
        if numbers.dtype != np.int64:
            return np.floor(numbers / self.step).astype(np.int64)
        if self.step >= 2**63:
            return np.minimum(np.sign(numbers), 0)
        return numbers // self.step

    def edge(self, bin_: int) -> int:
        return int(bin_) * self.step


@dataclass(frozen=True)
class Months(Grid):
    step: int

    @property
    def width(self) -> float:
        return 30.4375 * self.step * A_DAY[self.kind]

    def bins(self, numbers: NumberArray) -> Int64Array:
        unit = "M8[D]" if self.kind == "date" else "M8[us]"
        months = np.floor(numbers).astype(np.int64).astype(unit).astype("M8[M]").astype(np.int64)
        return np.asarray((months + FIRST_MONTH) // self.step)

    def edge(self, bin_: int) -> int:
        month = np.datetime64(int(bin_) * self.step - FIRST_MONTH, "M")
        return int(month.astype("M8[D]").astype(np.int64)) * A_DAY[self.kind]


@dataclass(frozen=True)
class Decimals(Grid):
    """Of numbers with a fraction. Edges are where their text is read to be, to the last bit."""

    step: Decimal

    @property
    def width(self) -> float:
        return float(self.step)

    def bins(self, numbers: NumberArray) -> Int64Array:
        values = numbers.astype(np.float64)
        near = np.floor(values / float(self.step)).astype(np.int64)  # or the one next to it
        different, place = np.unique(near, return_inverse=True)
        begins = np.array([self.edge(bin_) for bin_ in different])[place]
        ends = np.array([self.edge(bin_ + 1) for bin_ in different])[place]
        return np.asarray(near + (values >= ends) - (values < begins))

    def edge(self, bin_: int) -> float:
        return float(int(bin_) * self.step)


def grid_of(kind: Kind, numbers: NumberArray, wanted: OnGrid) -> Grid:
    """The grid of a column with these numbers, ascending. Raises `BadOption` if there is none."""
    if wanted.step is None:
        return fitting_grid(kind, _span(numbers) / SHARE, numbers)
    if isinstance(wanted.step, str):
        return replace(_of_unit(kind, wanted.step), is_given=True)
    return replace(_of_number(kind, wanted.step, numbers), is_given=True)


def _of_number(kind: Kind, step: float, numbers: NumberArray) -> Grid:
    if kind == "integer":
        if step < 2 or not float(step).is_integer():
            raise BadOption("the column has whole numbers, so the step must be one, of 2 or more")
        return Multiples(kind, int(step))
    if kind == "number":
        if _largest(numbers) / TOO_MANY >= step:
            raise BadOption("the step is too small for numbers as large as those of the column")
        return Decimals(kind, Decimal(repr(float(step))))
    raise BadOption(_needs_unit(kind))


def fitting_grid(kind: Kind, at_least: float, numbers: NumberArray) -> Grid:
    """The finest grid that Shoal would choose with a step of at least so much."""
    if kind == "integer":
        return Multiples(kind, max(LEAST_WHOLE, int(_of_series(at_least))))
    if kind == "number":
        return Decimals(kind, _of_series(max(at_least, 1e-12 * _largest(numbers))))
    hours = [Multiples(kind, n * AN_HOUR[kind]) for n in LADDER_OF_HOURS.get(kind, ())]
    months = [Months(kind, n) for n in LADDER_OF_MONTHS] if kind in A_DAY else []
    ladder: list[Grid] = [*hours, *months]
    return next((grid for grid in ladder if grid.width >= at_least), ladder[-1])


def plain(number: int | float) -> str:
    """A number without exponent.

    >>> plain(1e-7), plain(-0.0), plain(2.50), plain(10**30)
    ('0.0000001', '0', '2.5', '1000000000000000000000000000000')
    """
    if isinstance(number, int):
        return str(number)
    return np.format_float_positional(number + 0.0, trim="-")


def _of_unit(kind: Kind, unit: GridUnit) -> Grid:
    if unit not in UNITS_OF.get(kind, ()):
        raise BadOption(_needs_unit(kind))
    if unit in MONTHS:
        return Months(kind, MONTHS[unit])
    return Multiples(kind, HOURS[unit] * AN_HOUR[kind])


def _needs_unit(kind: Kind) -> str:
    if kind in UNITS_OF:
        return f"the column is of kind {kind}: its step is one of {', '.join(UNITS_OF[kind])}"
    return f"the column is of kind {kind}: its step is a number"


def _of_series(at_least: float) -> Decimal:
    """The first of 1, 2 and 5 times powers of ten that is not smaller; 1 for nothing.

    >>> [str(_of_series(x)) for x in (0.0, 0.03, 3.6, 5.0, 700.0)]
    ['1', '0.05', '5', '5', '1E+3']
    """
    if at_least <= 0:
        return Decimal(1)
    power = math.floor(math.log10(at_least))
    steps = (Decimal(m).scaleb(p) for p in range(power - 1, power + 2) for m in (1, 2, 5))
    return next(step for step in steps if float(step) >= at_least)


def _span(numbers: NumberArray) -> float:
    half = float(numbers[-1]) / 2 - float(numbers[0]) / 2  # the whole may overflow
    return min(half, 4e307) * 2


def _largest(numbers: NumberArray) -> float:
    return float(np.abs(numbers[[0, -1]].astype(np.float64)).max())
