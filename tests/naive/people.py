"""Person forms of models by their definitions, where people may have several values.

A group is a dictionary: the people who have a record in it, and the set of values that each has
there. A table is a list of groups. The input is a table of one group, in which everybody is once;
released is a table of all groups, and who is in two of them counts twice.
"""

from __future__ import annotations

import math
from fractions import Fraction

from naive.privacy import INFINITE


def met(entries):
    """The group that entries (person, values) make: who has several has the values of all."""
    group = {}
    for person, values in entries:
        group.setdefault(person, set()).update(values)
    return group


def n_with(value, group):
    return sum(value in values for values in group.values())


def incidences(*groups):
    """The values of a list of pairs (person, value): what a record form can look at."""
    return [v for group in groups for values in group.values() for v in sorted(values, key=str)]


def confidence(value, *groups):
    """The share of the people of a group, or of all groups of a table, who have a value."""
    return Fraction(sum(n_with(value, g) for g in groups), sum(len(g) for g in groups))


def judged(group):
    """The group, and with every value that all of its people have, one in which it is alone."""
    shared = set.intersection(*group.values())
    return [group, *({person: {value} for person in group} for value in shared)]


def most_by_rare(group, l):
    """r1 / min(r_l + ... + r_m, people without the most frequent value).

    With l = 1 the most frequent value is on both sides, so these are all people.
    """
    counts = sorted((n_with(v, group) for v in set(incidences(group))), reverse=True)
    others = len(group) - counts[0] if l > 1 else len(group)
    rare = min(sum(counts[l - 1 :]), others)
    return Fraction(counts[0], rare) if rare else INFINITE


def largest_confidence(group):
    return max(confidence(value, group) for value in incidences(group))


def gains(group, table):
    """By how much everybody in a table gains confidence in each of its values."""
    return {
        value: (confidence(value, group) - confidence(value, *table)) / confidence(value, *table)
        for value in set(incidences(*table))
    }


def is_like(group, table, beta, *, enhanced):
    return all(
        gain <= beta and (not enhanced or gain <= -math.log(confidence(value, *table)) + 1e-12)
        for value, gain in gains(group, table).items()
        if gain > 0
    )


def ratios(group, table):
    return [
        confidence(value, group) / confidence(value, *table) for value in set(incidences(*table))
    ]


def is_undisclosed(group, table, factor):
    return all(1 / factor < ratio < factor for ratio in ratios(group, table))


def disclosure(group, table):
    found = ratios(group, table)
    return max(abs(math.log(ratio)) for ratio in found) if all(found) else INFINITE


def people_in(persons, labels):
    """Group -> the different people who have a record in it; groups below 0 are none."""
    members = {}
    for person, label in zip(persons, labels, strict=True):
        if label >= 0:
            members.setdefault(label, set()).add(person)
    return members


def numbered(rows, missing=("",)):
    """The number of each row's person in the order of their values; whose is missing are alone.

    A row is a tuple of the values that tell people apart.
    """
    unknown = {None, *missing}
    known = sorted({row for row in rows if not unknown & set(row)})
    number = {row: i for i, row in enumerate(known)}
    found, n_people = [], len(known)
    for row in rows:
        if row in number:
            found.append(number[row])
        else:
            found.append(n_people)
            n_people += 1
    return found
