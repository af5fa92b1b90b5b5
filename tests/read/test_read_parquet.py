"""Parquet files: values keep their types."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from shoal.errors import InputError
from shoal.read.files import read_file

EVERY_TYPE = pl.DataFrame(
    {
        "int8": pl.Series([1, None], dtype=pl.Int8),
        "int64": [2**53 + 1, None],
        "uint64": pl.Series([2**64 - 1, 0], dtype=pl.UInt64),
        "float32": pl.Series([1.5, float("nan")], dtype=pl.Float32),
        "float64": [1.5, None],
        "text": ["02139", ""],
        "boolean": [True, None],
        "date": [date(2021, 3, 5), None],
        "datetime": [datetime(2021, 3, 5, 13, 45), None],
        "zoned": pl.Series([datetime(2021, 3, 5), None]).dt.replace_time_zone("Europe/Berlin"),
        "time": [time(13, 45), None],
        "duration": [timedelta(days=1), None],
        "categorical": pl.Series(["x", None], dtype=pl.Categorical),
        "enum": pl.Series(["low", "high"], dtype=pl.Enum(["low", "high"])),
        "decimal": pl.Series([Decimal("1.10"), None], dtype=pl.Decimal(10, 2)),
        "binary": [b"\x00\xff", None],
        "list": [[1, 2], []],
        "struct": [{"a": 1}, {"a": 2}],
        "nothing": [None, None],
    }
)


def test_every_type_comes_as_it_was_written(tmp_path):
    EVERY_TYPE.write_parquet(tmp_path / "table.parquet")

    source = read_file(tmp_path / "table.parquet")

    assert not source.is_text
    assert_frame_equal(source.frame, EVERY_TYPE)


@pytest.mark.parametrize("name", ["table.parquet", "table.pq", "table.PARQUET", "table.data"])
def test_parquet_is_known_by_its_name_or_its_first_bytes(tmp_path, name):
    pl.DataFrame({"a": [1, 2]}).write_parquet(tmp_path / name)

    assert read_file(tmp_path / name).frame["a"].to_list() == [1, 2]


def test_brackets_in_a_file_name_are_no_pattern(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "table[1].parquet")

    assert read_file(tmp_path / "table[1].parquet").n_records == 1


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1 and then something else PAR1", b"a,b\n1"])
def test_a_file_that_is_no_whole_parquet_is_refused(tmp_path, content):
    (tmp_path / "table.parquet").write_bytes(content)

    with pytest.raises(InputError, match="cannot be read as parquet"):
        read_file(tmp_path / "table.parquet")


def test_a_parquet_file_without_records_is_refused(tmp_path):
    EVERY_TYPE.clear().write_parquet(tmp_path / "table.parquet")

    with pytest.raises(InputError, match="no records"):
        read_file(tmp_path / "table.parquet")


def test_a_parquet_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read_file(tmp_path / "table.parquet")


def test_categories_that_have_an_order_in_the_file_keep_it(tmp_path):
    pd = pytest.importorskip("pandas")
    levels = ["low", "mid", "high", "extreme"]
    given = pd.DataFrame(
        {
            "risk": pd.Categorical(["mid", "high", None, "low"], categories=levels, ordered=True),
            "town": pd.Categorical(["b", "a", "b", "a"]),
        }
    )
    given.to_parquet(tmp_path / "people.parquet")

    frame = read_file(tmp_path / "people.parquet").frame

    assert frame["risk"].dtype == pl.Enum(levels)
    assert frame["risk"].to_list() == ["mid", "high", None, "low"]
    assert frame["town"].dtype == pl.Categorical
