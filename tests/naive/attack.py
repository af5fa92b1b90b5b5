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


class Known(NamedTuple):
    """What attacks on a person with several records find, slowly."""

    n_matched: int
    n_own: int  # of the matching rows
    n_released: int  # of the person's rows anywhere
    n_alike: int  # records of the original that look like the one that is easiest to find there
    n_own_alike: int
    values: Counter  # of the sensitive column, in the matching rows
    without: Counter  # the same without the person's own
    truth: set


class Original(NamedTuple):
    """The records of the original, and whose they are."""

    records: list
    people: list


def attack_by_definition(person, known, original, rows, *, fits, columns, sensitive, unchanged):
    """Rows that can be the person's, without being told whose they are.

    `known`: which records of the person the adversary knows. A record that has the unchanged values
    of a row which fits it can have that row; several such records share those rows.
    """
    own = [r for r, p in zip(*original, strict=True) if p == person]
    matches = [_matching(record, rows, fits, columns) for record in own]
    picked = _easiest(known, [len(found) for found in matches])
    among = matches[picked]
    theirs = _can_be_theirs(own, [found & among for found in matches], rows, unchanged)
    anywhere = _can_be_theirs(own, matches, rows, unchanged)
    values = Counter(rows[i][sensitive] for i in among)
    n_alike, n_own_alike = _in_original(own, known, original.records, columns)
    return Known(
        n_matched=len(among),
        n_own=len(theirs),
        n_released=len(anywhere),
        n_alike=n_alike,
        n_own_alike=n_own_alike,
        values=values,
        without=values - Counter(record[sensitive] for record in theirs),
        truth={record[sensitive] for record in own},
    )


def attack_by_truth(person, known, original, rows, *, fits, columns, sensitive):
    """The same where the column `who` of the rows says whose they are."""
    own = [r for r, p in zip(*original, strict=True) if p == person]
    matches = [_matching(record, rows, fits, columns) for record in own]
    among = [rows[i] for i in matches[_easiest(known, [len(found) for found in matches])]]
    n_alike, n_own_alike = _in_original(own, known, original.records, columns)
    return Known(
        n_matched=len(among),
        n_own=sum(row["who"] == person for row in among),
        n_released=sum(row["who"] == person for row in rows),
        n_alike=n_alike,
        n_own_alike=n_own_alike,
        values=Counter(row[sensitive] for row in among),
        without=Counter(row[sensitive] for row in among if row["who"] != person),
        truth={record[sensitive] for record in own},
    )


def _matching(record, rows, fits, columns):
    found = enumerate(rows)
    return {i for i, row in found if all(fits(row[name], record[name]) for name in columns)}


def _easiest(known, n_matches):
    """The first of the known records that match fewest rows, but some; else the first known."""
    return min(known, key=lambda i: (n_matches[i] == 0, n_matches[i], i))


def _can_be_theirs(own, matches, rows, unchanged):
    def key(row):
        return tuple(row[name] for name in unchanged)

    theirs = []
    for wanted in {key(record) for record in own}:
        alike = [
            (record, {i for i in found if key(rows[i]) == wanted})
            for record, found in zip(own, matches, strict=True)
            if key(record) == wanted
        ]
        n_rows = len(set().union(*(found for _, found in alike)))
        theirs += [record for record, found in alike if found][:n_rows]
    return theirs


def _in_original(own, known, records, columns):
    def alike(record, others):
        return sum(all(other[n] == record[n] for n in columns) for other in others)

    record = own[_easiest(known, [alike(record, records) for record in own])]
    return alike(record, records), alike(record, own)


def most_frequent(values, overall):
    """The most frequent value; of equals the more frequent overall, then the first in order."""

    def rank(value):
        return -values[value], -overall[value], value is not None, value or ""

    present = [value for value in values if values[value] > 0]
    return min(present, key=rank) if present else None


def guess(values, overall):
    """Where no row is left, the most frequent value of all."""
    return most_frequent(values if sum(values.values()) else overall, overall)
