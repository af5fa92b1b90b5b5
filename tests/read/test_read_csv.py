"""Csv files: how they are cut into cells, and what is said of those that cannot be."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from shoal.errors import InputError
from shoal.read.files import read_file


@pytest.fixture
def table(tmp_path):
    """Writes a text or bytes to a file and gives its path."""

    def write(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def message_of(path: Path, **how: str) -> str:
    with pytest.raises(InputError) as caught:
        read_file(path, **how)
    return str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_usual_delimiter_is_found(table, delimiter):
    path = table(f"name{delimiter}age\nAnn{delimiter}31\nBob{delimiter}4\n")

    source = read_file(path)

    assert source.delimiter == delimiter
    assert source.frame.rows() == [("Ann", "31"), ("Bob", "4")]


def test_decimal_commas_do_not_outvote_the_semicolon(table):
    source = read_file(table("name;score;pay\nAnn;1,5;2,5\nBob;2,25;3,75\n"))

    assert source.delimiter == ";"
    assert source.frame.rows() == [("Ann", "1,5", "2,5"), ("Bob", "2,25", "3,75")]


def test_delimiters_inside_quotes_do_not_outvote_the_one_between_fields(table):
    source = read_file(table('name,note\nAnn,"a;b;c;d"\nBob,"e;f;g;h"\n'))

    assert source.delimiter == ","
    assert source.frame["note"].to_list() == ["a;b;c;d", "e;f;g;h"]


def test_text_with_commas_does_not_outvote_the_bar(table):
    source = read_file(table("id|note\n1|so, it goes\n2|well, well\n"))

    assert source.delimiter == "|"


def test_a_single_column_needs_no_delimiter(table):
    source = read_file(table("age\n31\n4\n"))

    assert source.frame.columns == ["age"]
    assert source.frame.rows() == [("31",), ("4",)]


def test_an_empty_line_in_a_single_column_is_a_missing_value(table):
    source = read_file(table("age\n31\n\n4\n"))

    assert [text or None for text in source.frame["age"]] == ["31", None, "4"]


def test_a_given_delimiter_overrules_the_sniffed_one(table):
    source = read_file(table("a:b,c\n1:2,3\n"), delimiter=":")

    assert source.frame.columns == ["a", "b,c"]
    assert source.delimiter == ":"


def test_quoted_fields_hold_delimiters_newlines_and_quotes(table):
    path = table('a,b,c\n1,"x, y","say ""hi"""\n2,"two\nlines","crlf\r\nhere"\n')

    rows = read_file(path).frame.rows()

    assert rows == [("1", "x, y", 'say "hi"'), ("2", "two\nlines", "crlf\r\nhere")]


def test_a_header_may_be_quoted_and_hold_delimiters_and_newlines(table):
    source = read_file(table('"a, x","b\ny"\n1,2\n"3,4",5\n'))

    assert source.frame.columns == ["a, x", "b\ny"]
    assert source.frame.rows() == [("1", "2"), ("3,4", "5")]


def test_values_stay_the_text_they_are(table):
    texts = ["02139", "1.10", " 2 ", "1e5", "NA", "null", "true", "-0", "ü", "=1+1"]

    source = read_file(table("a,b\n" + "".join(f"{text},x\n" for text in texts)))

    assert source.is_text
    assert source.frame["a"].to_list() == texts


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("tail", ["", "{0}", "{0}{0}", "{0}{0}{0}{0}"])
def test_line_endings_and_blank_lines_at_the_end_change_nothing(table, ending, tail):
    path = table(f"a,b{ending}1,2{ending}3,4" + tail.format(ending))

    source = read_file(path)

    assert source.frame.columns == ["a", "b"]
    assert source.frame.rows() == [("1", "2"), ("3", "4")]


