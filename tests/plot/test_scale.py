"""Scales name round values, and place every value inside."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.plot.scale import given_scale, measure_scale, number, spanning_scale, step_scale
from tiers import seeds


@pytest.mark.parametrize("seed", seeds(30, thorough=400))
@pytest.mark.parametrize("scale_of", [measure_scale, spanning_scale])
def test_all_values_lie_between_the_ends_and_a_few_are_named(scale_of, seed):
    rng = np.random.default_rng(seed)
    values = list(rng.lognormal(rng.uniform(-8, 14), rng.uniform(0.01, 3), rng.integers(1, 30)))

    scale = scale_of(values)

    assert scale.low <= min(values) <= max(values) <= scale.high
    assert 2 <= len(scale.ticks) <= 9
    assert all(scale.low <= tick.value <= scale.high for tick in scale.ticks)
    assert all(100 <= scale.at(value, 100, 300) <= 300 for value in values)
    labels = [tick.label for tick in scale.ticks]
    assert len(set(labels)) == len(labels)


def test_figures_begin_at_zero_unless_they_are_all_alike():
    assert measure_scale([0.1, 0.4]).low == 0
    assert measure_scale([0.8, 0.9]).low == 0.8
    assert spanning_scale([0.1, 0.4]).low == 0.1


def test_figures_that_differ_much_have_a_logarithmic_scale():
    assert measure_scale([2e6, 4e8]).is_log
    assert not measure_scale([2, 30]).is_log
    assert not measure_scale([0, 1e9]).is_log  # zero has no logarithm


def test_values_that_were_tried_are_named_and_nothing_else():
    assert [tick.value for tick in given_scale([50, 2, 5]).ticks] == [2, 5, 50]
    assert [tick.label for tick in step_scale(["a", "b"]).ticks] == ["a", "b"]


@pytest.mark.parametrize("values", [[], [0.0], [3.0, 3.0], [-1.0, 2.0]])
def test_odd_values_have_a_scale_too(values):
    assert measure_scale(values).low < measure_scale(values).high
    assert spanning_scale(values).low < spanning_scale(values).high


def test_a_figure_has_few_letters():
    assert [number(v) for v in (1234, 2.114e6, float("inf"), 0.1309)] == [
        "1,234", "2.114 M", "∞", "0.131",
    ]  # fmt: skip
