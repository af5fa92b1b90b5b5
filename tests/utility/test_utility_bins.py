"""Bins that enough people are in."""

from __future__ import annotations

import numpy as np
import pytest

import naive.utility as naive
from shoal.utility.bins import Bins, bins_of, people_in
from tiers import seeds


def drawn(seed: int):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 200))
    kind = rng.integers(4)
    places = [
        rng.integers(0, 90, n).astype(float),
        rng.normal(0, 10.0 ** rng.integers(-4, 9), n),
        np.repeat(rng.integers(0, 3), n).astype(float),
        rng.exponential(1000, n).round(),
    ][kind]
    return places, rng.integers(0, n, n), kind in (0, 2)


@pytest.mark.parametrize("seed", seeds(25, thorough=200))
def test_every_bin_has_enough_people_and_every_place_a_bin(seed):
    places, people, is_whole = drawn(seed)
    least = int(np.random.default_rng(seed).integers(1, 9))

    bins = bins_of(places, people, least=least, is_whole=is_whole)
    codes = bins.of(places)

    counts = naive.people_with(codes.tolist(), people.tolist())
    assert len(bins.labels) == bins.n
    assert len(set(bins.labels)) == bins.n
    assert list(bins.ends) == sorted(set(bins.ends))
    assert bins.n == 1 or min(counts.get(i, 0) for i in range(bins.n)) >= least
    assert set(counts) <= set(range(bins.n))


@pytest.mark.parametrize("seed", seeds(15, thorough=100))
def test_people_are_counted_once_for_each_bin(seed):
    rng = np.random.default_rng(seed)
    codes, people = rng.integers(-1, 4, 60).astype(np.int32), rng.integers(0, 20, 60)

    found = people_in(codes, people, 4)

    expected = naive.people_with(codes.tolist(), people.tolist())
    assert found.tolist() == [expected.get(i, 0) for i in range(4)]


@pytest.mark.parametrize("seed", seeds(15, thorough=100))
def test_a_cell_is_spread_evenly(seed):
    rng = np.random.default_rng(seed)
    ends = tuple(sorted(set(rng.integers(-20, 20, 4).tolist())))
    low = float(rng.uniform(-30, 30))
    high = low + float(rng.uniform(0.5, 40))

    found = Bins(ends, is_whole=False).spread(low, high)

    assert found == pytest.approx(naive.spread(low, high, ends), abs=1e-3)
    assert found.sum() == pytest.approx(1)


def test_a_single_value_is_in_one_bin():
    assert Bins((20, 30), is_whole=False).spread(20, 20).tolist() == [0, 1, 0]


@pytest.mark.parametrize("places", [[1e308, -1e308, 1e308], [2.0**60, 2.0**60 + 256, 2.0**60]])
def test_extreme_numbers_have_bins(places):
    bins = bins_of(np.array(places), np.arange(3), least=1, is_whole=False)

    assert set(bins.of(np.array(places)).tolist()) <= set(range(bins.n))
