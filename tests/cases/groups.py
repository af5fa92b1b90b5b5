"""A grouping as plain counters of rows."""

from collections import Counter


def groups_of(grouping):
    """Group -> Counter of rows; -1 are the suppressed."""
    groups = {}
    for row, count, label in zip(grouping.rows, grouping.counts, grouping.labels, strict=True):
        groups.setdefault(int(label), Counter())[int(row)] += int(count)
    return groups


def as_multiset(groups):
    return Counter(frozenset(group.items()) for group in groups)
