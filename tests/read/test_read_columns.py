"""Columns as read: what kind they are, in which order their values come, and what is missing."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from shoal.errors import InputError
from shoal.read.columns import read_column


def read_texts(*texts: str | None, **how):
    return read_column(pl.Series("x", texts, dtype=pl.String), is_text=True, **how)


@pytest.mark.parametrize(
    ("texts", "kind", "labels"),
    [
        (["10", "9", "-3"], "integer", ("-3", "9", "10")),
        (["1.5", "10", "-2", ".25", "1e2"], "number", ("-2", "0.25", "1.5", "10", "100")),
        (["2021-03-05", "1999-12-31"], "date", ("1999-12-31", "2021-03-05")),
        (
            ["2021-03-05 13:45", "2021-03-05T13:45:30"],
            "datetime",
            ("2021-03-05 13:45:00", "2021-03-05 13:45:30"),
        ),
        (["b", "a", "B"], "text", ("B", "a", "b")),
        (["true", "false"], "text", ("false", "true")),
        (["10:30", "9:15"], "text", ("10:30", "9:15")),
    ],
    ids=lambda value: str(value)[:30],
)
def test_text_is_read_as_what_all_of_it_means(texts, kind, labels):
    column = read_texts(*texts)

    assert (column.kind, column.labels) == (kind, labels)
    assert (column.numbers is None) == (kind == "text")


@pytest.mark.parametrize(
    "texts",
    [
        ["02139", "10001"],
        ["1", "2", "three"],
        ["1,5", "2,5"],
        ["1 ", "2"],
        ["+1", "2"],
        ["1.", "2"],
        ["-", "1"],
        [".", "1"],
        ["nan", "1"],
        ["inf", "1"],
        ["1e400", "1"],
        ["0x10", "1"],
        ["1_000", "2"],
        ["1\n", "2"],
        ["2021-02-30", "2021-03-05"],
        ["2021-3-5", "2021-03-05"],
        ["2021-03-05", "2021-03-05 13:45"],
        ["٢", "3"],
    ],
    ids=str,
)
def test_text_that_is_not_one_kind_throughout_stays_text(texts):
    column = read_texts(*texts)

    assert column.kind == "text"
    assert column.numbers is None
    assert column.labels == tuple(sorted(texts))
    assert not column.has_missing


@pytest.mark.parametrize("texts", [["E10", "E11"], ["1", "2", "e5"], ["1.٢", "2"]], ids=str)
def test_a_value_that_only_looks_like_part_of_a_number_is_never_lost(texts):
    column = read_texts(*texts)

    assert not column.has_missing
    assert len(column.labels) == len(texts)


@pytest.mark.parametrize("texts", [["1٢", "2"], ["2021-03-05T25:45"]], ids=str)
def test_digits_and_times_that_cannot_be_parsed_stay_text(texts):
    assert read_texts(*texts).kind == "text"


def test_leading_zeros_stay_text_as_they_were_written():
    column = read_texts("02139", "10001", "00501")

    assert column.labels == ("00501", "02139", "10001")


def test_a_number_written_in_two_ways_shares_a_code():
    column = read_texts("1.10", "1.1", "11e-1", "2")

    assert column.labels == ("1.1", "2")
    assert column.codes.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("zero", ["-0", "-0.0"])
def test_there_is_one_zero(zero):
    column = read_texts("0", zero)

    assert column.labels == ("0",)
    assert column.codes.tolist() == [0, 0]


def test_a_zero_has_no_sign():
    column = read_column(pl.Series([-0.0, -1.0]))

    assert column.labels == ("-1", "0")
    assert not np.signbit(column.numbers[1])


def test_whole_numbers_beyond_two_to_the_53_stay_exact():
    column = read_texts("9007199254740993", "9007199254740992", "999999999999999999")

    assert column.numbers.dtype == np.int64
    assert column.labels == ("9007199254740992", "9007199254740993", "999999999999999999")


@pytest.mark.parametrize(
    "texts",
    [
        ("9223372036854775806", "9223372036854775807"),
        ("12345678901234567890", "12345678901234567891"),
    ],
)
def test_whole_numbers_of_nineteen_digits_and_more_stay_different(texts):
    assert read_texts(*texts).labels == texts


def test_missing_is_what_the_policy_says_and_null():
    column = read_texts("30", "", "?", None, "4", missing_values=["", "?"])

    assert column.kind == "integer"
    assert column.codes.tolist() == [1, -1, -1, -1, 0]


def test_empty_texts_and_the_given_tokens_are_missing():
    column = read_texts("", "NA", "x", missing_values=["NA"])

    assert column.labels == ("x",)
    assert column.codes.tolist() == [-1, -1, 0]


def test_a_token_is_compared_whole_and_as_text():
    column = read_texts("99", "999", "9", missing_values=["99"])

    assert column.labels == ("9", "999")
    assert column.codes.tolist() == [-1, 1, 0]


def test_a_column_without_any_value_is_text_and_missing():
    for column in (read_texts("", "", ""), read_column(pl.Series("x", [None, None, None]))):
        assert (column.kind, column.labels) == ("text", ())
        assert column.codes.tolist() == [-1, -1, -1]


def test_text_of_a_frame_is_not_searched_for_numbers():
    column = read_column(pl.Series("x", ["10", "9"]))

    assert (column.kind, column.labels) == ("text", ("10", "9"))


@pytest.mark.parametrize(
    ("series", "kind", "labels"),
    [
        (pl.Series([3, 1], dtype=pl.Int8), "integer", ("1", "3")),
        (pl.Series([2**53 + 1, 2**53]), "integer", (str(2**53), str(2**53 + 1))),
        (pl.Series([-(2**63), 2**63 - 1]), "integer", (str(-(2**63)), str(2**63 - 1))),
        (pl.Series([3, 1], dtype=pl.UInt64), "integer", ("1", "3")),
        (pl.Series([2.5, 1.0]), "number", ("1", "2.5")),
        (pl.Series([Decimal("1.10"), Decimal("1.1")]), "number", ("1.1",)),
        (pl.Series([date(2021, 3, 5), date(1969, 1, 1)]), "date", ("1969-01-01", "2021-03-05")),
        (
            pl.Series([datetime(2021, 3, 5, 13, 45), datetime(1969, 1, 1)]),
            "datetime",
            ("1969-01-01 00:00:00", "2021-03-05 13:45:00"),
        ),
        (pl.Series([time(13, 45), time(9, 5)]), "time", ("09:05:00", "13:45:00")),
        (pl.Series([True, False]), "boolean", ("false", "true")),
        (pl.Series([True, True]), "boolean", ("true",)),
        (pl.Series(["b", "a"], dtype=pl.Categorical), "text", ("a", "b")),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "c", "a"])), "text", ("b", "a")),
    ],
    ids=lambda value: str(getattr(value, "dtype", value))[:30],
)
def test_each_type_of_a_frame_has_its_kind_and_order(series, kind, labels):
    column = read_column(series.alias("x"))

    assert (column.kind, column.labels) == (kind, labels)


def test_unsigned_numbers_beyond_int64_stay_different():
    column = read_column(pl.Series("x", [2**64 - 1, 2**64 - 2], dtype=pl.UInt64))

    assert column.labels == (str(2**64 - 2), str(2**64 - 1))


@pytest.mark.parametrize(
    "series",
    [
        pl.Series([1, None, 2]),
        pl.Series([1.5, None, 2.5]),
        pl.Series([1.5, float("nan"), 2.5]),
        pl.Series(["a", None, "b"]),
        pl.Series(["a", "", "b"]),
        pl.Series(["a", None, "b"], dtype=pl.Categorical),
        pl.Series([False, None, True]),
        pl.Series([date(2021, 1, 1), None, date(2021, 1, 2)]),
        pl.Series([time(1), None, time(2)]),
    ],
    ids=lambda series: str(series.dtype),
)
def test_null_and_nan_are_missing(series):
    assert read_column(series.alias("x")).codes.tolist() == [0, -1, 1]


def test_times_of_a_zone_keep_what_its_clocks_showed():
    zoned = pl.Series("x", [datetime(2021, 7, 1, 12)]).dt.replace_time_zone("Europe/Berlin")

    assert read_column(zoned).labels == ("2021-07-01 12:00:00",)


@pytest.mark.parametrize("sign", [1, -1])
def test_infinite_numbers_are_refused_with_column_and_count(sign):
    infinite = sign * float("inf")

    with pytest.raises(InputError, match=r"Column 'pay': 2 records contain an infinite number"):
        read_column(pl.Series("pay", [1.0, infinite, infinite]))


@pytest.mark.parametrize(
    "values", [[[1], [2]], [{"a": 1}, {"a": 2}], [b"1", b"2"], [timedelta(1), timedelta(2)]]
)
def test_what_cannot_be_generalised_is_refused_by_column_and_type(values):
    with pytest.raises(InputError, match=r"Column 'x' (contains|mixes)"):
        read_column(pl.Series("x", values))


@pytest.mark.parametrize("is_text", [True, False])
def test_codes_lead_back_to_the_values(is_text):
    texts = ["pear", "apple", "", "fig", "apple", None, "pear"]

    column = read_column(pl.Series("x", texts), is_text=is_text)

    assert [column.labels[c] if c >= 0 else None for c in column.codes] == [
        text or None for text in texts
    ]
    assert list(column.labels) == sorted(set(column.labels))


def test_reading_two_columns_does_not_mix_their_values():
    first = read_column(pl.Series("x", ["a", "b"], dtype=pl.Categorical))
    second = read_column(pl.Series("y", ["c", "a"], dtype=pl.Categorical))

    assert first.labels == ("a", "b")
    assert second.labels == ("a", "c")
