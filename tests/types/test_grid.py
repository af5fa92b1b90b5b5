"""Grids against exact fractions, and against what a reader makes of their texts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.types.column import RawColumn
from shoal.types.grid import Decimals, Months, Multiples, OnGrid, grid_of
from shoal.types.schema import ColumnSpec
from shoal.verify.covers import covers
from tiers import examples

WHOLE = st.integers(-(2**63), 2**63 - 1)
STEPS = st.sampled_from(["0.1", "0.2", "0.25", "5", "1000", "0.0003"])


def covered(text, kind, numbers):
    """Which of these numbers a reader of the cell takes to be in it."""
    labels = tuple(f"#{i}" for i in range(len(numbers)))
    column = RawColumn("a", kind, labels, numbers, np.arange(len(numbers), dtype=np.int32))
    return covers([text], column, ColumnSpec("quasi"))[0, :-1].tolist()


@examples(100, thorough=2000)
@given(st.lists(WHOLE, min_size=1, max_size=5, unique=True), st.sampled_from([2, 5, 7, 10**6]))
def test_a_whole_number_is_in_its_bin_and_in_no_other(values, step):
    numbers, grid = np.array(sorted(values)), Multiples("integer", step)

    bins = grid.bins(numbers)

    assert bins.tolist() == [int(value) // step for value in numbers]
    for bin_ in bins.tolist():
        found = covered(grid.text(bin_, bin_), "integer", numbers)
        assert found == [other == bin_ for other in bins.tolist()]


@examples(100, thorough=2000)
@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=5, unique=True), STEPS)
def test_a_fraction_is_in_its_bin_and_in_no_other(values, step):
    numbers, grid = np.array(sorted(values)), Decimals("number", Decimal(step))

    bins = grid.bins(numbers)

    for value, bin_ in zip(numbers.tolist(), bins.tolist(), strict=True):
        exact = Fraction(value) / Fraction(step)
        assert bin_ - 1e-6 <= float(exact) <= bin_ + 1 + 1e-6
        found = covered(grid.text(bin_, bin_), "number", numbers)
        assert found == [other == bin_ for other in bins.tolist()]


@pytest.mark.parametrize("value", [0.1, 0.2, 0.3, 0.6, 0.7, 2.3, 1.1])
def test_a_fraction_that_is_a_multiple_begins_a_bin(value):
    grid = Decimals("number", Decimal("0.1"))

    (bin_,) = grid.bins(np.array([value]))

    assert bin_ == round(value * 10)


@examples(50, thorough=1000)
@given(st.integers(-300_000, 1_000_000), st.sampled_from([1, 3, 12, 120]))
def test_a_day_is_in_its_months(day, step):
    numbers, grid = np.array([day]), Months("date", step)

    (bin_,) = grid.bins(numbers)

    assert grid.edge(bin_) <= day <= grid.last(bin_)
    assert covered(grid.text(bin_, bin_), "date", numbers) == [True]


@pytest.mark.parametrize(
    ("kind", "numbers", "width"),
    [
        ("integer", [17, 90], 5),
        ("integer", [3, 3], 5),
        ("integer", [0, 100_000], 5_000),
        ("number", [0.0, 1.0], 0.05),
        ("number", [0.0, 0.0], 1),
        ("number", [1e300, 1e300], 1e288),
        ("date", [0, 365], 30.4375),
        ("date", [0, 25_000], 60 * 30.4375),
        ("time", [0, 1], 3600e9),
    ],
)
def test_the_step_that_fits_a_column_is_a_twentieth_of_it_or_the_next_above(kind, numbers, width):
    grid = grid_of(kind, np.array(numbers), OnGrid())

    assert grid.width == pytest.approx(width)


@pytest.mark.parametrize(
    ("kind", "step", "words"),
    [
        ("integer", 1.0, "2 or more"),
        ("integer", 2.5, "2 or more"),
        ("integer", "month", "its step is a number"),
        ("number", 1e-9, "too small"),
        ("date", 30.0, "month, quarter, year, decade, century"),
        ("date", "day", "month, quarter, year, decade, century"),
        ("time", "month", "its step is one of hour"),
    ],
)
def test_a_step_that_the_kind_of_a_column_cannot_have_is_refused(kind, step, words):
    with pytest.raises(ValueError, match=words):
        grid_of(kind, np.array([0, 10**9]), OnGrid(step))


def test_a_coarser_step_gives_the_same_texts_to_more_values():
    """A fixed grid: what is inside a bin does not change the text."""
    grid = grid_of("integer", np.array([0, 99]), OnGrid(10))
    first, second = grid.bins(np.array([20, 31])), grid.bins(np.array([29, 38]))

    assert grid.text(*first.tolist()) == grid.text(*second.tolist()) == "[20, 39]"
