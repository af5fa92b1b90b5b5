"""Tables in workbooks of Excel."""

from __future__ import annotations

import datetime as dt
import zipfile

import polars as pl
import pytest
import xlsxwriter

import shoal.read.limits as limits
from shoal.errors import InputError
from shoal.read.files import read_file
from shoal.write.files import write_file

HEADER = ["age", "sex", "born", "pay"]
PEOPLE = [
    [31, "m", dt.date(1990, 1, 2), 1.5],
    [52, "f", dt.date(1970, 3, 4), 2],
    [47, None, None, 3],
]


def workbook(path, *sheets):
    """A workbook with these rows in its sheets."""
    book = xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"})
    for rows in sheets:
        sheet = book.add_worksheet()
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, row)
    book.close()
    return path


def test_a_workbook_is_read_with_types_whatever_its_name(tmp_path):
    source = read_file(workbook(tmp_path / "staff.dat", [], [HEADER, *PEOPLE]))

    assert source.frame.dtypes == [pl.Int64, pl.String, pl.Date, pl.Float64]
    assert source.frame.rows() == [tuple(row) for row in PEOPLE]


def test_a_word_among_dates_or_numbers_is_not_lost(tmp_path):
    rows = [["age", "born"], [31, dt.date(1990, 1, 2)], ["unknown", "n/a"], [7, None]]

    source = read_file(workbook(tmp_path / "staff.xlsx", rows))

    assert source.frame["age"].to_list() == ["31", "unknown", "7"]
    assert source.frame["born"].to_list()[1:] == ["n/a", None]


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([["Staff of 2020"], HEADER, *PEOPLE], "column 2 of 4 has no name"),
        ([["age", "age"], [1, 2]], "columns 1 and 2 of 2 have the same name"),
        (PEOPLE, "looks like a record"),
        ([HEADER, PEOPLE[0], [], PEOPLE[1]], "1 row below the header is blank"),
        ([], "the workbook is empty"),
    ],
)
def test_a_sheet_that_is_not_a_table_is_refused(tmp_path, rows, wrong):
    with pytest.raises(InputError, match=wrong):
        read_file(workbook(tmp_path / "staff.xlsx", rows))


def test_several_sheets_with_cells_are_refused(tmp_path):
    with pytest.raises(InputError, match="2 sheets with cells"):
        read_file(workbook(tmp_path / "staff.xlsx", [HEADER, *PEOPLE], [["a remark"]]))


def test_a_damaged_workbook_and_another_zip_are_refused(tmp_path):
    path = workbook(tmp_path / "staff.xlsx", [HEADER, *PEOPLE])
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="damaged or incomplete"):
        read_file(path)

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", "age\n31\n")
    with pytest.raises(InputError, match="is a zip file"):
        read_file(path)


def test_a_workbook_that_grows_when_unpacked_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "ANY_RATIO", 10_000)
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 20_000_000)

    with pytest.raises(InputError, match="more than 200 bytes of text come from each byte"):
        read_file(path)


def test_a_release_in_excel_has_texts_only_where_they_were_texts_and_no_formula(tmp_path):
    frame = pl.DataFrame(
        {
            "age": ["[31, 52]", "[31, 52]"],
            "note": ["=1+2", "http://example.org"],
            "visits": [1, 2],
            "code": [2**53 + 1, 2**53 + 3],
            "born": [dt.date(1990, 1, 2), None],
        }
    )

    write_file(frame, tmp_path / "release.xlsx")

    with zipfile.ZipFile(tmp_path / "release.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b"hyperlink" not in sheet
    read = read_file(tmp_path / "release.xlsx").frame
    assert read.drop("code").equals(frame.drop("code"))
    assert read["code"].to_list() == ["9007199254740993", "9007199254740995"]


def test_the_same_release_has_the_same_bytes_at_any_time(tmp_path, monkeypatch):
    frame = pl.DataFrame({"age": ["[31, 52]"]})
    written = []
    for now in (0.0, 1e9):
        monkeypatch.setattr("time.time", lambda now=now: now)
        write_file(frame, tmp_path / "release.xlsx")
        written.append((tmp_path / "release.xlsx").read_bytes())

    assert written[0] == written[1]
