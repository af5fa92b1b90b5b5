"""Level tables: what is read, and what is refused."""

from __future__ import annotations

import pytest

import shoal
from shoal.errors import HierarchyError


@pytest.mark.parametrize("delimiter", [";", ","])
def test_a_level_table_is_read_leaf_first(level_table, delimiter):
    path = level_table("nurse;care;*\ncook;kitchen;*\ndoctor;care;*\n".replace(";", delimiter))

    assert shoal.levels(path).paths == (
        ("nurse", "care", "*"),
        ("cook", "kitchen", "*"),
        ("doctor", "care", "*"),
    )


def test_a_level_table_may_have_a_mark_windows_line_ends_and_blank_lines_at_its_end(level_table):
    path = level_table(b"\xef\xbb\xbfa;A;*\r\nb;B;*\r\n\r\n")

    assert shoal.levels(str(path)).paths == (("a", "A", "*"), ("b", "B", "*"))


def test_quoted_labels_may_hold_the_delimiter(level_table):
    path = level_table('"a;b";A;*\nc;A;*\n')

    assert shoal.levels(path).paths[0] == ("a;b", "A", "*")


def test_a_comma_table_may_have_a_semicolon_in_a_label(level_table):
    path = level_table('"a;b",A,*\nc,A,*\n')

    assert shoal.levels(path).paths == (("a;b", "A", "*"), ("c", "A", "*"))


@pytest.mark.parametrize("leaf", ["two\nlines", "a\u2028b", "a\x85b", "a\x0cb"])
def test_a_label_may_hold_any_kind_of_line_break(level_table, leaf):
    path = level_table(f'"{leaf}";A;*\nc;A;*\n')

    assert shoal.levels(path).paths[0] == (leaf, "A", "*")


def test_a_level_table_without_root_gets_one():
    assert shoal.levels([("a", "A"), ("b", "B")]).paths == (("a", "A", "*"), ("b", "B", "*"))


def test_a_common_top_is_the_root_whatever_it_is_called():
    table = [("a", "A", "any"), ("b", "B", "any")]

    assert shoal.levels(table).paths == (("a", "A", "*"), ("b", "B", "*"))


def test_a_level_table_of_leaves_alone_is_flat():
    assert shoal.levels([("a",), ("b",)]).paths == (("a", "*"), ("b", "*"))


def test_a_root_that_some_rows_lack_is_still_the_root():
    assert shoal.levels([("a", "A", "*"), ("b", "B")]).paths == (("a", "A", "*"), ("b", "B", "*"))


def test_leaves_that_are_numbers_are_put_in_order():
    table = [("10", "high", "*"), ("9", "low", "*"), ("8", "low", "*")]

    assert [path[0] for path in shoal.levels(table).paths] == ["8", "9", "10"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "is empty"),
        ([()], "row 1: column 1 is empty"),
        ([("a", "A", "*"), ("b", "", "*")], "row 2: column 2 is empty"),
        ([("", "A", "*")], "row 1: column 1 is empty"),
        ([("a", "A", "*"), ("b", "B", "")], "row 2: column 3 is empty"),
        ([("a", "A", "*"), ("b", "A", "*"), ("a", "A", "*")], "rows 1 and 3 give the same leaf"),
        ([("a", "A", "*"), ("a", "B", "*")], "rows 1 and 2 give one leaf two parents"),
        (
            [("a", "A", "X", "*"), ("b", "A", "Y", "*")],
            "rows 1 and 2 put one node of level 1 under two parents",
        ),
    ],
    ids=str,
)
def test_a_level_table_that_is_no_tree_is_refused_with_its_rows(rows, message):
    with pytest.raises(HierarchyError, match=message):
        shoal.levels(rows)


def test_a_blank_line_in_a_level_table_is_an_empty_cell(level_table):
    with pytest.raises(HierarchyError, match="line 2: column 1 is empty"):
        shoal.levels(level_table("a;A;*\n\nc;A;*\n"))


def test_lines_are_counted_as_an_editor_shows_them(level_table):
    with pytest.raises(HierarchyError, match="line 3"):
        shoal.levels(level_table('"a\nx";A;*\nb;;*\n'))


def test_a_level_table_that_is_not_there_is_refused_and_the_nearest_name_offered(level_table):
    path = level_table("a;*\n")

    with pytest.raises(HierarchyError, match=r"no such file; did you mean 'levels.csv'\?"):
        shoal.levels(path.with_name("level.csv"))


@pytest.mark.parametrize(
    ("content", "message"), [("", "is empty"), ("é;*\n".encode("cp1252"), "line 1.*not utf-8")]
)
def test_a_level_table_that_cannot_be_read_is_refused(level_table, content, message):
    with pytest.raises(HierarchyError, match=message):
        shoal.levels(level_table(content))
