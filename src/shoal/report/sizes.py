"""The sizes of groups, few enough numbers to look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_BINS = 8


def size_facts(sizes: Mapping[int, int], *, k: int) -> dict[str, Any]:
    """From the number of groups of each size: extremes, middle and a histogram.

    Members are records or people, whichever sizes count.

    >>> size_facts({5: 3, 11: 1}, k=5)["bins"]
    [{'low': 5, 'high': 9, 'groups': 3, 'members': 15},
     {'low': 10, 'high': 19, 'groups': 1, 'members': 11}]
    """
    n_groups = sum(sizes.values())
    n_members = sum(size * times for size, times in sizes.items())
    return {
        "smallest": min(sizes, default=None),
        "median": _median(sizes, n_groups) if n_groups else None,
        "mean": n_members / n_groups if n_groups else None,
        "largest": max(sizes, default=None),
        "bins": _bins(sizes, k) if n_groups else [],
    }


def _median(sizes: Mapping[int, int], n_groups: int) -> float:
    """The size that half of the groups do not exceed; between two middle ones, their mean."""
    middles = ((n_groups - 1) // 2, n_groups // 2)
    found, n_before = [], 0
    for size in sorted(sizes):
        n_until = n_before + sizes[size]
        found += [size for middle in middles if n_before <= middle < n_until]
        n_before = n_until
    return sum(found) / 2


def _bins(sizes: Mapping[int, int], k: int) -> list[dict[str, Any]]:
    """Bins that double: k to 2k - 1, 2k to 4k - 1 and so on, the last one open if need be."""
    smallest, largest = min(sizes), max(sizes)
    low = max(min(k, smallest), 1)
    while 2 * low <= smallest:  # no empty bins in front
        low *= 2
    bins: list[dict[str, Any]] = []
    while low <= largest:
        is_last = len(bins) == MOST_BINS - 1 and 2 * low <= largest
        high = None if is_last else 2 * low - 1
        inside = {s: n for s, n in sizes.items() if s >= low and (high is None or s <= high)}
        members = sum(size * times for size, times in inside.items())
        bins.append({"low": low, "high": high, "groups": sum(inside.values()), "members": members})
        if high is None:
            break
        low *= 2
    return bins
