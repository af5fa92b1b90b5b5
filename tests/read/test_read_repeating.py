"""Identifiers that repeat."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.read.repeating import repeating_identifiers
from shoal.read.source import Source
from shoal.types.repeating import Repeating
from shoal.types.schema import ColumnSpec, Schema


def repeating(frame: pl.DataFrame, *, missing_values=("",), counts=None, **roles: str):
    schema = Schema({name: ColumnSpec(roles.get(name, "identifier")) for name in frame.columns})
    return repeating_identifiers(Source(frame, counts=counts), schema, missing_values)


def test_a_value_that_two_records_share_makes_an_identifier_repeat():
    frame = pl.DataFrame({"once": [1, 2, 3], "twice": ["a", "b", "a"]})

    assert repeating(frame) == (Repeating("twice", 2, 3),)


@pytest.mark.parametrize("role", ["quasi", "sensitive", "keep", "drop"])
def test_columns_that_are_not_identifiers_may_repeat(role):
    assert repeating(pl.DataFrame({"a": [1, 1]}), a=role) == ()


@pytest.mark.parametrize(
    "values",
    [
        ["a", None, None, "b"],
        ["a", "", "", "b"],
        ["a", "?", "?", "b"],
        [1, None, None, 2],
        [1.0, float("nan"), float("nan"), None],
        pl.Series(["a", "?", "?", None], dtype=pl.Categorical),
        pl.Series(["a", "?", "?", ""], dtype=pl.Enum(["a", "?", ""])),
        [None, None, None, None],
    ],
)
def test_missing_values_are_not_shared(values):
    assert repeating(pl.DataFrame({"a": values}), missing_values=("?",)) == ()


def test_records_without_a_value_are_not_counted():
    frame = pl.DataFrame({"a": ["x", "x", None, "", "y"]})

    assert repeating(frame) == (Repeating("a", 2, 3),)


def test_a_row_that_stands_for_two_records_repeats():
    frame = pl.DataFrame({"a": ["x", "y", None]})

    assert repeating(frame, counts=np.array([1, 1, 7])) == ()
    assert repeating(frame, counts=np.array([1, 2, 7])) == (Repeating("a", 2, 3),)


@pytest.mark.parametrize("dtype", [pl.Object, None])
def test_values_that_cannot_be_compared_are_passed_over(dtype):
    values = pl.Series("a", [{"x"}, {"x"}], dtype=pl.Object) if dtype else pl.Series("a", [b"x"])

    assert repeating(pl.DataFrame({"a": values})) == ()


@pytest.mark.parametrize("name", ["*", "^a.*$", ""])
def test_a_name_that_polars_would_take_for_a_pattern_is_a_name(name):
    assert repeating(pl.DataFrame({name: [1, 1]})) == (Repeating(name, 1, 2),)
