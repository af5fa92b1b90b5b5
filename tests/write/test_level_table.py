"""A hierarchy that is written can be read again."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import OutputError
from shoal.read.columns import read_column
from shoal.write.level_table import write_level_table


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        (shoal.intervals(5, 10), [3, 14, 7, -2]),
        (shoal.prefix(5), ["02139", "02138", "13053"]),
        (shoal.dates("month", "year"), ["2021-03-05", "2020-01-31"]),
        (shoal.tree({"a;b": ["x", 'q"uoted'], "c": {"d": ["y\nz", "é"]}}), ["x"]),
        (shoal.flat(), ["one", "two"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_written_level_table_is_read_as_the_same_hierarchy(spec, values, tmp_path):
    is_text = isinstance(values[0], str)
    built = spec.build(read_column(pl.Series("a", values), is_text=is_text))

    write_level_table(built, tmp_path / "levels.csv")

    again = shoal.levels(tmp_path / "levels.csv").build(read_column(pl.Series("a", values)))
    assert list(again.paths()) == list(built.paths())


def test_a_folder_that_is_not_there_is_said(tmp_path):
    flat = shoal.flat().build(read_column(pl.Series("a", ["x"])))

    with pytest.raises(OutputError, match="does not exist"):
        write_level_table(flat, tmp_path / "nowhere" / "levels.csv")
