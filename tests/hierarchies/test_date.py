"""Dates by growing units."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

import shoal
from hierarchies.built import paths
from shoal.errors import HierarchyError


def test_dates_are_generalised_by_growing_units():
    builder = shoal.dates("day", "month", "quarter", "year", "decade", "century")

    assert paths(builder, [date(1969, 12, 31), date(2021, 3, 5)]) == [
        ("1969-12-31", "1969-12-31", "1969-12", "1969-Q4", "1969", "1960s", "1900–1999", "*"),
        ("2021-03-05", "2021-03-05", "2021-03", "2021-Q1", "2021", "2020s", "2000–2099", "*"),
    ]


def test_times_are_generalised_to_their_hour_and_day():
    moment = datetime(1969, 12, 31, 23, 59, 59, 999999)

    assert paths(shoal.dates("hour", "day"), [moment]) == [
        ("1969-12-31 23:59:59.999999", "1969-12-31 23:00", "1969-12-31", "*")
    ]


def test_dates_written_in_a_csv_file_are_dates():
    texts = ["2021-03-05", "2021-11-05"]

    assert paths(shoal.dates("quarter"), texts, is_text=True) == [
        ("2021-03-05", "2021-Q1", "*"),
        ("2021-11-05", "2021-Q4", "*"),
    ]


def test_an_unknown_unit_is_named_with_the_nearest():
    with pytest.raises(HierarchyError, match=r"unknown unit of time 'yaer'; did you mean 'year'\?"):
        shoal.dates("yaer")


@pytest.mark.parametrize("units", [(), ("year", "month"), ("month", "year", "quarter")])
def test_units_must_grow(units):
    with pytest.raises(HierarchyError, match="must grow"):
        shoal.dates(*units)


def test_a_unit_given_twice_does_not_grow():
    with pytest.raises(HierarchyError, match="must grow"):
        shoal.dates("year", "year")


@pytest.mark.parametrize("values", [["a"], [2021], [time(1)]])
def test_dates_need_dates(values):
    with pytest.raises(HierarchyError, match="Column 'x' contains no dates"):
        paths(shoal.dates("year"), values)


def test_the_last_moment_of_the_calendar_has_a_year():
    assert paths(shoal.dates("year"), [datetime(9999, 12, 31, 23, 59, 59, 999999)])


def test_months_of_early_years_have_four_digits_too():
    assert paths(shoal.dates("month", "year"), [date(987, 5, 5)]) == [
        ("0987-05-05", "0987-05", "0987", "*")
    ]
