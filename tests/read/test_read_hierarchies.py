"""Hierarchies: what each builder makes of the values, and what it refuses."""

from __future__ import annotations

from datetime import date, datetime, time

import polars as pl
import pytest

import shoal
from shoal.errors import HierarchyError, UnknownValues
from shoal.read.columns import read_column
from shoal.types.hierarchy import Hierarchy


def paths(builder, values, **how) -> list[tuple[str, ...]]:
    column = read_column(pl.Series("x", values, strict=False), **how)
    return list(builder.build(column).paths())


@pytest.fixture
def level_table(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "levels.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


# intervals


def test_intervals_are_bins_from_zero_that_nest():
    assert paths(shoal.intervals(5, 10), [31, 38, 4]) == [
        ("4", "[0, 4]", "[0, 9]", "*"),
        ("31", "[30, 34]", "[30, 39]", "*"),
        ("38", "[35, 39]", "[30, 39]", "*"),
    ]


def test_intervals_below_zero_keep_their_width():
    assert paths(shoal.intervals(5), [-6, -5, -1, 0]) == [
        ("-6", "[-10, -6]", "*"),
        ("-5", "[-5, -1]", "*"),
        ("-1", "[-5, -1]", "*"),
        ("0", "[0, 4]", "*"),
    ]


def test_intervals_of_fractions_are_open_above():
    assert paths(shoal.intervals(0.5, 1), [0.25, 1.5]) == [
        ("0.25", "[0, 0.5)", "[0, 1)", "*"),
        ("1.5", "[1.5, 2)", "[1, 2)", "*"),
    ]


def test_a_fraction_lies_inside_its_interval():
    ((_, label, _),) = paths(shoal.intervals(0.1), [0.3])

    low, high = map(float, label.strip("[)").split(", "))
    assert low <= 0.3 < high


def test_intervals_of_fractions_form_a_tree():
    levels = paths(shoal.intervals(0.1, 0.3), [0.25, 0.3])

    assert len({path[1] for path in levels}) == len({path[1:] for path in levels})


def test_intervals_of_large_fractions_contain_their_values():
    ((_, label, _),) = paths(shoal.intervals(10), [12345678.5])

    low, high = map(float, label.strip("[)").split(", "))
    assert low <= 12345678.5 < high


def test_intervals_of_whole_numbers_beyond_two_to_the_53_are_exact():
    ((_, label, _),) = paths(shoal.intervals(10), [2**60 + 11])

    low, high = map(int, label.strip("[]").split(", "))
    assert low <= 2**60 + 11 <= high
    assert high - low == 9


@pytest.mark.parametrize("widths", [(), (0,), (-5,), (5, 0)])
def test_interval_widths_must_be_above_zero(widths):
    with pytest.raises(HierarchyError, match="above 0"):
        shoal.intervals(*widths)


@pytest.mark.parametrize("widths", [(5, 7), (10, 5), (5, 5), (5, 10, 25)])
def test_interval_widths_must_nest(widths):
    with pytest.raises(HierarchyError, match="must nest"):
        shoal.intervals(*widths)


@pytest.mark.parametrize("width", [float("inf"), float("nan")])
def test_interval_widths_must_be_finite(width):
    with pytest.raises(HierarchyError):
        shoal.intervals(width)


@pytest.mark.parametrize("values", [["a", "b"], [date(2021, 1, 1)], [True, False]])
def test_intervals_need_numbers(values):
    with pytest.raises(HierarchyError, match="Column 'x': intervals need numbers"):
        paths(shoal.intervals(5), values)


# prefix


def test_prefixes_lose_their_last_characters_first():
    assert paths(shoal.prefix(5), ["13053", "02139"]) == [
        ("02139", "0213*", "021**", "02***", "0****", "*"),
        ("13053", "1305*", "130**", "13***", "1****", "*"),
    ]


def test_codes_of_another_length_still_form_a_tree():
    levels = paths(shoal.prefix(5), ["130", "13053", "1305399", "9"])

    hierarchy = Hierarchy.of_paths(levels)
    assert hierarchy.leaves == ("130", "13053", "1305399", "9")
    for level in range(1, hierarchy.height):
        assert len(set(hierarchy.labels[level])) == len(hierarchy.labels[level])


def test_a_prefix_of_one_character_has_the_root_directly_above():
    assert paths(shoal.prefix(1), ["a", "b"]) == [("a", "*"), ("b", "*")]


@pytest.mark.parametrize("length", [0, -1])
def test_a_prefix_needs_a_length(length):
    with pytest.raises(HierarchyError, match="number of characters"):
        shoal.prefix(length)


# dates


def test_dates_are_generalised_by_growing_units():
    builder = shoal.dates("day", "month", "quarter", "year", "decade", "century")

    assert paths(builder, [date(1969, 12, 31), date(2021, 3, 5)]) == [
        ("1969-12-31", "1969-12-31", "1969-12", "1969-Q4", "1969", "1960s", "1900–1999", "*"),
        ("2021-03-05", "2021-03-05", "2021-03", "2021-Q1", "2021", "2020s", "2000–2099", "*"),
    ]


def test_times_are_generalised_to_their_hour_and_day():
    moment = datetime(1969, 12, 31, 23, 59, 59, 999999)

    assert paths(shoal.dates("hour", "day"), [moment]) == [
        ("1969-12-31 23:59:59.999999", "1969-12-31 23:00", "1969-12-31", "*")
    ]


def test_dates_written_in_a_csv_file_are_dates():
    texts = ["2021-03-05", "2021-11-05"]

    assert paths(shoal.dates("quarter"), texts, is_text=True) == [
        ("2021-03-05", "2021-Q1", "*"),
        ("2021-11-05", "2021-Q4", "*"),
    ]


def test_an_unknown_unit_is_named_with_the_nearest():
    with pytest.raises(HierarchyError, match=r"'yaer' is no unit of time; did you mean 'year'\?"):
        shoal.dates("yaer")


@pytest.mark.parametrize("units", [(), ("year", "month"), ("month", "year", "quarter")])
def test_units_must_grow(units):
    with pytest.raises(HierarchyError, match="must grow"):
        shoal.dates(*units)


def test_a_unit_given_twice_does_not_grow():
    with pytest.raises(HierarchyError, match="must grow"):
        shoal.dates("year", "year")


@pytest.mark.parametrize("values", [["a"], [2021], [time(1)]])
def test_dates_need_dates(values):
    with pytest.raises(HierarchyError, match="Column 'x' holds no dates"):
        paths(shoal.dates("year"), values)


def test_the_last_moment_of_the_calendar_has_a_year():
    assert paths(shoal.dates("year"), [datetime(9999, 12, 31, 23, 59, 59, 999999)])


def test_months_of_early_years_have_four_digits_too():
    assert paths(shoal.dates("month", "year"), [date(987, 5, 5)]) == [
        ("0987-05-05", "0987-05", "0987", "*")
    ]


# flat


def test_flat_puts_every_value_under_the_root():
    assert paths(shoal.flat(), ["b", "a"]) == [("a", "*"), ("b", "*")]


# level tables


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


def test_uneven_depth_is_padded_below_the_root():
    table = [("a", "A", "X", "*"), ("b", "B", "*"), ("c", "*")]

    assert shoal.levels(table).paths == (
        ("a", "A", "X", "*"),
        ("b", "B", "B", "*"),
        ("c", "c", "c", "*"),
    )


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


# trees


def test_a_tree_is_given_by_nodes_and_their_children():
    branches = {"Higher": ["BA", "MA"], "School": {"Low": ["9th"], "High": ["12th", "11th"]}}

    assert shoal.tree(branches).paths == (
        ("BA", "Higher", "Higher", "*"),
        ("MA", "Higher", "Higher", "*"),
        ("9th", "Low", "School", "*"),
        ("12th", "High", "School", "*"),
        ("11th", "High", "School", "*"),
    )


def test_branches_and_leaves_may_be_siblings():
    assert shoal.tree({"A": [{"B": ["c"]}, "d"], "E": None}).paths == (
        ("c", "B", "A", "*"),
        ("d", "A", "A", "*"),
        ("E", "E", "E", "*"),
    )


def test_a_list_is_a_flat_tree():
    assert shoal.tree(["a", "b"]).paths == (("a", "*"), ("b", "*"))


@pytest.mark.parametrize("branches", [None, "abc", {"A": "b"}, {"A": 5}])
def test_what_is_no_tree_is_refused(branches):
    with pytest.raises(HierarchyError, match="maps each node to its children"):
        shoal.tree(branches)


@pytest.mark.parametrize(
    ("branches", "message"),
    [
        ({}, "is empty"),
        ([], "is empty"),
        ({"A": ["b", "b"]}, "the same leaf twice"),
        ({"A": ["b"], "C": ["b"]}, "one leaf two parents"),
        ({"A": {"X": ["b"]}, "C": {"X": ["d"]}}, "under two parents"),
        ({"": ["b"]}, "is empty"),
        ({"A": [""]}, "is empty"),
    ],
    ids=str,
)
def test_a_tree_that_is_none_is_refused(branches, message):
    with pytest.raises(HierarchyError, match=message):
        shoal.tree(branches)


def test_a_child_that_is_nothing_is_an_empty_cell():
    with pytest.raises(HierarchyError, match="is empty"):
        shoal.tree({"A": ["b", None]})


# all of them


@pytest.mark.parametrize(
    ("builder", "values"),
    [
        (shoal.intervals(5, 10, 20), [31, 38, 4, 77]),
        (shoal.prefix(3), ["abc", "abd", "xyz"]),
        (shoal.dates("month", "year"), [date(2021, 3, 5), date(2020, 3, 5)]),
        (shoal.flat(), ["b", "a"]),
        (shoal.tree({"A": ["a", {"B": ["b", "c"]}], "D": ["d"]}), ["a", "d"]),
        (shoal.levels([("a", "A"), ("c", "C"), ("b", "A")]), ["a", "b", "c"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_written_back_as_a_level_table_a_hierarchy_is_the_same(builder, values, level_table):
    hierarchy = builder.build(read_column(pl.Series("x", values)))

    written = level_table("".join(";".join(path) + "\n" for path in hierarchy.paths()))
    again = Hierarchy.of_paths(shoal.levels(written).paths)

    assert list(again.paths()) == list(hierarchy.paths())
    assert again.leaves == hierarchy.leaves
    assert (again.nodes == hierarchy.nodes).all()


def anonymized(values, hierarchy, **settings):
    frame = pl.DataFrame({"x": values})
    return shoal.anonymize(
        frame, quasi={"x": hierarchy}, privacy=[shoal.KAnonymity(2)], **settings
    ).frame["x"]


def test_values_that_are_no_leaves_are_counted_and_not_shown():
    with pytest.raises(UnknownValues, match=r"Column 'x': 2 values \(3 records\)") as caught:
        anonymized(["a", "a", "Jane", "Joe", "Joe"], shoal.tree(["a"]))

    assert caught.value.values == ("Jane", "Joe")
    assert "Jane" not in str(caught.value)


def test_values_that_are_no_leaves_can_be_suppressed_within_the_limit():
    values = ["a", "a", "a", "Joe"]

    released = anonymized(values, shoal.tree(["a"]), unknown="suppress", suppression=0.25)

    assert released.to_list() == ["a", "a", "a"]


def test_a_number_is_the_leaf_that_is_the_same_number():
    assert anonymized([17.0, 17.0], shoal.tree({"teen": ["17", "18"]})).to_list() == ["17", "17"]


@pytest.mark.parametrize(("value", "leaf"), [("1.10", "1.1"), ("02139", "2139"), ("1E2", "100")])
def test_a_code_is_not_the_leaf_that_happens_to_be_the_same_number(value, leaf):
    with pytest.raises(UnknownValues):
        anonymized([value, value], shoal.tree({"A": [leaf, "other"]}))
