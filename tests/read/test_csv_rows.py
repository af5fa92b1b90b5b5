"""Csv files mean the same rows to Shoal as to Python's csv module, or are refused."""

import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import HierarchyError, InputError, PolicyError
from shoal.hierarchies.levels import levels
from shoal.read.csv_rows import quotes_are_regular
from shoal.read.files import read_file
from shoal.read.severities import severities_of_file
from shoal.types.hierarchy import Hierarchy
from shoal.write.files import write_file
from shoal.write.level_table import write_level_table
from tiers import examples

LETTERS = 'ab,"\r\n\0é '


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("csv") / "table.csv"


def by_python(content):
    """Rows as the csv module reads them, without blank lines at the end; None if it refuses."""
    lines = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error:
        return None
    while rows and not rows[-1]:
        rows.pop()
    return rows


def read(file):
    """Rows as Shoal reads them, with the header; None if it refuses."""
    try:
        frame = read_file(file, delimiter=",", may_be_empty=True).frame
    except InputError:
        return None
    return [frame.columns, *[[cell or "" for cell in row] for row in frame.rows()]]


@st.composite
def written(draw):
    """A table as a csv writer writes it, with all kinds of letters in its cells."""
    cell = st.text(LETTERS, max_size=4)
    rows = draw(st.lists(st.tuples(cell, cell), min_size=1, max_size=5))
    buffer = io.StringIO()
    csv.writer(
        buffer,
        lineterminator=draw(st.sampled_from(["\n", "\r\n", "\r"])),
        quoting=draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])),
    ).writerows([("x", "y"), *rows])
    return buffer.getvalue()


@examples(150, thorough=800)
@given(text=written() | st.text(LETTERS, max_size=20).map("x,y\n{}".format))
def test_rows_are_those_that_python_reads_or_the_file_is_refused(file, text):
    file.write_bytes(text.encode())

    found = read(file)

    assert found in (None, by_python(text.encode()))


@examples(60, thorough=300)
@given(
    rows=st.lists(st.lists(st.text('a," \n\0é', max_size=4), min_size=2, max_size=2), min_size=1)
)
def test_what_a_csv_writer_writes_is_never_refused(file, rows):
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([("x", "y"), *rows])
    file.write_bytes(buffer.getvalue().encode())

    assert read(file) == [["x", "y"], *rows]


@examples(60, thorough=300)
@given(cells=st.lists(st.text(LETTERS, min_size=1, max_size=5), min_size=1, max_size=6))
def test_what_shoal_writes_it_reads_again(file, cells):
    write_file(pl.DataFrame({"x": cells, "y": cells}), file)

    assert read(file) == [["x", "y"], *[[cell, cell] for cell in cells]]
    assert by_python(file.read_bytes()) == read(file)


@examples(60, thorough=300)
@given(leaves=st.lists(st.text('ab;"\r\n\0é', min_size=1, max_size=4), min_size=1, unique=True))
def test_a_level_table_is_read_as_it_was_written(file, leaves):
    hierarchy = Hierarchy.of_paths([(leaf, "node", "*") for leaf in leaves])

    write_level_table(hierarchy, file)

    assert levels(file).paths == tuple(hierarchy.paths())


@pytest.mark.parametrize(
    ("content", "line", "word"),
    [
        (b"x;1\ny\rz;2\n", 2, "carriage return"),
        (b"x;1\ny;2\r", 2, "carriage return"),
        (b'x;1\ny;"2\nz;3\n', 2, "not closed"),
        (b'x;1\ny;2\n"z"z;3\n', 3, "not closed"),
    ],
)
def test_data_level_tables_and_severities_are_refused_alike(tmp_path, content, line, word):
    small, data = tmp_path / "small.csv", tmp_path / "data.csv"
    small.write_bytes(content)
    data.write_bytes(b"a;b\n" + content)

    messages = []
    for number, error, read_it in [
        (line + 1, InputError, lambda: read_file(data)),
        (line, HierarchyError, lambda: levels(small)),
        (line, PolicyError, lambda: severities_of_file(small)),
    ]:
        with pytest.raises(error) as caught:
            read_it()
        messages.append(str(caught.value))
        assert f".csv, line {number}: " in messages[-1]

    assert all(word in message for message in messages)


def test_a_carriage_return_in_quotes_belongs_to_its_field(file):
    file.write_bytes(b'x,y\n"a\rb",1\n"c\r\nd",2\n')

    assert read_file(file).frame["x"].to_list() == ["a\rb", "c\r\nd"]


def test_line_ends_of_old_macs_are_line_ends_outside_quotes_only(file):
    file.write_bytes(b'x,y\r"a\rb",1\rc,2\r')

    assert read_file(file).frame.rows() == [("a\rb", "1"), ("c", "2")]


def test_quotes_in_the_middle_of_fields_are_letters(file):
    file.write_bytes(b'x,y\n5" pipe,1\na,3"\nb,\n')

    assert read_file(file).frame.rows() == [('5" pipe', "1"), ("a", '3"'), ("b", None)]


@pytest.mark.parametrize(
    ("content", "is_regular"),
    [
        (b'a,b\n"c","d, e"\r\n"","f ""g"""\n', True),
        (b'"a"', True),
        (b'a,b"c"\n', False),
        (b'a,"b" \n', False),
        (b'a,"b\n', False),
        (b'"a"b"c"\n', False),
    ],
)
def test_quotes_are_regular_around_whole_fields(tmp_path, monkeypatch, content, is_regular):
    monkeypatch.setattr("shoal.read.csv_rows._refuse_open_quote", lambda *_: None)

    assert quotes_are_regular(tmp_path, content, ",") == is_regular


def test_a_field_too_many_in_a_last_line_without_end_is_refused(file):
    file.write_bytes(b"x,y\na\nb,c,")

    with pytest.raises(InputError, match="line 2: 1 field"):
        read_file(file)
