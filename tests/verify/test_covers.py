"""Which values a published cell covers, by its text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.read.columns import read_column
from shoal.types.schema import ColumnSpec
from shoal.verify.cell_text import measure, read_range, read_set
from shoal.verify.covers import CellReader, covers
from tiers import seeds

QUASI = ColumnSpec("quasi")


def column(*values, is_text=True, **how):
    return read_column(pl.Series("x", list(values), **how), is_text=is_text)


def covered(cell, values, spec=QUASI):
    """The values that a cell covers, by name, missing being None."""
    (row,) = covers([cell], values, spec)
    return {
        name for name, is_covered in zip((*values.labels, None), row, strict=True) if is_covered
    }


def with_hierarchy(hierarchy, publish=None):
    return ColumnSpec("quasi", hierarchy, publish=publish)


@cache
def ages():
    return column("7", "17", "20", "24", "25", "31", "")


class TestNumbers:
    @pytest.mark.parametrize(
        ("cell", "expected"),
        [
            ("[17, 24]", {"17", "20", "24"}),
            ("[17, 25)", {"17", "20", "24"}),
            ("[16.5, 24.5]", {"17", "20", "24"}),
            ("[7.5, 24.5)", {"17", "20", "24"}),
            ("17", {"17"}),
            ("17.0", {"17"}),
            ("018", set()),
            ("18", set()),
            ("[26, 30]", set()),
            ("[24, 17]", set()),
            ("{7, 31}", {"7", "31"}),
            ("*", {"7", "17", "20", "24", "25", "31", None}),
            (None, {None}),
            ("", {None}),
            ("care", set()),
            ("[a, b]", set()),
            ("[17, 2021-03-05]", set()),
            ("[17, 24", set()),
        ],
    )
    def test_whole_numbers(self, cell, expected):
        assert covered(cell, ages()) == expected

    def test_negative_numbers_and_fractions(self):
        values = column("-5", "-1.5", "0", "2.25", "1e3")

        assert covered("[-5, -1]", values) == {"-5", "-1.5"}
        assert covered("[-1.50, 2.25]", values) == {"-1.5", "0", "2.25"}
        assert covered("1000", values) == covered("[1e2, 1e4)", values) == {"1000"}

    def test_whole_numbers_that_no_float_can_tell_apart(self):
        large = 2**60
        values = column(str(large), str(large + 1), str(large + 2), str(-(2**63)), str(2**63 - 1))

        assert covered(f"[{large + 1}, {large + 2}]", values) == {str(large + 1), str(large + 2)}
        assert covered(f"[{large}, {large + 1})", values) == {str(large)}
        assert covered("[-1e300, 1e300]", values) == set(values.labels)
        assert covered(f"[{2**63}, {2**64}]", values) == set()
        assert covered(f"[1, {'9' * 350}]", column("1.5")) == {"1.5"}

    def test_a_population_with_a_word_among_its_numbers_is_still_compared_by_number(self):
        values = column("17", "21.0", "030", "unknown")

        assert values.kind == "text"
        assert covered("[17, 40]", values) == {"17", "21.0"}  # 030 is a code
        assert covered("21", values) == {"21.0"}
        assert covered("unknown", values) == {"unknown"}

    def test_whole_numbers_among_words_are_told_apart_where_no_float_can(self):
        values = column(str(2**60), str(2**60 + 1), "unknown")

        assert covered(f"[{2**60 + 1}, {2**60 + 2}]", values) == {str(2**60 + 1)}

    @pytest.mark.parametrize("n_digits", [19, 30, 350])
    def test_whole_numbers_of_any_size_among_words_are_compared(self, n_digits):
        huge = 10**n_digits
        values = column("5", str(huge), "unknown")

        assert covered("[1, 10]", values) == {"5"}
        assert covered(f"[{huge // 2}, {huge * 2}]", values) == {str(huge)}
        assert covered(f"[-{huge}, 10]", values) == {"5"}

    def test_integers_of_a_release_and_fractions_of_a_population_meet(self):
        values = column("20", "24.5", "25")
        spec = with_hierarchy(shoal.intervals(5))

        assert values.kind == "number"
        assert covered("[20, 24]", values, spec) == {"20"}
        assert covered("[20, 25)", values, spec) == {"20", "24.5"}
        assert covered("[20, 25)", ages(), spec) == {"20", "24"}


class TestDates:
    @property
    def days(self):
        return column("2021-03-05", "2021-03-31", "1969-12-31", "")

    @pytest.mark.parametrize(
        ("cell", "expected"),
        [
            ("[2021-03-05, 2021-03-30]", {"2021-03-05"}),
            ("[1960-01-01, 2021-03-31]", {"1969-12-31", "2021-03-05", "2021-03-31"}),
            ("2021-03-31", {"2021-03-31"}),
            ("[2021-02-30, 2021-03-31]", set()),  # there is no such day
            ("{2021-03-05, 1969-12-31}", {"2021-03-05", "1969-12-31"}),
        ],
    )
    def test_days(self, cell, expected):
        assert covered(cell, self.days) == expected

    def test_nodes_of_months_and_decades(self):
        spec = with_hierarchy(shoal.dates("month", "year", "decade"))

        assert covered("2021-03", self.days, spec) == {"2021-03-05", "2021-03-31"}
        assert covered("1960s", self.days, spec) == {"1969-12-31"}
        assert covered("2021", self.days, spec) == {"2021-03-05", "2021-03-31"}
        assert covered("1999", self.days, spec) == set()

    def test_moments(self):
        values = column("2021-03-05 13:45", "2021-03-05 23:59:59.5", "2021-03-06 00:00:00")
        first, second, third = values.labels

        assert covered(f"[{first}, {second}]", values) == {first, second}
        assert covered("2021-03-05", values) == {first, second}  # a day covers its hours
        assert covered("[2021-03-05, 2021-03-05]", values) == {first, second}
        assert covered("[2021-03-05, 2021-03-06)", values) == {first, second}
        hours = with_hierarchy(shoal.dates("hour", "day"))
        assert covered("2021-03-05 13:00", values, hours) == {first}
        assert covered("2021-03-06", values, hours) == {third}

    def test_times_of_day(self):
        times = pl.Series("x", [3600 * 10**9, 3600 * 10**9 + 500_000_000]).cast(pl.Time)
        values = read_column(times)

        assert values.kind == "time"
        assert covered("[01:00:00, 01:00:00.4]", values) == {values.labels[0]}
        assert covered(f"[{values.labels[0]}, {values.labels[1]}]", values) == set(values.labels)


class TestText:
    def test_sets_with_quotes(self):
        values = column("a", "b, c", "{d", 'say "e"', " f", "g\\h")

        assert covered('{a, "b, c", "{d", "say \\"e\\"", " f", "g\\\\h"}', values) == set(
            values.labels
        )
        assert covered("b, c", values) == {"b, c"}

    def test_a_value_that_looks_like_a_set_may_be_either(self):
        assert covered("{a, b}", column("a", "b", "{a, b}")) == {"a", "b", "{a, b}"}

    def test_a_value_that_looks_like_a_range_is_that_value(self):
        assert covered("[1, 3]", column("[1, 3]", "2", "x")) == {"[1, 3]"}

    @pytest.mark.parametrize("cell", ['{a, "b}', "{a,b}", "{}", "{a, }", '{"a"b}', "{", "}"])
    def test_what_is_no_set_covers_nothing(self, cell):
        assert covered(cell, column("a", "b")) == set()

    def test_booleans(self):
        values = read_column(pl.Series("x", [True, False, None]))

        assert covered("true", values) == {"true"}
        assert covered("{false, true}", values) == {"false", "true"}
        assert covered(None, values) == {None}

    def test_leading_zeros_are_letters(self):
        values = column("02139", "2139", "02140")

        assert covered("02139", values) == {"02139"}
        assert covered("2139", values) == {"2139"}
        assert covered("[2139, 2140]", values) == {"2139"}  # the others are codes, not numbers


class TestNodes:
    TREE = shoal.tree({"Care": ["nurse", "doctor"], "Sea": {"Boat": ["fisher"]}, "cook": None})

    def test_nodes_of_every_level(self):
        values = column("nurse", "doctor", "fisher", "cook", "ghost")
        spec = with_hierarchy(self.TREE)

        assert covered("Care", values, spec) == {"nurse", "doctor"}
        assert covered("Boat", values, spec) == covered("Sea", values, spec) == {"fisher"}
        assert covered("cook", values, spec) == {"cook"}
        assert covered("ghost", values, spec) == set()  # no leaf: covered by * alone
        assert covered("*", values, spec) == {*values.labels, None}

    def test_a_name_on_two_levels_covers_both(self):
        spec = with_hierarchy(shoal.levels([("a", "b"), ("b", "c"), ("d", "c")]))
        values = column("a", "b", "d")

        assert covered("b", values, spec) == {"a", "b"}
        assert covered("c", values, spec) == {"b", "d"}

    @pytest.mark.parametrize("label", ["[20, 30]", "{20, 40}", "20-29", "40"])
    def test_a_label_that_looks_like_something_else_is_a_label(self, label):
        rows = [("20", label), ("21", label), ("30", "x"), ("41", "x")]
        values = read_column(pl.Series("x", [20, 21, 30, 41]))  # as parquet has it

        assert covered(label, values, with_hierarchy(shoal.levels(rows))) == {"20", "21"}

    def test_where_ranges_are_published_a_label_may_be_either(self):
        rows = [("20", "[20, 30]"), ("21", "[20, 30]"), ("30", "x"), ("41", "[20, 30]x")]
        values = read_column(pl.Series("x", [20, 21, 30, 41, 25]))
        spec = with_hierarchy(shoal.levels(rows), publish="range")

        assert covered("[20, 30]", values, spec) == {"20", "21", "30"}  # 25 is no leaf

    def test_leaves_written_as_other_numbers(self):
        spec = with_hierarchy(shoal.levels([("17.0", "teen"), ("18.0", "teen"), ("20.0", "adult")]))
        values = read_column(pl.Series("x", [17, 18, 19]))

        assert covered("17.0", values, spec) == {"17"}
        assert covered("teen", values, spec) == {"17", "18"}
        as_set = replace(spec, publish="set")
        assert covered("{17.0, 18.0}", values, as_set) == {"17", "18"}

    def test_a_value_is_the_leaf_that_is_written_so_among_equal_numbers(self):
        spec = with_hierarchy(shoal.levels([("17", "a"), ("17.0", "b"), ("18.0", "c")]))
        values = read_column(pl.Series("x", [17, 18]))

        assert covered("a", values, spec) == {"17"}
        assert covered("b", values, spec) == set()
        assert covered("c", values, spec) == {"18"}

    def test_the_label_of_a_node_is_not_also_a_number(self):
        rows = [("20.0", "40"), ("21.0", "40"), ("40.0", "x")]
        values = read_column(pl.Series("x", [20, 21, 40]))

        assert covered("40", values, with_hierarchy(shoal.levels(rows))) == {"20", "21"}

    def test_a_number_that_no_node_is_called_is_a_value(self):
        assert covered("17.0", ages(), with_hierarchy(shoal.intervals(5))) == {"17"}

    def test_codes_are_compared_letter_by_letter(self):
        spec = with_hierarchy(shoal.levels([("17", "teen"), ("18", "teen"), ("x", "other")]))
        values = column("17", "18.0", "x")

        assert values.kind == "text"
        assert covered("17.0", values, spec) == set()
        assert covered("teen", values, spec) == {"17"}  # 18.0 is no leaf

    def test_prefixes(self):
        values = column("02139", "02138", "13053", "02", is_text=False)
        spec = with_hierarchy(shoal.prefix(5))

        assert covered("0213*", values, spec) == {"02139", "02138"}
        assert covered("02***", values, spec) == {"02139", "02138", "02"}
        assert covered("13053", values, spec) == {"13053"}
        assert covered("9****", values, spec) == set()

    def test_interval_labels_round_as_the_hierarchy_does(self):
        values = read_column(pl.Series("x", [0.5999999999999999, 0.65, 0.6999999999999999, 0.7]))
        spec = with_hierarchy(shoal.intervals(0.1))

        assert covered("[0.6, 0.7)", values, spec) == {"0.5999999999999999", "0.65"}

    def test_a_column_that_is_always_missing(self):
        values = read_column(pl.Series("x", [None, None]))
        cells = ["*", None, "2021-03"]

        covered = covers(cells, values, with_hierarchy(shoal.dates("month")))

        assert covered.tolist() == [[True], [True], [False]]


@pytest.mark.parametrize("publish", ["mean", "median"])
def test_a_mean_or_median_is_refused_by_name(publish):
    with pytest.raises(
        InputError, match=f"'x' publishes a {publish}.*k-map.*ranges, sets or nodes"
    ):
        covers(["17"], ages(), ColumnSpec("quasi", publish=publish))


def test_texts_of_cells():
    assert read_set("{a, b}") == ("a", "b")
    assert read_range("[2021-01-01, 2021-02-01]").high == "2021-02-01"
    assert measure("24:00") is None
    assert measure("1e999") is None
    assert measure("1" * 500) is None


@pytest.mark.parametrize("seed", seeds(4, thorough=20))
def test_merged_values_are_covered_as_the_values_they_stand_for(seed):
    rng = np.random.default_rng(seed)
    numbers = column(*map(str, rng.integers(-50, 50, 60)), "", *["x"] * (seed % 2))
    leaves = [(str(n), f"{n // 10}x") for n in range(-40, 40, 3)]
    for spec in (
        QUASI,
        with_hierarchy(shoal.intervals(5, 10)) if numbers.kind == "integer" else QUASI,
        with_hierarchy(shoal.levels(leaves)),
        with_hierarchy(shoal.levels(leaves), "range"),
        with_hierarchy(shoal.prefix(3)),
    ):
        ends = [sorted(pair) for pair in rng.integers(-55, 55, (6, 2)).tolist()]
        cells = [f"[{low}, {high}]" for low, high in ends]
        cells += [
            None,
            "*",
            "-1x",
            "7",
            "3.0",
            "{1, 9, x}",
            "[0, 5)",
            "[10, 14]",
            "-2**",
            "4*",
            "x",
        ]
        reader = CellReader(numbers, spec)

        merged = reader.merged(cells)

        found = covers(cells, merged, spec)[:, merged.codes]
        np.testing.assert_array_equal(found, covers(cells, numbers, spec)[:, numbers.codes])
        assert len(merged.labels) <= len(numbers.labels)


def test_values_that_no_cell_tells_apart_become_one():
    values = column(*map(str, range(1000)))

    merged = CellReader(values, QUASI).merged(["[10, 99]", "[50, 499]", "*", None, "700"])

    assert merged.labels == ("0", "10", "50", "100", "500", "700", "701")
    assert merged.codes.tolist()[698:702] == [4, 4, 5, 6]


def test_values_are_counted_as_they_are_covered():
    jobs = column("nurse", "doctor", "pilot", "cook")
    known = with_hierarchy(shoal.tree({"care": ["nurse", "doctor"], "else": ["cook"]}))
    numbers = column("3", "4", "7", "9")

    for values, spec, cells in [
        (jobs, known, ["care", "else", "nurse", "pilot"]),
        (numbers, QUASI, ["[3, 7]", "[4, 9]", "3", "{3, 9}", "5"]),
    ]:
        reader = CellReader(values, spec)
        for cell in cells:
            assert reader.n_covered(cell) == len(covered(cell, values, spec))
