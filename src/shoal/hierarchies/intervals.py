"""Bins of numbers."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from shoal.errors import HierarchyError
from shoal.types.arrays import NumberArray
from shoal.types.column import DistinctValues, Kind
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.sql_cell import SqlCell, SqlColumn, literal
from shoal.types.top import is_top_coded


@dataclass(frozen=True)
class Intervals(HierarchySpec):
    """Bins of growing width that nest; bins begin at 0.

    Each of the `widths` is a multiple of the one before.

    >>> import polars as pl, shoal
    >>> ages = pl.DataFrame({"age": [21, 24, 47, 52]})
    >>> release = shoal.anonymize(ages, quasi={"age": shoal.intervals(5, 20)},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
    >>> release.frame["age"].to_list()
    ['[20, 39]', '[20, 39]', '[40, 59]', '[40, 59]']
    """

    widths: tuple[float, ...]
    measures = True

    def __post_init__(self) -> None:
        if not self.widths or not all(_is_width(width) for width in self.widths):
            raise HierarchyError("Interval widths must be numbers above 0, such as [5, 10, 20].")
        for narrow, wide in zip(self.widths, self.widths[1:], strict=False):
            if wide <= narrow or abs(wide / narrow - round(wide / narrow)) > 1e-9:
                raise HierarchyError(
                    f"Interval widths must nest: {wide:g} is not a multiple of {narrow:g}. "
                    "Try widths such as [5, 10, 20]."
                )

    def describe(self) -> str:
        return f"intervals of {', '.join(f'{width:g}' for width in self.widths)}"

    @property
    def height(self) -> int:
        return len(self.widths) + 1

    def build(self, column: DistinctValues) -> Hierarchy:
        if column.kind not in ("integer", "number"):
            raise HierarchyError(
                f"Column {column.name!r}: intervals need numbers, but this column is "
                f"{column.kind}. Leave the hierarchy out, or use a level table."
            )
        assert column.numbers is not None
        if is_top_coded(column):
            return self._build_topped(column)
        return self._build_below(column, math.inf)

    def _build_topped(self, column: DistinctValues) -> Hierarchy:
        """Bins end at the highest value, which stands for all above it, up to the root."""
        assert column.numbers is not None
        top, label = column.numbers[-1].item(), column.labels[-1]
        if len(column.labels) == 1:
            return Hierarchy.of_paths([(*[label] * self.height, ROOT)])
        below = _Below(column.name, column.kind, column.labels[:-1], column.numbers[:-1])
        return self._build_below(below, top).followed_by(label)

    def _build_below(self, column: DistinctValues, top: float) -> Hierarchy:
        assert column.numbers is not None
        if column.kind == "integer" and all(float(w).is_integer() for w in self.widths):
            return self._build_whole(column, top)
        narrowest = self.widths[0]
        # Rounded first: 0.3 / 0.1 falls just below 3. Wider bins are made of the narrowest.
        with np.errstate(over="ignore"):
            bins = np.floor(np.round(column.numbers / narrowest, 9))
        if not np.isfinite(bins).all():
            raise HierarchyError(
                f"Column {column.name!r}: intervals of {narrowest:g} are too narrow."
            )

        if (np.abs(column.numbers.astype(np.float64)) >= self._beyond_floats).any():
            return self._build_exact(column, top)

        def name(level: int, bin_: float) -> str:
            start = bin_ * round(self.widths[level] / narrowest) * narrowest
            return f"[{_plain(start)}, {_plain(min(start + self.widths[level], top))})"

        keys = [bins // round(width / narrowest) for width in self.widths]
        return Hierarchy.of_keys(column.labels, keys, name)

    @property
    def _beyond_floats(self) -> float:
        """From here on, the quotient by the narrowest width may be rounded into the next bin.

        As a fraction it is at least 1 / numerator of the width away from it.
        """
        return float(2**50 / Fraction(str(self.widths[0])).denominator)

    def _build_exact(self, column: DistinctValues, top: float) -> Hierarchy:
        """In fractions throughout: slow, and exact however large numbers are."""
        assert column.numbers is not None
        narrowest = Fraction(str(self.widths[0]))
        widths = [narrowest * round(width / self.widths[0]) for width in self.widths]
        numbers = [Fraction(repr(number)) for number in column.numbers.tolist()]

        def name(level: int, bin_: int) -> str:
            start = bin_ * widths[level]
            end = start + widths[level]
            return f"[{_decimal(start)}, {_decimal(end if end < top else Fraction(top))})"

        bins = [np.array([number // w for number in numbers], dtype=object) for w in widths]
        return Hierarchy.of_keys(column.labels, bins, name)

    def _build_whole(self, column: DistinctValues, top: float) -> Hierarchy:
        """In whole numbers throughout, which are exact however large."""
        assert column.numbers is not None
        widths = [int(width) for width in self.widths]

        def name(level: int, bin_: int) -> str:
            start = int(bin_) * widths[level]
            last = min(start + widths[level], top) - 1
            return f"[{start}, {last}]" if last > start else f"{start}"

        keys = [
            column.numbers // w if w < 2**62 else np.minimum(np.sign(column.numbers), 0)
            for w in widths
        ]
        return Hierarchy.of_keys(column.labels, keys, name)

    def sql(self, level: int, column: SqlColumn) -> SqlCell:
        """The start of the bin, and its cell."""
        written, value, width = column.written, column.value, self.widths[level - 1]
        if column.kind == "integer" and all(float(w).is_integer() for w in self.widths):
            return _whole_bin(written, value, int(width))
        narrowest, ratio = _double(self.widths[0]), _double(round(width / self.widths[0]))
        measured = f"CAST({written} AS DOUBLE PRECISION)"
        # Rounded first, as the release does: 0.3 / 0.1 falls just below 3.
        bins = f"floor(round({measured} / {narrowest} * {_double(1e9)}) / {_double(1e9)})"
        start = f"floor({bins} / {ratio}) * {ratio} * {narrowest}"
        # Beyond, engines would round a quotient into the next bin: the value has no place there.
        start = f"CASE WHEN abs({measured}) < {_double(self._beyond_floats)} THEN {start} END"
        end = f"({value} + {_double(width)})"
        return SqlCell(start, f"'[' || {_plain_sql(value)} || ', ' || {_plain_sql(end)} || ')'")


class _Below(NamedTuple):
    """The values of a column but the last one, which stands for all above it."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    numbers: NumberArray
    has_missing: bool = False


def intervals(*widths: float) -> Intervals:
    """Bins of these widths, each a multiple of the one before; the top is `*`.

    >>> intervals(5, 10)
    Intervals(widths=(5, 10))
    """
    return Intervals(widths)


def _is_width(width: object) -> bool:
    return isinstance(width, int | float) and 0 < width < math.inf


def _plain(number: float) -> str:
    """A number without exponent and without the noise of binary fractions."""
    return np.format_float_positional(round(number, 9) + 0.0, trim="-")


def _decimal(number: Fraction) -> str:
    """A finite decimal, all its digits."""
    n_places = next(n for n in itertools.count() if 10**n % number.denominator == 0)
    digits = str(abs(number.numerator) * (10**n_places // number.denominator)).zfill(n_places + 1)
    whole, part = digits[: len(digits) - n_places], digits[len(digits) - n_places :]
    return f"{'-' if number < 0 else ''}{whole}{'.' if part else ''}{part}"


def _whole_bin(written: str, value: str, width: int) -> SqlCell:
    if width == 1:
        return SqlCell(f"CAST({written} AS VARCHAR)", value)
    if width >= 2**62:  # too wide for the arithmetic of the engines, and only two bins are there
        cells = literal(f"[{-width}, -1]"), literal(f"[0, {width - 1}]")
        return SqlCell(f"CASE WHEN {written} < 0 THEN {cells[0]} ELSE {cells[1]} END", value)
    # By remainders: a division of whole numbers is whole in one engine and not in the other.
    start = f"{written} - mod(mod({written}, {width}) + {width}, {width})"
    first, last = f"CAST({value} AS VARCHAR)", f"CAST({value} + {width - 1} AS VARCHAR)"
    return SqlCell(
        f"CASE WHEN {written} IS NOT NULL THEN {start} END",
        f"'[' || {first} || ', ' || {last} || ']'",
    )


def _double(number: float) -> str:
    return f"CAST('{float(number)!r}' AS DOUBLE PRECISION)"


def _plain_sql(number: str) -> str:
    """A number without exponent and without the noise of binary fractions."""
    whole = f"CAST(CAST({number} AS DECIMAL(38, 0)) AS VARCHAR)"
    digits = f"CAST(CAST({number} AS DECIMAL(38, 9)) AS VARCHAR)"
    return (
        f"CASE WHEN {number} = floor({number}) THEN {whole} "
        f"WHEN abs({number}) < 1000000 THEN rtrim(rtrim({digits}, '0'), '.') "
        f"ELSE CAST({number} AS VARCHAR) END"
    )
