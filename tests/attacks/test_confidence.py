"""Intervals against published ones, and against how often they hold the truth."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from shoal.attacks.confidence import difference, mean, share


@pytest.mark.parametrize(
    ("n_successes", "n", "low", "high"),  # method 3 of Newcombe (1998), table I
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_shares_have_the_published_intervals(n_successes, n, low, high):
    found = share(n_successes, n)

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.value == n_successes / n


def test_all_and_nothing_reach_the_ends():
    assert share(0, 7)[:2] == (0.0, 0.0)
    assert share(7, 7).high == 1.0
    assert share(7, 7).low < 1.0


@pytest.mark.parametrize("n", [10, 30])
def test_intervals_of_differences_hold_the_truth_nearly_always(n):
    """All outcomes of n people, weighted by their probability: exact, nothing is drawn."""
    outcomes = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    intervals = [difference(*_outcome(b, c, n)) for b, c in outcomes]
    for p, q in product((0.01, 0.1, 0.3, 0.45), repeat=2):
        covered = sum(
            comb(n, b) * comb(n - b, c) * p**b * q**c * (1 - p - q) ** (n - b - c)
            for (b, c), found in zip(outcomes, intervals, strict=True)
            if found.low <= p - q <= found.high
        )
        assert covered >= 0.93


def _outcome(n_first, n_second, n):
    """So many succeed by the first alone, so many by the second alone."""
    person = np.arange(n)
    return person < n_first, (person >= n_first) & (person < n_first + n_second)


def test_the_difference_of_equal_outcomes_is_nothing():
    same = np.array([True, False, True])

    found = difference(same, same)

    assert found.value == 0
    assert found.low < 0 < found.high


def test_means_stay_within_their_bounds():
    assert mean(np.array([0.2]), lowest=-1, highest=1) == (0.2, -1, 1)
    found = mean(np.array([0.9, 1.0, 1.0]), lowest=-1, highest=1)
    assert found.high == 1
    assert found.low == pytest.approx(0.9667 - 1.96 * 0.05774 / 3**0.5, abs=1e-4)
