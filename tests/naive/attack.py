"""Attacks one person and one row at a time."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple


class Person(NamedTuple):
    """What attacks on one person find, slowly."""

    n_matched: int
    is_present: bool
    n_alike: int
    values: Counter  # of the sensitive column, in the matching rows
    truth: object


def attack_person(person, people, rows, *, fits, known, sensitive, unchanged):
    """`fits(name, cell, value)` says whether a cell covers a value; tables are lists of dicts."""
    matching = [row for row in rows if all(fits(n, row[n], person[n]) for n in known)]
    return Person(
        n_matched=len(matching),
        is_present=any(all(row[n] == person[n] for n in unchanged) for row in matching),
        n_alike=sum(all(other[n] == person[n] for n in known) for other in people),
        values=Counter(row[sensitive] for row in matching),
        truth=person[sensitive],
    )


def most_frequent(values, overall):
    """The most frequent value; of equals the more frequent overall, then the first in order."""

    def rank(value):
        return -values[value], -overall[value], value is not None, value or ""

    present = [value for value in values if values[value] > 0]
    return min(present, key=rank) if present else None


def guess(values, overall):
    """Where no row is left, the most frequent value of all."""
    return most_frequent(values if sum(values.values()) else overall, overall)
