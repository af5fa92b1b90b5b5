"""The hierarchy that fits a quasi-identifier, as a policy file writes it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from shoal.proposals.patterns import is_code
from shoal.proposals.profile import YEARS, Profile

Hierarchy = Mapping[str, Any] | str | None

AGE_WIDTHS = (5, 10, 20, 40)
OLDEST = 120
YEAR_WIDTHS = (5, 10, 20)
DATE_UNITS = ("month", "year", "decade")
BINS = 50  # at most about so many of the narrowest intervals
LONGEST_POSTCODE = 10
DAY, MICROSECOND = 1, 86_400_000_000
WEEKS, DAYS = 60, 2  # days
# Days since 1970 of the years 2 and 9998: the calendar of Python ends a year further out.
CALENDAR = (-718_797, 2_932_531)
SMALLEST, LARGEST = 1e-250, 1e250  # beyond, floating point ends
DIGITS = 5  # of a number, that the label of an interval tells apart


def hierarchy_of(profile: Profile) -> Hierarchy:
    """What to generalise a column by, or nothing where ranges or sets do as well.

    Numbers and dates get none: Mondrian, which is proposed, publishes ranges, and intervals or
    units of time make it lose more in most real tables (`benchmarks/proposals.py`).
    """
    if not profile.labels or profile.kind in ("date", "datetime"):
        return None
    if profile.kind in ("text", "integer") and profile.means("postcode"):
        return _prefix(profile)
    if profile.kind == "text" and profile.looks.look == "postcode":
        return _prefix(profile)
    if profile.library is not None:
        return {"library": profile.library}
    if profile.kind == "text" and profile.has_many_values and profile.looks.look == "code":
        return {"prefix": len(profile.labels[0])}
    return None


def widths_within(width: float, *, is_whole: bool) -> tuple[float, ...]:
    """Widths that nest, from about a fiftieth to half of `width`.

    >>> widths_within(100, is_whole=True), widths_within(0.3, is_whole=False)
    ((2, 10, 50), (0.01, 0.05, 0.1))
    """
    if not SMALLEST < width < LARGEST:
        return ()
    digit, power = _round_up(width / BINS)
    if is_whole and (power < 0 or (digit, power) == (1, 0)):
        digit, power = 2, 0  # an interval of width 1 is the number itself
    widths: list[float] = []
    while (wide := _decimal(digit, power)) <= width / 2:
        widths.append(wide)
        digit, power = (5, power) if digit == 1 else (1, power + 1)
    return tuple(widths)


def bounds_of(profile: Profile) -> dict[str, str] | None:
    """Where ranges of dates end: not at a day, which would be that of somebody's birth.

    Moments that lie within some weeks end with days, and within two days with hours.
    """
    if profile.kind not in ("date", "datetime") or not profile.labels:
        return None
    assert profile.column is not None
    assert profile.column.numbers is not None
    per_day = DAY if profile.kind == "date" else MICROSECOND
    first, last = (profile.column.numbers[i].item() / per_day for i in (0, -1))
    if first < CALENDAR[0] or last > CALENDAR[1]:
        return None
    if profile.kind == "date" or last - first >= WEEKS:
        return {"grid": "month"}
    return {"grid": "day" if last - first >= DAYS else "hour"}


def _prefix(profile: Profile) -> Hierarchy:
    """Codes of one length, or nearly so: British and Canadian postcodes differ by a letter."""
    if is_code(profile.labels):
        return {"prefix": len(profile.labels[0])}
    longest = max(map(len, profile.labels))
    return {"prefix": longest} if 1 < longest <= LONGEST_POSTCODE else None


def is_age(profile: Profile) -> bool:
    """Whether a column that is called age holds years of life."""
    return profile.means("age") and profile.span.low >= 0 and profile.span.high <= OLDEST


def is_birth_year(profile: Profile) -> bool:
    first, last = YEARS
    return profile.means("birth") and first <= profile.span.low and profile.span.high <= last


def intervals_of(profile: Profile) -> tuple[float, ...]:
    """Widths that fit a column of numbers, for algorithms that need a hierarchy; none for few."""
    if is_age(profile):
        return AGE_WIDTHS
    if not profile.has_many_values:
        return ()
    if is_birth_year(profile):
        return YEAR_WIDTHS
    low, high = profile.span
    widths = widths_within(high - low, is_whole=profile.kind == "integer")
    if profile.kind == "number":
        coarsest = max(abs(low), abs(high)) / 10**DIGITS
        widths = tuple(width for width in widths if width > coarsest)
    return widths


def _round_up(number: float) -> tuple[int, int]:
    """The smallest 1, 2 or 5 times a power of ten from here on, as digit and power."""
    power = math.floor(math.log10(number))
    for digit in (1, 2, 5):
        if number <= _decimal(digit, power) * (1 + 1e-9):
            return digit, power
    return 1, power + 1


def _decimal(digit: int, power: int) -> float:
    """Exactly what is written, 0.05 and not 0.05000000000000001."""
    return digit * 10**power if power >= 0 else float(f"{digit}e{power}")
