"""Privacy models by their definitions: lists of values, fractions, and every pair of records.

A group is a list of the sensitive values of its records, None where one is missing; a table is
such a list too. A *figure* is what a model bounds in one group. Fractions make thresholds that are
met exactly exact.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

INFINITE = math.inf


def share(value, records):
    return Fraction(sum(one == value for one in records), len(records))


def n_different(group):
    return len(set(group))


def is_as_mixed_as(group, l):
    """Entropy l-diversity without logarithms: the product of all (1 / p) ** count is l ** n."""
    mixed = Fraction(1)
    for value in group:
        mixed /= share(value, group)
    return mixed >= l ** len(group)


def mixture(group):
    return math.exp(-sum(float(share(v, group)) * math.log(share(v, group)) for v in set(group)))


def most_by_rare(group, l):
    """r1 / (r_l + ... + r_m) of recursive (c, l)-diversity; it has to be less than c."""
    counts = sorted(Counter(group).values(), reverse=True)
    rare = sum(counts[l - 1 :])
    return Fraction(counts[0], rare) if rare else INFINITE


def largest_share(group):
    return max(share(value, group) for value in group)


def gains(group, table):
    """By how much every value of the table is more frequent in the group, by its share there."""
    return {
        value: (share(value, group) - share(value, table)) / share(value, table)
        for value in set(table)
    }


def is_like(group, table, beta, *, enhanced):
    """beta-likeness of Cao and Karras, definitions 2 and 3."""
    return all(
        gain <= beta and (not enhanced or gain <= -math.log(share(value, table)) + 1e-12)
        for value, gain in gains(group, table).items()
        if gain > 0
    )


def is_undisclosed(group, table, factor):
    """delta-disclosure privacy, with e ** delta: both shares differ by less than this factor."""
    return all(
        share(value, group) > 0 and 1 / factor < share(value, group) / share(value, table) < factor
        for value in set(table)
    )


def disclosure(group, table):
    if any(share(value, group) == 0 for value in table):
        return INFINITE
    return max(abs(math.log(share(v, group) / share(v, table))) for v in set(table))


def ordered_distance(one, other, in_order):
    return Fraction(abs(in_order.index(one) - in_order.index(other)), max(len(in_order) - 1, 1))


def hierarchical_distance(one, other, paths):
    """The level at which two leaves meet, by that of the root. Missing is under the root."""
    if one == other:
        return Fraction(0)
    height = len(next(iter(paths.values()))) - 1
    if one is None or other is None:
        return Fraction(1)
    for level in range(height + 1):
        if paths[one][level:] == paths[other][level:]:
            return Fraction(level, height)
    raise AssertionError("two leaves meet at the root")


def likeness(one, other, table, paths):
    """The pairwise contribution of Loukides and Shao."""
    if one == other:
        return Fraction(1)
    if paths is not None:
        has_missing = None in table
        n_leaves = len(paths) + has_missing
        if one is None or other is None:
            return 1 - Fraction(n_leaves - 1, n_leaves)
        height = len(paths[one]) - 1
        for level in range(height + 1):
            if paths[one][level:] == paths[other][level:]:
                n_below = sum(path[level:] == paths[one][level:] for path in paths.values())
                n_below += has_missing and level == height
                return 1 - Fraction(n_below - 1, n_leaves)
    numbers = [as_number(value) for value in set(table) - {None}]
    if numbers and all(number is not None for number in numbers):
        if one is None or other is None:
            return Fraction(0)
        width = max(numbers) - min(numbers)
        return 1 - abs(as_number(one) - as_number(other)) / width
    return 1 - Fraction(1, len(set(table)))


def as_number(text):
    try:
        return Fraction(text)
    except ValueError:
        return None


def s_diversity(group, table, r, paths=None):
    """The mean likeness of all ordered pairs, where those less alike than 1 - r count nothing."""
    alike = [likeness(one, other, table, paths) for one in group for other in group]
    return sum((pair for pair in alike if pair >= 1 - r), Fraction(0)) / len(group) ** 2


def mean_severity(group, severity):
    return sum((Fraction(severity[value]) for value in group), Fraction(0)) / len(group)


def severity_distance(group, table, severity):
    """x ln x - x + 1 of the ratio of mean severities."""
    mean = mean_severity(table, severity)
    ratio = mean_severity(group, severity) / mean if mean else Fraction(1)
    return float(ratio) * math.log(ratio) - float(ratio) + 1 if ratio else 1.0


def risk_holds(sizes, *, highest=None, average=None, at_risk=None):
    """Whether a release of groups of such sizes is within all limits."""
    n_records = sum(sizes)
    if highest is not None:
        n_at_risk = sum(size for size in sizes if Fraction(1, size) > highest)
        if Fraction(n_at_risk, n_records) > (at_risk or 0):
            return False
    return average is None or Fraction(len(sizes), n_records) <= average


def matched(cells, people):
    """The people whose values the cells of a group cover: `cells` are functions of a value."""
    return [
        place
        for place, person in enumerate(people)
        if all(covers(value) for covers, value in zip(cells, person, strict=True))
    ]


def chances(groups, people):
    """The chance of every person to be in a release of groups (cells, number of records)."""
    found = [Fraction(0)] * len(people)
    for cells, n_records in groups:
        places = matched(cells, people)
        for place in places:
            found[place] += Fraction(n_records, len(places))
    return [min(chance, Fraction(1)) for chance in found]