def test_a_quoted_empty_value_at_the_very_end_is_a_record(table):
    source = read_file(table('a\n1\n""\n'))

    assert source.frame["a"].to_list() == ["1", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_byte_order_mark_and_utf_8_are_known(table, encoding):
    source = read_file(table("naïve,b\né,€\n".encode(encoding)))

    assert source.frame.columns == ["naïve", "b"]
    assert source.frame.rows() == [("é", "€")]


def test_a_byte_order_mark_before_a_quoted_header_is_no_part_of_the_name(table):
    source = read_file(table(b'\xef\xbb\xbf"a",b\n1,2\n'))

    assert source.frame.columns == ["a", "b"]


def test_text_that_is_not_utf_8_is_refused_with_its_line(table):
    message = message_of(table("a,b\n1,2\n3,é\n".encode("cp1252")))

    assert "line 3" in message
    assert "--encoding cp1252" in message


def test_text_that_is_not_utf_8_is_read_with_its_encoding(table):
    source = read_file(table("a,b\n1,2\n3,é\n".encode("cp1252")), encoding="cp1252")

    assert source.frame.rows() == [("1", "2"), ("3", "é")]


def test_half_a_utf_16_character_is_refused(table):
    assert "utf-16" in message_of(table("a,b\n1,é\n".encode("utf-16")[:-1]))


def test_an_unknown_encoding_is_named(table):
    assert "Unknown encoding 'cp9999'" in message_of(table("a,b\n1,2\n"), encoding="cp9999")


@pytest.mark.parametrize(
    "encoding",
    [
        pytest.param("hex"),
        pytest.param("a\0b"),
    ],
)
def test_an_encoding_that_is_none_of_text_is_refused(table, encoding):
    assert "ncoding" in message_of(table("a,b\n1,2\n"), encoding=encoding)


@pytest.mark.parametrize(
    "delimiter",
    [
        pytest.param("||"),
        pytest.param("€"),
    ],
)
def test_a_delimiter_that_is_no_single_character_is_refused(table, delimiter):
    assert "elimiter" in message_of(table("a,b\n1,2\n"), delimiter=delimiter)


def test_gzipped_csv_is_read_whatever_its_name(table):
    path = table(gzip.compress("a;b\n1;é\n".encode()), "table.csv")

    source = read_file(path)

    assert source.delimiter == ";"
    assert source.frame.rows() == [("1", "é")]


def damaged_gzip(kind: str) -> bytes:
    whole = gzip.compress(b"a,b\n" + b"1,2\n" * 1000)
    if kind == "cut":
        return whole[:-20]
    if kind == "checksum":
        return whole[:-6] + bytes([whole[-6] ^ 0xFF]) + whole[-5:]
    return whole[:20] + bytes([whole[20] ^ 0xFF]) + whole[21:22] + b"\xff" + whole[23:]


@pytest.mark.parametrize(
    "kind",
    [
        "cut",
        "checksum",
        pytest.param("content"),
    ],
)
def test_a_damaged_gzip_file_is_refused(table, kind):
    assert "damaged" in message_of(table(damaged_gzip(kind), "table.csv.gz"))


@pytest.mark.parametrize(
    ("content", "line", "n_fields"),
    [
        ("a,b,c\n1,2,3\n1,2\n4,5,6\n", 3, 2),
        ("a,b,c\n1,2,3\n1,2,3,4\n4,5,6\n", 3, 4),
        ("a,b,c\n1\n1,2,3\n", 2, 1),
        ("a,b,c\n1,2,3\n1,2", 3, 2),
        ('a,b,c\n1,"x\ny\nz",3\n1,2\n4,5,6\n', 5, 2),
        ('a,b,c\n1,"x\ny\nz",3\n1,2,3,4\n4,5,6\n', 5, 4),
        ('a,b,c\n1,"x,y",3\n"1,2,3",4\n', 3, 2),
        ('"a\n,a",b,c\n1,2,3\n1,2\n', 4, 2),
        ("a,b\n1,2,\n3,4,\n", 2, 3),
    ],
    ids=str,
)
def test_a_ragged_line_is_refused_with_its_number_and_its_fields(table, content, line, n_fields):
    message = message_of(table(content))

    assert f"line {line}: {n_fields} field" in message


def test_a_blank_line_between_others_is_refused_with_its_number(table):
    assert "line 3 is blank" in message_of(table("a,b\r\n1,2\r\n\r\n3,4\r\n"))


def test_blank_lines_of_a_single_column_are_records(table):
    assert read_file(table("a\n1\n\n1\n\n")).n_records == 4


def test_an_excel_file_is_named_as_one(table):
    assert "Excel" in message_of(table(b"PK\x03\x04 anything", "table.csv"))


@pytest.mark.parametrize("n_before", [0, 5, 70_000])
def test_a_short_line_far_down_is_found(table, n_before):
    path = table("a,b\n" + "1,2\n" * n_before + "1\n" + "3,4\n" * 5)

    assert f"line {n_before + 2}: 1 field" in message_of(path)


def test_a_quote_that_is_never_closed_is_refused(table):
    assert "quoted field" in message_of(table('a,b\n1,"x\n2,y\n3,z\n'))


def test_a_quote_that_is_never_closed_in_a_long_file_is_refused(table):
    assert "quoted field" in message_of(table('a,b\n1,"x\n' + "2,y\n" * 50_000))


def test_a_long_cell_is_read(table):
    long = "x" * 200_000

    source = read_file(table(f'a,b\n1,"{long}"\n'))

    assert source.frame["b"].to_list() == [long]


def test_a_column_named_twice_is_refused_by_its_places(table):
    message = message_of(table("age,b,age\n1,2,3\n"))

    assert "columns 1 and 3 of 3 have the same name" in message
    assert "'age'" not in message  # it may be a cell


def test_names_that_differ_in_case_alone_are_two_columns(table):
    assert read_file(table("a,A\n1,2\n")).frame.columns == ["a", "A"]


@pytest.mark.parametrize(("header", "place"), [(",b,c", "1 of 3"), ("a,b,", "3 of 3")])
def test_a_column_without_a_name_is_refused_by_its_place(table, header, place):
    assert f"column {place} has no name" in message_of(table(f"{header}\n1,2,3\n"))


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"  \r\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)]
)
def test_an_empty_file_is_refused(table, content):
    assert "the file is empty" in message_of(table(content))


