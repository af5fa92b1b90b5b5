"""Files are known by what is in them, and what Shoal does not read is called by its name."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest

from shoal.errors import InputError
from shoal.read.files import read_file

PEOPLE = pl.DataFrame({"age": [31, 52], "sex": ["m", None]})
RECORDS = [{"diagnosis": "C50.9", "age": 11.0}, {"diagnosis": "I10", "age": 12.0}]
LINES = "\n".join(json.dumps(record) for record in RECORDS)


@pytest.mark.parametrize(
    ("content", "called"),
    [
        (json.dumps(RECORDS).encode(), "JSON"),
        (json.dumps(RECORDS, indent=2).encode(), "JSON"),
        (json.dumps({"age": [1, 2]}).encode(), "JSON"),
        (LINES.encode(), "JSON"),
        (b'\xef\xbb\xbf[["C50.9", 11]]', "JSON"),
        (gzip.compress(LINES.encode(), mtime=0), "JSON"),
        (b"<!DOCTYPE html><table>", "HTML"),
        (b'<?xml version="1.0"?><Workbook>', "XML"),
        (b"(\xb5/\xfd\x04C50.9", "compressed with zstd"),
        (b"BZh91AYC50.9", "compressed with bzip2"),
        (b"SQLite format 3\x00C50.9", "an SQLite database"),
        (b"FEA1C50.9", "a Feather file of version 1"),
        (gzip.compress(b"PAR1C50.9", mtime=0), "parquet"),
    ],
)
def test_what_is_not_a_table_of_ours_is_called_by_its_name_without_a_cell(
    tmp_path, content, called
):
    path = tmp_path / "table.csv"
    path.write_bytes(content)

    with pytest.raises(InputError, match=called) as caught:
        read_file(path)

    assert "C50.9" not in str(caught.value)
    assert "diagnosis" not in str(caught.value)


@pytest.mark.parametrize("name", ["table.arrow", "table.feather", "table.csv", "table"])
def test_an_arrow_file_is_read_whatever_its_name(tmp_path, name):
    PEOPLE.write_ipc(tmp_path / name)

    assert read_file(tmp_path / name).frame.equals(PEOPLE)


@pytest.mark.parametrize("ending", [".xlsx", ".sav", ".dta", ".feather"])
def test_a_name_that_promises_another_kind_is_refused(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    path.write_text("age,sex\n31,m\n")

    with pytest.raises(InputError, match=r"is named like a.*, but is not one"):
        read_file(path)


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_a_cut_file_is_refused_as_incomplete(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    PEOPLE.write_parquet(path) if ending == ".parquet" else PEOPLE.write_ipc(path)
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(InputError, match="It may be incomplete"):
        read_file(path)
