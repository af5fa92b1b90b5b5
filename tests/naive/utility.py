"""What a release tells, computed the long way: record by record, cell by cell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def spread(low: float, high: float, ends: Sequence[float], steps: int = 20_000) -> list[float]:
    """How much of low..high lies in each bin, by looking at many points of it."""
    counts = [0] * (len(ends) + 1)
    for i in range(steps):
        point = low + (high - low) * (i + 0.5) / steps
        counts[sum(point >= end for end in ends)] += 1
    return [count / steps for count in counts]


def people_with(values: Sequence[object], people: Sequence[int]) -> dict[object, int]:
    """How many different people have each value."""
    return {
        value: len({p for v, p in zip(values, people, strict=True) if v == value})
        for value in set(values)
    }


def cramers_v(pairs: Sequence[tuple[object, object]]) -> float:
    """Cramér's V with Bergsma's correction, from the records."""
    n, both = len(pairs), Counter(pairs)
    rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chi2 = 0.0
    for a in rows:
        for b in columns:
            expected = rows[a] * columns[b] / n
            chi2 += (both[a, b] - expected) ** 2 / expected
    r, c = len(rows), len(columns)
    phi = max(0.0, chi2 / n - (r - 1) * (c - 1) / (n - 1))
    r_, c_ = r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)
    return min(1.0, math.sqrt(phi / (min(r_, c_) - 1)))


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    n = len(pairs)
    x, y = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    top = sum((a - x) * (b - y) for a, b in pairs)
    return top / math.sqrt(
        sum((a - x) ** 2 for a, _ in pairs) * sum((b - y) ** 2 for _, b in pairs)
    )


def moved_share(before: Sequence[object], covered: Sequence[Sequence[object]]) -> float:
    """Half of what shares of values differ by; `covered` has what each released cell may be."""
    after: Counter[object] = Counter()
    for values in covered:
        for value in values:
            after[value] += 1 / len(values) / len(covered)
    return sum(abs(before.count(v) / len(before) - after[v]) for v in {*before, *after}) / 2


def balanced_accuracy(truth: Sequence[object], guessed: Sequence[object]) -> float:
    rates = []
    for value in set(truth):
        of_class = [g for t, g in zip(truth, guessed, strict=True) if t == value]
        rates.append(of_class.count(value) / len(of_class))
    return sum(rates) / len(rates)


def forced(marks: Sequence[float], groups: Sequence[int]) -> list[float]:
    """By how much each record widens its group on a line, for all records of the group."""
    widths = []
    for i, group in enumerate(groups):
        others = [m for j, m in enumerate(marks) if groups[j] == group and j != i]
        everyone = [*others, marks[i]]
        width = max(everyone) - min(everyone)
        without = max(others) - min(others) if others else width
        widths.append((width - without) * len(everyone))
    return widths


def taken(
    covered: Sequence[Sequence[int]],
    keys: Sequence[int],
    released: Sequence[Sequence[int]],
    order: Sequence[int],
) -> dict[tuple[int, int], int]:
    """Group by group, each record that it covers fills a released place with its key.

    `covered`: the records that each group covers; `released`: the keys of its places.
    """
    free, found = set(range(len(keys))), {}
    for group in order:
        for record in sorted(set(covered[group]) & free):
            for place, key in enumerate(released[group]):
                if (group, place) not in found and key == keys[record]:
                    found[group, place] = record
                    free.discard(record)
                    break
    return found