@pytest.mark.parametrize("content", ["a,b", "a,b\n", "a,b\r\n\r\n", "a\n"])
def test_a_header_alone_is_refused(table, content):
    assert "a header but no records" in message_of(table(content))


def test_a_blank_line_before_the_header_is_refused_with_a_line(table):
    assert "line" in message_of(table("\n\na,b\n1,2\n"))


def test_lines_that_end_in_carriage_returns_alone_are_read_or_explained(table):
    path = table("a,b\r1,2\r3,4\r")

    rows, message = None, ""
    try:
        rows = read_file(path).frame.rows()
    except InputError as error:
        message = str(error)

    assert rows == [("1", "2"), ("3", "4")] or (message and "quote" not in message)


def test_a_file_that_is_not_there_is_refused_and_the_nearest_name_offered(table):
    path = table("a\n1\n", "patients.csv")

    message = message_of(path.with_name("patient.csv"))

    assert "there is no such file" in message
    assert "did you mean 'patients.csv'?" in message


def test_the_nearest_name_is_offered_for_parquet_too(table):
    path = table("a\n1\n", "patients.parquet")

    assert "'patients.parquet'" in message_of(path.with_name("patient.parquet"))


@pytest.mark.parametrize("name", ["folder", "folder.csv", "folder.parquet"])
def test_a_folder_is_no_table(tmp_path, name):
    (tmp_path / name).mkdir()

    assert "cannot be read" in message_of(tmp_path / name)


def test_a_quote_inside_a_field_is_taken_as_it_stands(table):
    source = read_file(table('a,b\n1,5" and 6" pipes\n2,x\n'))

    assert source.frame["b"].to_list() == ['5" and 6" pipes', "x"]
