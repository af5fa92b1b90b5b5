"""What the texts of cells are read as, character by character."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.verify.cell_text import DAY_LENGTH, Measured, Range, measure, read_range, read_set
from shoal.verify.covers import covers

SECOND = 10**9  # nanoseconds


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1970-01-01", 0, DAY_LENGTH - 1),
        ("1970-01-02", DAY_LENGTH, 2 * DAY_LENGTH - 1),
        ("02.01.1970", DAY_LENGTH, 2 * DAY_LENGTH - 1),
        ("1970/01/02", DAY_LENGTH, 2 * DAY_LENGTH - 1),
        ("1970-01-02 00:00", DAY_LENGTH, DAY_LENGTH),
        ("1970-01-01T00:00:01.5", 1_500_000, 1_500_000),
    ],
)
def test_a_day_lasts_until_the_next_one_begins_and_a_moment_does_not_last(text, first, last):
    assert measure(text) == Measured("moment", first, last)


def test_a_day_is_24_hours():
    assert measure("1970-01-02 00:00").first == 24 * 60 * 60 * 10**6 == DAY_LENGTH


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("00:00:00", 0),
        ("00:00:01", SECOND),
        ("00:01:00", 60 * SECOND),
        ("01:00:00", 3600 * SECOND),
        ("02:03:04", (2 * 3600 + 3 * 60 + 4) * SECOND),
        ("00:00:01.5", SECOND + SECOND // 2),
        ("00:00:00.000000001", 1),
    ],
)
def test_a_time_of_day_is_exact_to_the_nanosecond(text, at):
    assert measure(text) == Measured("time", at, at)


def test_whole_numbers_are_exact_and_those_of_400_digits_are_texts():
    assert measure("9" * 30).first == int("9" * 30)
    assert measure("1" * 399).last == int("1" * 399)
    assert measure("1" * 400) is None
    assert measure("1e400") is None
    assert measure("-1.5e3") == Measured("number", -1500, -1500)


@pytest.mark.parametrize("text", ["", "care", "1970-02-30", "30.02.1970", "1,5", "[1]", "NaN"])
def test_what_is_neither_number_nor_date_nor_time_is_not_measured(text):
    assert measure(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[1, 2]", Range("1", "2", has_high=True)),
        ("[1, 2)", Range("1", "2", has_high=False)),
        ("[1,2]", None),
        ("(1, 2]", None),
        ("[1, 2, 3]", None),
    ],
)
def test_a_range_has_two_ends_and_may_leave_the_second_out(text, found):
    assert read_range(text) == found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("{a}", ("a",)),
        ("{a, b}", ("a", "b")),
        ("{a, b, c}", ("a", "b", "c")),
        ('{"a"}', ("a",)),
        ('{"a, b", c}', ("a, b", "c")),
        ('{c, "a, b"}', ("c", "a, b")),
        ('{"", a}', ("", "a")),
        ('{"}", a}', ("}", "a")),
        ("{a,b}", ("a,b",)),
        ("", None),
        ("{", None),
        ("}", None),
        ("{}", None),
        ("{, }", None),
        ("{a, }", None),
        ("{, a}", None),
        ("a, b}", None),
        ("{a, b", None),
        ("xa, bx", None),
        ('{"a}', None),
        ('{"a"b}', None),
        ('{"a"; b}', None),
        ('{"a", }', None),
    ],
)
def test_a_set_lists_its_values_and_nothing_else_is_a_set(text, values):
    assert read_set(text) == values


def test_a_highest_value_covers_all_numbers_from_there_on():
    ages = RawColumn("age", "integer", ("89", "90", "101"), np.array([89, 90, 101]), np.arange(3))

    covered = covers(["90+", "[89, 90+]", "[70, 89]"], ages, ColumnSpec("quasi"))

    assert covered[:, :3].tolist() == [[0, 1, 1], [1, 1, 1], [1, 0, 0]]
