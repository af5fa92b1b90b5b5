"""What the text of a published cell can mean: a range, a set of values, or something measured.

It is read as a recipient would read it, and shares nothing with the code that writes cells.
"""

from __future__ import annotations

import json
import re
from typing import Literal, NamedTuple

import numpy as np

Family = Literal["number", "moment", "time"]  # what can be compared with what

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"[+-]?[0-9]+")
FROM_HERE_ON = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)\+")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
OTHER_DAY = re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})|([0-9]{4})/([0-9]{2})/([0-9]{2})")
MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
)
TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?")
RANGE = re.compile(r"\[([^\[\],{}\"]+), ([^\[\],{}\"]+)([\])])")
DAY_LENGTH = 86_400_000_000  # microseconds


class Measured(NamedTuple):
    """A text on a line: where it begins and ends. Only a day and `90+` have a length."""

    family: Family
    first: int | float
    last: int | float


class Range(NamedTuple):
    """Two ends; the second may be left out, as in `[20, 25)`."""

    low: str
    high: str
    has_high: bool


def measure(text: str) -> Measured | None:
    """The number, moment (in microseconds) or time of day (in nanoseconds) that a text is.

    >>> measure("17.50"), measure("1970-01-02"), measure("care")
    (Measured(family='number', first=17.5, last=17.5),
     Measured(family='moment', first=86400000000, last=172799999999), None)
    >>> measure("02.01.1970") == measure("1970/01/02") == measure("1970-01-02")
    True
    """
    if INTEGER.fullmatch(text):
        return Measured("number", int(text), int(text)) if len(text) < 400 else None
    if NUMBER.fullmatch(text):
        number = float(text)
        return Measured("number", number, number) if np.isfinite(number) else None
    if from_here_on := FROM_HERE_ON.fullmatch(text):  # 90+
        return Measured("number", float(from_here_on[1]), np.inf)
    if day := OTHER_DAY.fullmatch(text):  # cells are ISO dates, but whoever saved them again ...
        text = f"{day[3] or day[4]}-{day[2] or day[5]}-{day[1] or day[6]}"
    if DAY.fullmatch(text):
        start = _microseconds(text)
        return None if start is None else Measured("moment", start, start + DAY_LENGTH - 1)
    if moment := MOMENT.fullmatch(text):
        start = _microseconds(f"{moment[1]}T{moment[2]}")
        return None if start is None else Measured("moment", start, start)
    if time := TIME.fullmatch(text):
        seconds = int(time[1]) * 3600 + int(time[2]) * 60 + int(time[3])
        start = seconds * 10**9 + int((time[4] or "").ljust(9, "0"))
        return Measured("time", start, start)
    return None


def read_range(text: str) -> Range | None:
    """
    >>> read_range("[-5, 3]"), read_range("[20, 25)"), read_range("20-25")
    (Range(low='-5', high='3', has_high=True), Range(low='20', high='25', has_high=False), None)
    """
    found = RANGE.fullmatch(text)
    return Range(found[1], found[2], found[3] == "]") if found else None


def read_set(text: str) -> tuple[str, ...] | None:
    """The values of a set, those in JSON quotes without them.

    >>> read_set('{a, "b, c"}'), read_set("{a")
    (('a', 'b, c'), None)
    """
    if len(text) < 2 or text[0] != "{" or text[-1] != "}":
        return None
    values, place, end = [], 1, len(text) - 1
    while place <= end:
        found = _next_value(text, place, end)
        if found is None:
            return None
        value, place = found
        values.append(value)
        if place == end:
            return tuple(values)
        if text[place : place + 2] != ", ":
            return None
        place += 2
    return None


def _next_value(text: str, place: int, end: int) -> tuple[str, int] | None:
    """The value that begins at a place of a set, and where it ends."""
    if text[place] == '"':
        try:
            value, place = json.JSONDecoder().raw_decode(text, place)
        except ValueError:
            return None
        return (value, place) if place <= end else None
    stop = text.find(", ", place, end)
    stop = end if stop < 0 else stop
    return (text[place:stop], stop) if stop > place else None


def _microseconds(text: str) -> int | None:
    try:
        return int(np.datetime64(text, "us").astype(np.int64))
    except ValueError:  # as the 30th of February
        return None
