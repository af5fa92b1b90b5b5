"""Whose record each one is: the two codes that number people, against a dictionary."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.kernels import numbered as by_first_appearance
from naive.people import numbered
from shoal.encode.people import people_of
from shoal.errors import InputError
from shoal.read.source import Source
from shoal.verify.verify import number_people
from tiers import examples

NAMES = ["ann", "Ann", "bob ", "bob", "", "?", None]
ROWS = st.lists(st.tuples(*[st.sampled_from(NAMES)] * 2), min_size=1, max_size=30)


def source_of(rows, n_columns):
    return Source(pl.DataFrame({str(i): [row[i] for row in rows] for i in range(n_columns)}))


@pytest.mark.parametrize("missing", [("",), ("", "?"), ("?",)])
@pytest.mark.parametrize("n_columns", [1, 2])
@given(rows=ROWS)
@examples(thorough=80)
def test_people_are_numbered_in_the_order_of_their_values(n_columns, missing, rows):
    source, names = source_of(rows, n_columns), [str(i) for i in range(n_columns)]

    people = people_of(source, names, missing_values=missing)

    expected = numbered([row[:n_columns] for row in rows], ("", *missing))
    assert people.n_people == len(set(expected))
    assert people.of_record.tolist() == expected
    unknown = {None, "", *missing}
    assert people.is_known.tolist() == [not unknown & set(row[:n_columns]) for row in rows]


@pytest.mark.parametrize("missing", [("",), ("", "?"), ("?",)])
@pytest.mark.parametrize("n_columns", [1, 2])
@given(rows=ROWS)
@examples(thorough=80)
def test_the_verifier_tells_the_same_people_apart(n_columns, missing, rows):
    found = number_people(source_of(rows, n_columns).frame, missing).tolist()

    expected = numbered([row[:n_columns] for row in rows], ("", *missing))
    assert by_first_appearance(found) == by_first_appearance(expected)


@pytest.mark.parametrize(
    "values",
    [
        [3, 1, None, 3, None],
        [0.5, float("nan"), None, 0.5, float("nan")],
        [0.0, -0.0, 1e300, 0.1 + 0.2, 0.3],
        [True, False, None, True],
        [datetime.date(2000, 2, 1), None, datetime.date(1999, 1, 1), datetime.date(2000, 2, 1)],
        [None, None, None],
        ["007", "7", "7.0", "07", "7"],
    ],
    ids=["integers", "floats", "zeros", "booleans", "dates", "nothing", "digits"],
)
def test_both_number_people_of_every_type_alike(values):
    source = Source(pl.DataFrame({"id": values}))

    found = number_people(source.frame).tolist()

    people = people_of(source, ["id"])
    assert by_first_appearance(found) == by_first_appearance(people.of_record.tolist())


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["", "b", "a"])])
def test_categories_are_people_too(dtype):
    source = Source(pl.DataFrame({"id": pl.Series(["a", "b", None, "a", ""], dtype=dtype)}))

    people = people_of(source, ["id"])

    assert people.n_people == 4
    found = number_people(source.frame).tolist()
    assert by_first_appearance(found) == by_first_appearance(people.of_record.tolist())


def test_columns_may_have_names_that_polars_takes_for_patterns():
    source = Source(pl.DataFrame({"^.*$": ["a", "a", "b"], "*": ["x", "y", "x"]}))

    assert people_of(source, ["^.*$", "*"]).n_people == 3
    assert len(set(number_people(source.frame).tolist())) == 3


def test_records_without_a_person_are_noted_as_people_of_their_own():
    source = Source(pl.DataFrame({"id": ["a", None, "a"], "ward": ["1", "2", ""]}))

    (note,) = people_of(source, ["id", "ward"]).notes

    assert note.startswith("2 records do not say whose they are: one of the columns 'id', 'ward'")
    assert "Each counts as its own person" in note
    assert people_of(source, ["id", "ward"], missing="suppress").notes == ()


def test_records_without_a_person_are_an_error_where_the_policy_says_so():
    source = Source(pl.DataFrame({"id": ["a", None, "a"]}))

    with pytest.raises(InputError, match="1 record of the table does not say whose it is"):
        people_of(source, ["id"], missing="error")


@pytest.mark.parametrize(
    ("values", "n_alike"),
    [
        (["Ann", "ann", "bob"], 1),
        (["ann", "ann ", " ANN"], 2),
        (["ann", "bob", None], 0),
        ([1, 2, 3], 0),
        (["007", "7", "7.0", "70"], 2),
        (["0", "00", "0.5", "5"], 1),
        (["Ren\u00e9", "Rene\u0301", "Ren\u200be\u0301"], 2),
    ],
)
def test_people_who_differ_in_case_spaces_or_writing_alone_are_noted(values, n_alike):
    notes = people_of(Source(pl.DataFrame({"id": values})), ["id"]).notes

    found = [note for note in notes if "only in case, in spaces" in note]
    assert len(found) == (n_alike > 0)
    assert all(f"'id': {n_alike} value" in note for note in found)


def test_no_message_shows_who_it_is_about():
    source = Source(pl.DataFrame({"id": ["Ann", "ann", None]}))

    notes = people_of(source, ["id"]).notes

    assert len(notes) == 2
    assert not any("ann" in note.lower() for note in notes)
    assert np.unique(people_of(source, ["id"]).of_record).tolist() == [0, 1, 2]
