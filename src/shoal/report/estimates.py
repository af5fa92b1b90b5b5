"""Figures of a sample in words, each with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.report import words
from shoal.types.unit import Unit

if TYPE_CHECKING:
    from shoal.attacks.confidence import Estimate


def share_of(figure: Estimate) -> str:
    low, high = words.share(figure.low), words.share(figure.high)
    return f"{words.share(figure.value)} ({low} to {high})"


def between(figure: Estimate) -> str:
    low, high = 100 * figure.low, 100 * figure.high
    return f"{points(figure.value)} ({low:.1f} to {high:.1f})"


def points(share: float) -> str:
    """A difference of shares.

    >>> points(0.123), points(0.01)
    ('12.3 points', '1.0 points')
    """
    return f"{100 * share:.1f} points"


def part_of(n: int, of: int, unit: Unit) -> str:
    return f"{n:,} of {of:,} {unit.many}"
