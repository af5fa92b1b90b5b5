"""Fronts agree with the plain definition, and the search fills their gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naive import front as naive
from shoal.comparison.front import Dimension, Search, Tried, front_of, gaps_of
from shoal.errors import PolicyError
from tiers import seeds


@pytest.mark.parametrize("seed", seeds(30, thorough=500))
def test_the_front_is_what_no_point_beats(seed):
    rng = np.random.default_rng(seed)
    points = [tuple(map(int, p)) for p in rng.integers(0, 12, (int(rng.integers(1, 40)), 2))]

    found = front_of(points)

    assert [points[i] for i in found] == naive.front(points)
    assert [points.index(points[i]) for i in found] == found  # of equal points the first


def test_gaps_are_shares_of_what_the_front_spans():
    assert gaps_of([(0, 100), (1, 100), (10, 0)]) == pytest.approx([0.1, math.hypot(0.9, 1)])
    assert gaps_of([(1, 1)]) == []


def search(plan: Search, costs, n_runs: int) -> list[Tried]:
    tried = [Tried(m, v, costs(m, v)) for m, v in plan.start(n_runs)]
    while len(tried) < n_runs:
        found = plan.next(tried, min(8, n_runs - len(tried)))
        if not found:
            break
        tried += [Tried(m, v, costs(m, v)) for m, v in found]
    return tried


def bent(method: int, values) -> tuple[float, float]:
    """Risk falls with the weight, steeply at first; every step of k costs loss."""
    w = float(values["w"])
    return w + float(values.get("k", 2)) / 100 + method, math.exp(-6 * w) - 0.001 * method


def test_the_search_fills_gaps_better_than_a_grid_of_as_many_runs():
    plan = Search(((Dimension.of("w", "0.0..1.0"),),))

    tried = search(plan, bent, 17)
    grid = [bent(0, {"w": i / 16}) for i in range(17)]

    front = sorted(one.costs for one in tried)
    assert len(tried) == 17
    assert max(gaps_of(front)) < 0.7 * max(gaps_of(sorted(grid)))


def test_nothing_is_tried_twice_and_the_search_ends_when_nothing_is_left():
    plan = Search(((Dimension.of("k", "2..6"),), ()))

    tried = search(plan, lambda m, v: (float(v.get("k", 3)), -float(v.get("k", 2.5))), 50)

    keys = [(one.method, tuple(one.values.items())) for one in tried]
    assert len(set(keys)) == len(keys) == 6  # 2 to 6, and the method without options


def test_listed_values_are_the_only_ones_tried():
    plan = Search(((Dimension.of("s", "10,20,30,40,50"),),))

    tried = search(plan, lambda m, v: (float(v["s"]), -float(v["s"])), 30)

    assert {one.values["s"] for one in tried} == {"10", "20", "30", "40", "50"}


def test_a_release_that_was_refused_does_not_end_the_search():
    plan = Search(((Dimension.of("w", "0.0..1.0"),),))

    tried = search(plan, lambda m, v: None if v["w"] == 0.0 else bent(m, v), 12)

    assert len(tried) == 12


@pytest.mark.parametrize("text", ["", "5..2", "a..b", "3..3"])
def test_a_range_that_makes_no_sense_is_refused(text):
    with pytest.raises(PolicyError, match=r"^Policy, k: "):
        Dimension.of("k", text)


def test_whole_numbers_stay_whole_and_fractions_need_a_point():
    assert Dimension.of("k", "2..50").between(2, 50) == 10
    assert Dimension.of("s", "10..20").between(10, 11) in (10, 11)
    assert Dimension.of("w", "0..1").between(0, 1) == 0.5
    assert Dimension.of("t", "1.0..5.0").between(1, 2) == 1.5
