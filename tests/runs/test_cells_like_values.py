"""Values that look like cells get a note; ordered categories are cut and listed in their order."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal

ORDER = ["low", "mid", "high"]


@pytest.mark.parametrize("value", ["{a, b}", "*", "[1, 2]", "[1, 2)"])
def test_a_value_that_is_written_as_a_cell_is_noted(value):
    table = pl.DataFrame({"x": [value] * 3 + ["a", "b"] * 3})

    release = shoal.anonymize(table, quasi=["x"], privacy=[shoal.KAnonymity(2)])

    (note,) = release.notes
    assert "'x': 1 value is written as a release writes a set, a range or `*`" in note
    assert value not in note.replace("`*`", "")


def listing(k):
    """A policy under which sets list all values, also those that few people have."""
    columns = {"x": {"role": "quasi", "rare": "list"}}
    return shoal.Policy.of_mapping(
        {"columns": columns, "privacy": [{"model": "k-anonymity", "k": k}]}
    )


def ordered(library):
    values = ["low", "mid", "mid", "high"] * 3
    if library == "pandas":
        return pd.DataFrame({"x": pd.Categorical(values, categories=ORDER, ordered=True)})
    if library == "polars":
        return pl.DataFrame({"x": values}, schema={"x": pl.Enum(ORDER)})
    codes = pa.array([ORDER.index(value) for value in values])
    return pa.table({"x": pa.DictionaryArray.from_arrays(codes, pa.array(ORDER), ordered=True)})


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_ordered_categories_are_listed_in_their_order(library):
    release = listing(12).anonymize(ordered(library))

    assert set(release.published["x"]) == {"{low, mid, high}"}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_ordered_categories_are_cut_in_their_order(library):
    release = listing(4).anonymize(ordered(library))

    assert "{low, high}" not in set(release.published["x"])


def test_unordered_categories_stay_sorted_by_letters():
    frame = pd.DataFrame({"x": pd.Categorical(["b", "a"] * 3, categories=["b", "a"])})

    release = listing(6).anonymize(frame)

    assert set(release.published["x"]) == {"{a, b}"}
