"""Bins of numbers."""

from __future__ import annotations

from datetime import date

import pytest

import shoal
from hierarchies.built import paths
from shoal.errors import HierarchyError


def test_intervals_are_bins_from_zero_that_nest():
    assert paths(shoal.intervals(5, 10), [31, 38, 4]) == [
        ("4", "[0, 4]", "[0, 9]", "*"),
        ("31", "[30, 34]", "[30, 39]", "*"),
        ("38", "[35, 39]", "[30, 39]", "*"),
    ]


def test_intervals_below_zero_keep_their_width():
    assert paths(shoal.intervals(5), [-6, -5, -1, 0]) == [
        ("-6", "[-10, -6]", "*"),
        ("-5", "[-5, -1]", "*"),
        ("-1", "[-5, -1]", "*"),
        ("0", "[0, 4]", "*"),
    ]


def test_intervals_of_fractions_are_open_above():
    assert paths(shoal.intervals(0.5, 1), [0.25, 1.5]) == [
        ("0.25", "[0, 0.5)", "[0, 1)", "*"),
        ("1.5", "[1.5, 2)", "[1, 2)", "*"),
    ]


def test_a_fraction_lies_inside_its_interval():
    ((_, label, _),) = paths(shoal.intervals(0.1), [0.3])

    low, high = map(float, label.strip("[)").split(", "))
    assert low <= 0.3 < high


def test_intervals_of_fractions_form_a_tree():
    levels = paths(shoal.intervals(0.1, 0.3), [0.25, 0.3])

    assert len({path[1] for path in levels}) == len({path[1:] for path in levels})


def test_intervals_of_large_fractions_contain_their_values():
    ((_, label, _),) = paths(shoal.intervals(10), [12345678.5])

    low, high = map(float, label.strip("[)").split(", "))
    assert low <= 12345678.5 < high


def test_intervals_of_whole_numbers_beyond_two_to_the_53_are_exact():
    ((_, label, _),) = paths(shoal.intervals(10), [2**60 + 11])

    low, high = map(int, label.strip("[]").split(", "))
    assert low <= 2**60 + 11 <= high
    assert high - low == 9


@pytest.mark.parametrize("widths", [(), (0,), (-5,), (5, 0)])
def test_interval_widths_must_be_above_zero(widths):
    with pytest.raises(HierarchyError, match="above 0"):
        shoal.intervals(*widths)


@pytest.mark.parametrize("widths", [(5, 7), (10, 5), (5, 5), (5, 10, 25)])
def test_interval_widths_must_nest(widths):
    with pytest.raises(HierarchyError, match="must nest"):
        shoal.intervals(*widths)


@pytest.mark.parametrize("width", [float("inf"), float("nan")])
def test_interval_widths_must_be_finite(width):
    with pytest.raises(HierarchyError):
        shoal.intervals(width)


@pytest.mark.parametrize("values", [["a", "b"], [date(2021, 1, 1)], [True, False]])
def test_intervals_need_numbers(values):
    with pytest.raises(HierarchyError, match="Column 'x': intervals need numbers"):
        paths(shoal.intervals(5), values)
