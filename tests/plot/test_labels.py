"""Labels never touch, and stand as near to their places as that allows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from naive.front import least_displacement
from shoal.plot.labels import kept, spread
from tiers import seeds


@pytest.mark.parametrize("seed", seeds(20, thorough=300))
def test_spread_labels_are_apart_inside_and_in_their_order(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 20))
    places = list(rng.uniform(20, 380, n) if seed % 2 else rng.normal(200, 15, n))

    found = spread(places, room=15, low=20, high=380)

    in_order = [found[i] for i in np.argsort(places, kind="stable")]
    assert all(b - a >= 15 - 1e-9 for a, b in pairwise(in_order))
    assert min(found) - 7.5 >= 20 - 1e-9
    assert max(found) + 7.5 <= 380 + 1e-9


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
def test_no_other_places_are_nearer(seed):
    rng = np.random.default_rng(seed)
    places = [int(place) for place in rng.integers(0, 40, 3)]

    found = spread(places, room=10, low=-100, high=200)

    ways = sum((a - b) ** 2 for a, b in zip(places, found, strict=True))
    assert ways <= least_displacement(places, 10, -20, 60, 0.5) + 1e-9


def test_labels_without_neighbours_stay():
    assert spread([300.0, 100.0], room=15, low=0, high=400) == [300.0, 100.0]


def test_more_labels_than_room_go_beyond_the_end_but_do_not_touch():
    found = spread([5.0] * 10, room=15, low=0, high=50)

    assert [b - a for a, b in pairwise(found)] == [15.0] * 9
    assert found[0] == 7.5


def test_an_axis_names_its_ends_first():
    spans = [(0, 30), (10, 40), (35, 65), (45, 75), (80, 110), (85, 115)]

    assert kept(spans) == [0, 3, 5]  # the third touches neither end
    assert kept([]) == []
