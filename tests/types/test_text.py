"""Which number a text is: everybody gives the same answer."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.encode.axes import axis_of
from shoal.errors import InputError, NoSeverity, PolicyError, UnknownValues
from shoal.hierarchies.levels import Levels, levels
from shoal.policy.fields import number
from shoal.read.columns import read_column
from shoal.read.kinds import canonical
from shoal.read.leaves import UNKNOWN, leaf_of_value
from shoal.read.sensitive import coded_as, sensitive_of
from shoal.read.severities import severity
from shoal.saved_recoding.fixed import Fixed
from shoal.saved_recoding.sql_columns import steps_of
from shoal.types.schema import ColumnSpec
from shoal.types.sensitive import SensitiveColumn
from shoal.types.text import KnownValues, number_of, number_or_day

NUMBERS = {
    "1_000": None,
    "007": None,
    "nan": None,
    "inf": None,
    " 7 ": None,
    "1e3": 1000.0,
    ".5": 0.5,
    "5.": None,
    "+5": None,
    "１２": None,
    "1e400": None,
    "7\n": None,
    "-0": 0,
    "17": 17,
    "17.50": 17.5,
}
LARGE = 100_000  # above all of them


def looks_like(text):
    """What Python makes of a text, which is more than people mean."""
    number = float(text)
    return number if math.isfinite(number) else 1.0


def listing(text):
    return Levels(((text, "low", "*"), (str(LARGE), "high", "*")))


def numeric(*values):
    return read_column(pl.Series("x", values, dtype=pl.Float64))


def is_read_as_a_number(text):
    return read_column(pl.Series([text]), is_text=True).kind in ("integer", "number")


def is_of_the_kind_number(text):
    return canonical([text], "number") != [None]


def is_the_leaf_of_its_number(text):
    return leaf_of_value(numeric(looks_like(text)), (text,)).tolist() != [UNKNOWN]


def is_the_value_of_an_original(text):
    original = SensitiveColumn("x", (text,), None, None, False)
    try:
        return coded_as(numeric(looks_like(text)), original).codes.tolist() == [0]
    except InputError:
        return False


def is_graded_by_the_severity_of_its_number(text):
    graded = severity({repr(looks_like(text)): 3}).severities
    try:
        column = read_column(pl.Series("x", [text]))
        return sensitive_of(column, ColumnSpec("sensitive", severity=graded)).column.severity == [3]
    except NoSeverity:
        return False


def is_a_severity(text):
    try:
        return severity({"Flu": text}) is not None
    except PolicyError:
        return False


def is_measured(text):
    return not np.isnan(SensitiveColumn("x", (text,), None, None, False).measured[0])


def is_measured_as_a_leaf(text):
    spec = ColumnSpec("quasi", hierarchy=listing(text))
    return axis_of(numeric(LARGE), spec).numbers is not None


def is_put_in_order_as_a_leaf(text):
    return levels([(str(LARGE), "high"), (text, "low")]).paths[0][0] == text


def is_the_leaf_of_its_number_in_a_recoding(text):
    column = Fixed(listing(text), "number").read_as(pl.Series([looks_like(text)]), [])
    return column.labels == (text,)


def is_the_leaf_of_its_number_in_sql(text):
    label = repr(looks_like(text)).removesuffix(".0")
    return (label, text) in steps_of(
        "x", Fixed(listing(text), "number"), 0, 1, ColumnSpec("quasi")
    ).pairs


def is_a_number_of_a_policy(text):
    try:
        return number(text, ()) is not None
    except PolicyError:
        return False


CALLERS = [
    is_read_as_a_number,
    is_of_the_kind_number,
    is_the_leaf_of_its_number,
    is_the_value_of_an_original,
    is_graded_by_the_severity_of_its_number,
    is_a_severity,
    is_measured,
    is_measured_as_a_leaf,
    is_put_in_order_as_a_leaf,
    is_the_leaf_of_its_number_in_a_recoding,
    is_the_leaf_of_its_number_in_sql,
    is_a_number_of_a_policy,
]


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_is_what_people_write_as_one(text):
    assert number_of(text) == NUMBERS[text]


@pytest.mark.parametrize("text", NUMBERS)
@pytest.mark.parametrize("caller", CALLERS)
def test_everybody_takes_the_same_texts_for_numbers(caller, text):
    assert caller(text) == (NUMBERS[text] is not None)


@given(st.integers())
def test_whole_numbers_are_exact_however_large(whole):
    found = number_of(str(whole))

    assert found is None if abs(whole) > 10**309 else (found, type(found)) == (whole, int)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_the_one_that_was_written(written):
    assert number_of(repr(written)) == written


@pytest.mark.parametrize(
    ("text", "day"), [("0001-01-02", 2), ("2021-02-30", None), ("02.01.0001", None)]
)
def test_a_day_is_measured_if_it_exists(text, day):
    found = number_or_day(text)

    assert found == day if day else math.isnan(found)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("9007199254740993", 1),  # which no floating-point number is
        ("9007199254740992", 0),
        ("9007199254740994", None),
        ("1e16", 2),
        ("1e+23", 3),
        ("17", 4),
        ("x", 5),
        ("y", None),
    ],
)
def test_a_value_is_found_by_its_letters_or_by_its_number(value, place):
    known = ["9007199254740992", "9007199254740993", "10000000000000000", f"{10**23}", "17.0", "x"]

    assert KnownValues(known).place(value) == place


def test_a_value_is_found_by_its_letters_alone_where_values_are_not_numbers():
    known = KnownValues(["17.0", "x"], by_number=False)

    assert [known.place(value) for value in ("17.0", "17", "x")] == [0, None, 1]


def test_a_whole_number_is_not_taken_for_a_leaf_that_is_nearly_the_same():
    column = read_column(pl.Series("x", [2**53 + 1]))

    assert leaf_of_value(column, (str(2**53),)).tolist() == [UNKNOWN]
    with pytest.raises(UnknownValues):
        shoal.anonymize(
            pl.DataFrame({"x": [2**53 + 1] * 2}),
            quasi={"x": shoal.levels([(str(2**53), "a")])},
            privacy=[shoal.KAnonymity(2)],
        )


def test_a_severity_of_a_number_does_not_grade_codes_that_look_like_it():
    people = pl.DataFrame({"age": [30, 30, 31, 31], "ill": ["7", "007", "1000", "1_000"]})
    graded = shoal.severity({"7": 10, "1000": 1})

    with pytest.raises(NoSeverity, match="2 values"):
        shoal.anonymize(
            people, quasi=["age"], sensitive={"ill": graded}, privacy=[shoal.KAnonymity(2)]
        )


@pytest.mark.parametrize("algorithm", ["tgc", "k-member-p"])
def test_a_sensitive_number_is_measured_at_its_own_leaf_however_it_is_written(algorithm):
    """1e16 is the leaf next to 2e16, far from 1; read as leaf 1 it would look diverse there."""
    near, far = "10000000000000000", "20000000000000000"
    tree = shoal.tree({"small": ["1", "2"], "large": [near, far]})
    numbers = pl.DataFrame({"age": range(20), "pay": [1.0, 2.0, 1e16, 2e16] * 5})
    texts = numbers.with_columns(pay=pl.Series(["1", "2", near, far] * 5))
    how = {"quasi": ["age"], "sensitive": {"pay": tree}, "privacy": [shoal.KAnonymity(4)]}

    releases = [shoal.anonymize(t, algorithm=algorithm, **how) for t in (numbers, texts)]

    protections = [release.summary()["protection"] for release in releases]
    assert protections[0] == protections[1]
