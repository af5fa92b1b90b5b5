"""Fronts and labels, said as plainly as possible."""

from __future__ import annotations

import itertools
import math


def beats(one, other):
    """Whether a point is as low in both figures, and lower in one."""
    return one[0] <= other[0] and one[1] <= other[1] and one != other


def front(points):
    """The points that no other beats, each once, from the lowest first figure on."""
    return sorted({p for p in points if not any(beats(other, p) for other in points)})


def least_displacement(places, room, low, high, step):
    """The least sum of squared ways that labels at least `room` apart must go, on a fine grid."""
    n = int((high - low) / step)
    spots = [low + room / 2 + i * step for i in range(n + 1) if low + i * step + room <= high]
    best = math.inf
    for chosen in itertools.combinations(spots, len(places)):
        if all(b - a >= room - 1e-9 for a, b in itertools.pairwise(chosen)):
            ways = sum((a - b) ** 2 for a, b in zip(sorted(places), chosen, strict=True))
            best = min(best, ways)
    return best
