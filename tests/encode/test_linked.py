"""Records that a pseudonym links must not differ in a quasi-identifier."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode.linked import n_varying, refuse_varying
from shoal.errors import PolicyError
from shoal.read.columns import read_column

RECORDS = st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 4)), max_size=20)


def naive_n_varying(records: list[tuple[int, int]]) -> int:
    codes_of: dict[int, set[int]] = {}
    for code, person in records:
        codes_of.setdefault(person, set()).add(code)
    return sum(len(codes) > 1 for codes in codes_of.values())


@given(RECORDS)
def test_people_in_whom_a_column_differs_are_counted(records):
    codes, person = np.array(records, dtype=np.int32).reshape(-1, 2).T

    assert n_varying(codes, person) == naive_n_varying(records)


def test_a_column_that_differs_is_refused_by_its_name_and_a_count():
    same = read_column(pl.Series("sex", ["secret-f", "secret-f", "secret-m", "secret-m"]))
    age = read_column(pl.Series("age", ["secret-1", "secret-2", "secret-3", None]))
    person = np.array([0, 0, 1, 1], dtype=np.int32)

    refuse_varying([same], person, "patient")
    with pytest.raises(PolicyError) as refused:
        refuse_varying([same, age], person, "patient")

    assert "column 'age' differs between the records of 2 people" in str(refused.value)
    assert "keep the first" in str(refused.value)
    assert "'patient' the role identifier" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert refused.value.path == ("columns", "age")


def test_one_person_is_one_person():
    age = read_column(pl.Series("age", [30, 31]))

    with pytest.raises(PolicyError, match="the records of 1 person,"):
        refuse_varying([age], np.zeros(2, dtype=np.int32), "patient")
