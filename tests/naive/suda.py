"""Special uniques by their definition: every set of columns, every record, every other record."""

from __future__ import annotations

from itertools import combinations
from math import factorial


def minimal_uniques(records, largest):
    """For each record, the sets of columns on which it is unique, and on no smaller one."""
    n_columns = len(records[0])
    found = []
    for record in records:
        own = []
        for size in range(1, largest + 1):
            for columns in combinations(range(n_columns), size):
                n_like = sum(all(o[c] == record[c] for c in columns) for o in records)
                has_smaller = any(set(smaller) < set(columns) for smaller in own)
                if n_like == 1 and not has_smaller:
                    own.append(columns)
        found.append([columns for columns in own if all(record[c] is not None for c in columns)])
    return found


def weight(size, n_columns, scale):
    rest = n_columns - size
    if scale == "factorial":
        return factorial(rest)
    return (2**rest - 1) * factorial(size) * factorial(rest) / factorial(n_columns)


def score(uniques, n_columns, scale):
    return sum(weight(len(columns), n_columns, scale) for columns in uniques)


def contribution(uniques, column, n_columns, scale):
    return sum(weight(len(c), n_columns, scale) for c in uniques if column in c)


def dis(scores, records, n_columns, share):
    n_pairs = sum(records.count(record) == 2 for record in records)
    power = 1 + (8 - n_columns) / 20
    a = sum(s**-power for s in scores if s > 0)
    return [
        0 if s == 0 else 1 / (1 + n_pairs * (1 - share) / share / (s**power * a)) for s in scores
    ]
