"""Dates as people write them, ages from dates of birth, and a highest value."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import InputError, PolicyError
from shoal.hierarchies.levels import levels
from shoal.read.dates import FORMATS, FORMS, Ambiguous, form_found, iso_dates
from shoal.read.said import format_in, read_as_said, said_texts
from shoal.types.schema import ColumnSpec
from tiers import examples

WAYS = {
    "YYYY-MM-DD": "%Y-%m-%d",
    "YYYY/MM/DD": "%Y/%m/%d",
    "DD.MM.YYYY": "%-d.%-m.%Y",
    "DD-Mon-YYYY": "%d-%b-%Y",
    "Mon-DD-YYYY": "%B %-d, %Y",
    "DD/MM/YYYY": "%d/%m/%Y",
    "MM/DD/YYYY": "%-m/%-d/%Y",
    "DD-MM-YYYY": "%d-%m-%Y",
    "MM-DD-YYYY": "%m-%d-%Y",
    "YYYYMMDD": "%Y%m%d",
}


def read(texts, **said):
    series = pl.Series("born", texts, dtype=pl.String)
    return read_as_said(series, ColumnSpec("quasi", **said), is_text=True)


@examples(thorough=100)
@given(
    days=st.lists(st.dates(date(1000, 1, 1)), min_size=1, max_size=5),
    name=st.sampled_from(FORMATS),
)
def test_every_day_is_read_in_the_format_that_is_said(days, name):
    texts = [day.strftime(WAYS[name]) for day in days]

    column = read(texts, format=name)

    assert column.kind == "date"
    assert [column.labels[code] for code in column.codes] == [str(day) for day in days]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("3/9/1993 2:05 PM", "1993-03-09 14:05:00"),
        ("3/9/1993 12:05 am", "1993-03-09 00:05:00"),
        ("3/9/1993 12:05 p.m.", "1993-03-09 12:05:00"),
        ("03/09/1993 14:05:06", "1993-03-09 14:05:06"),
        ("3/9/1993 13:05 PM", None),
        ("3/9/1993 24:00", None),
        ("2/30/1993", None),
        ("13/1/1993", None),
        ("3/9/93", None),
        ("3/9/1993 ", None),
    ],
)
def test_a_time_may_follow_on_either_clock(text, iso):
    assert iso_dates(pl.Series([text]), FORMS["MM/DD/YYYY"]).to_list() == [iso]


@pytest.mark.parametrize(
    "texts",
    [
        ["2021-03-05T13:45:00Z"],
        ["2021-03-05 13:45+02:00"],
        ["2021-03-05T13:45:00.000-0500"],
        ["5-Mar-2021 1:45 PM"],
        ["05.03.2021 13:45"],
    ],
    ids=str,
)
def test_moments_are_read_by_the_clock_of_their_place(texts):
    column = read(texts)

    assert (column.kind, column.labels) == ("datetime", ("2021-03-05 13:45:00",))


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["3/5/2021", "3/13/1993"], "MM/DD/YYYY"),
        (["3/5/2021", "13/3/1993"], "DD/MM/YYYY"),
        (["03-05-2021", "03-13-1993"], "MM-DD-YYYY"),
        (["3/5/2021", "12/12/1993"], Ambiguous("DD/MM/YYYY", "MM/DD/YYYY")),
        (["3/13/2021", "13/3/1993"], None),
        (["3/5/2021", "3/13/1993 10:00"], None),
        (["20210305"], None),
        ([], None),
    ],
    ids=str,
)
def test_a_day_above_twelve_decides_which_number_is_the_month(texts, found):
    form = form_found(pl.Series(texts, dtype=pl.String))

    assert form == (FORMS[found] if isinstance(found, str) else found)


def test_dates_that_nothing_decides_are_refused_unless_the_policy_says_the_format():
    with pytest.raises(PolicyError, match=r"may be DD/MM/YYYY or MM/DD/YYYY: no day is above 12"):
        read(["3/5/2021", "12/12/1993"])

    assert read(["3/5/2021"], format="DD/MM/YYYY").labels == ("2021-05-03",)


def test_missing_values_do_not_hide_a_format():
    texts = pl.Series("born", [None, "", "?", "3/29/1993"])

    assert format_in(texts, ["?"]) == "MM/DD/YYYY"


def test_values_that_are_not_in_the_format_are_counted_and_never_shown():
    with pytest.raises(InputError, match="2 records have values that are not a date") as caught:
        read(["3/29/1993", "29/3/1993", "soon"], format="MM/DD/YYYY")

    assert "soon" not in str(caught.value)


def test_dates_of_a_frame_need_a_format_to_be_read_from_text_or_numbers():
    texts, numbers = pl.Series("born", ["3/29/1993"]), pl.Series("born", [19930329])

    assert read_as_said(texts, ColumnSpec("quasi")).kind == "text"
    assert read_as_said(texts, ColumnSpec("quasi", format="MM/DD/YYYY")).kind == "date"
    assert read_as_said(numbers, ColumnSpec("quasi", format="YYYYMMDD")).labels == ("1993-03-29",)


def test_codes_that_look_like_dates_are_left_to_their_level_table():
    column = read(["3/5/2021"], hierarchy=levels([("3/5/2021", "old")]))

    assert column.labels == ("3/5/2021",)


@examples(thorough=100)
@given(born=st.dates(date(1900, 1, 1), date(2026, 6, 30)))
def test_an_age_is_the_number_of_birthdays_since(born):
    birthdays = [(year, born.month, born.day) for year in range(born.year + 1, 2027)]
    n_birthdays = sum(birthday <= (2026, 6, 30) for birthday in birthdays)

    assert read([str(born)], age_on="2026-06-30").labels == (str(n_birthdays),)


def test_ages_come_from_dates_of_any_type():
    spec = ColumnSpec("quasi", age_on="2020-01-01")

    assert read_as_said(pl.Series("b", [date(1990, 1, 2)]), spec).labels == ("29",)
    assert read_as_said(pl.Series("b", [datetime(1990, 1, 1, 23)]), spec).labels == ("30",)
    assert read(["1/29/1990"], age_on="2020-01-01").kind == "integer"


def test_people_who_are_not_born_yet_have_no_age():
    with pytest.raises(InputError, match=r"1 record.*after the day of `age_on`"):
        read(["2030-01-01", "1990-01-01"], age_on="2020-01-01")


def test_numbers_from_the_highest_value_on_are_one_value():
    column = read(["89", "90", "", "104", "3"], top=90.0)

    assert column.labels == ("3", "89", "90+")
    assert column.numbers.tolist() == [3, 89, 90]
    assert column.codes.tolist() == [1, 2, -1, 2, 0]


def test_a_highest_value_needs_numbers():
    with pytest.raises(PolicyError, match="`top` needs numbers, but the column is text"):
        read(["a"], top=90.0)


def test_later_records_keep_text_that_is_not_a_date():
    spec = ColumnSpec("quasi", format="MM/DD/YYYY", age_on="2020-01-01")
    texts = pl.Series(["3/29/1990", "1990-03-29", "45", "?", None])

    found = said_texts(texts, spec, ["?"], "integer").to_list()

    assert found == ["29", "29", "(not a date)", "?", None]
