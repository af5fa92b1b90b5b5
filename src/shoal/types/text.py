"""What a text measures: one answer for all of Shoal, except `verify`, which reads cells anew."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date

# A number as people write it. Leading zeros mean a code, such as a postcode: that stays text.
# Patterns are text, because polars and SQL match by them too.
INTEGER = r"^-?(0|[1-9][0-9]*)$"
NUMBER = r"^-?((0|[1-9][0-9]*)(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_INTEGER, _NUMBER = re.compile(INTEGER), re.compile(NUMBER)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def number_of(text: str) -> float | None:
    """The number that a text is, None where it is none or beyond all that can be measured.

    A whole number comes as `int`, because a `float` is not exact beyond 2**53.

    >>> [number_of(text) for text in ("17", "17.50", "1e3", "007", "1_000", "nan", " 7 ")]
    [17, 17.5, 1000.0, None, None, None, None]
    """
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return None
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def number_or_day(text: str) -> float:
    """What a text measures as a number or as the day of a date; nan where it is neither.

    >>> number_or_day("17.50"), number_or_day("0001-01-02"), number_or_day("care")
    (17.5, 2.0, nan)
    """
    number = number_of(text)
    if number is not None:
        return float(number)
    try:
        return float(date.fromisoformat(text).toordinal()) if _DAY.fullmatch(text) else math.nan
    except ValueError:  # the 30th of February
        return math.nan


class KnownValues:
    """Finds a value among known ones: by its letters or, if that fails, by the number it is.

    Whole numbers are compared as such, exact however large. A number with a fraction or an exponent
    is a floating-point one, and so is what it is compared with: 1e23 is 1 with 23 zeros, although
    the nearest floating-point number is not.

    >>> known = KnownValues(["5", "17.0", "007"])
    >>> [known.place(value) for value in ("17", "5.0", "007", "7")]
    [1, 0, 2, None]
    """

    def __init__(self, values: Iterable[str], *, by_number: bool = True) -> None:
        self._by_text = {value: place for place, value in enumerate(values)}
        self._by_number = {
            number: place
            for value, place in self._by_text.items()
            if by_number and (number := number_of(value)) is not None
        }
        self._by_float = {float(number): place for number, place in self._by_number.items()}

    def place(self, value: str) -> int | None:
        """The position of a value among the known ones, None if it is not among them."""
        if value in self._by_text:
            return self._by_text[value]
        number = number_of(value) if self._by_number else None
        if number is None:
            return None
        if number in self._by_number:
            return self._by_number[number]
        return self._by_float.get(number) if isinstance(number, float) else None
