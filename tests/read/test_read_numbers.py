"""Numbers as people write them: decimal commas, and signs between thousands."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.numbers import written
from shoal.errors import InputError
from shoal.read.numbers import plain_numbers
from shoal.read.said import read_as_said, said_texts
from shoal.types.notation import DECIMALS, THOUSANDS, Notation
from shoal.types.schema import ColumnSpec
from tiers import examples

NOTATIONS = [Notation(d, t) for d in DECIMALS for t in ("", *THOUSANDS) if d != t]


def read(texts, spec=None, **said):
    series = pl.Series("pay", texts, dtype=pl.String)
    return read_as_said(series, spec or ColumnSpec("quasi", **said), is_text=True)


@examples(thorough=200)
@given(
    whole=st.integers(-(10**12), 10**12),
    fraction=st.text("0123456789", max_size=4),
    notation=st.sampled_from(NOTATIONS),
)
def test_a_number_is_the_same_in_every_notation(whole, fraction, notation):
    text = written(whole, fraction, notation.decimal, notation.thousands)
    plain = written(whole, fraction, ".", "")

    assert notation.plain(text) == plain
    assert plain_numbers(pl.Series([text]), notation).to_list() == [plain]


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        (Notation(","), "1.5"),
        (Notation(","), "1.234"),
        (Notation(",", "."), "1.5"),
        (Notation(",", "."), "12.34.567"),
        (Notation(",", "."), "1.2345"),
        (Notation(",", "."), "007"),
        (Notation(".", ","), "1,5"),
        (Notation(".", ","), ",234"),
        (Notation(",", " "), "1  234"),
        (Notation(","), "1,"),
        (Notation(","), "unknown"),
    ],
    ids=str,
)
def test_what_is_written_otherwise_is_no_number(notation, text):
    assert notation.plain(text) is None
    assert plain_numbers(pl.Series([text]), notation).to_list() == [None]


@pytest.mark.parametrize("sign", ["\u00a0", "\u2009", "\u202f", " "], ids=ascii)
def test_all_spaces_between_thousands_are_alike(sign):
    assert read([f"1{sign}234,5"], decimal=",", thousands=" ").labels == ("1234.5",)


def test_a_column_that_says_how_its_numbers_are_written_has_only_such():
    with pytest.raises(InputError, match=r"'pay': 2 records have values that are not a number "
                                         r"written with a decimal comma\."):  # fmt: skip
        read(["1,5", "1.5", "unknown"], decimal=",")


def test_of_a_table_with_decimal_commas_only_columns_that_fit_are_numbers():
    spec = ColumnSpec("quasi", of_table=Notation(","))

    assert read(["1,5", "12"], spec).kind == "number"
    assert read(["1.5", "2.25"], spec).labels == ("1.5", "2.25")
    assert read(["a", "1,5"], spec).kind == "text"
    assert read(["05.03.2021"], spec).kind == "date"


def test_texts_of_a_frame_are_numbers_where_the_column_or_a_comma_says_so():
    texts = pl.Series("pay", ["12", "13"])

    assert read_as_said(texts, ColumnSpec("quasi")).kind == "text"
    assert read_as_said(texts, ColumnSpec("quasi", of_table=Notation(","))).kind == "text"
    assert read_as_said(texts, ColumnSpec("quasi", decimal=".")).kind == "integer"
    commas = pl.Series("pay", ["12", "13,5"])
    assert read_as_said(commas, ColumnSpec("quasi", of_table=Notation(","))).kind == "number"


def test_numbers_of_a_frame_stay_what_they_are():
    pay = pl.Series("pay", [1.5, 1234.25])

    assert read_as_said(pay, ColumnSpec("quasi", decimal=",", thousands=".")).labels == (
        "1.5",
        "1234.25",
    )


def test_missing_values_need_not_be_numbers():
    series = pl.Series("pay", ["1,5", "?", None, ""])

    column = read_as_said(series, ColumnSpec("quasi", decimal=","), missing_values=["?"])

    assert column.codes.tolist() == [0, -1, -1, -1]


def test_later_numbers_that_are_written_otherwise_have_no_place():
    spec = ColumnSpec("quasi", decimal=",", thousands=".")
    later = pl.Series(["1.234,5", "1.5", "?", None])

    assert said_texts(later, spec, ["?"], "number").to_list() == [
        "1234.5", "(not a number)", "?", None,
    ]  # fmt: skip
    assert said_texts(later, spec, ["?"], "text").to_list() == later.to_list()
