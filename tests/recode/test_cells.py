"""What the cells of groups are called."""

import statistics
from datetime import date, datetime, time

import numpy as np
import polars as pl
import pytest

import naive
from cases.handmade import grouped, quasi
from shoal.hierarchies.date import dates
from shoal.hierarchies.flat import flat
from shoal.hierarchies.intervals import intervals
from shoal.hierarchies.levels import levels
from shoal.hierarchies.prefix import prefix
from shoal.hierarchies.tree import tree
from shoal.types.grid import OnGrid
from tiers import seeds


def cells(values, groups, spec=None, **more):
    """The cell of each released record of a column."""
    frame = pl.DataFrame({"a": values})
    return grouped(frame, {"a": spec or quasi()}, groups, **more).cells("a")


def test_numbers_become_a_range_and_a_single_one_stays_plain():
    assert cells([27, 21, 34, 34], [0, 0, 1, 1]) == ["[21, 27]", "[21, 27]", "34", "34"]


def test_a_range_of_fractions_and_negative_numbers_is_written_as_numbers_are():
    assert cells([-1.5, 2.0, -0.0, 0.25], [0, 0, 1, 1]) == ["[-1.5, 2]"] * 2 + ["[0, 0.25]"] * 2


def test_dates_and_times_become_a_range():
    days = [date(2021, 3, 5), date(1999, 12, 31)]
    times = [datetime(2021, 3, 5, 13, 45), datetime(2021, 3, 5, 13, 46, 1)]

    assert cells(days, [0, 0])[0] == "[1999-12-31, 2021-03-05]"
    assert cells(times, [0, 0])[0] == "[2021-03-05 13:45:00, 2021-03-05 13:46:01]"


def test_categories_become_the_set_of_values_present_in_their_order():
    values = ["c", "a", "b", "b", "d", "d"]

    assert cells(values, [0, 0, 1, 1, 2, 2]) == ["{a, c}", "{a, c}", "b", "b", "d", "d"]


def test_a_set_over_a_hierarchy_is_in_the_order_of_its_leaves():
    spec = tree({"x": ["zebra", "ape"], "y": ["cow"]})

    assert cells(["cow", "ape", "zebra"], [0, 0, 0], quasi(spec, "set"))[0] == "{zebra, ape, cow}"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain", "plain"),
        ("two words", "two words"),
        ("Müller", "Müller"),
        ("a, b", '"a, b"'),
        ("{x}", '"{x}"'),
        ("[1, 2]", '"[1, 2]"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("back\\slash", '"back\\\\slash"'),
        (" padded", '" padded"'),
        ("Köln, Süd", '"Köln, Süd"'),
    ],
)
def test_values_are_quoted_in_a_set_where_they_could_be_misread(value, written):
    found = cells([value, "~"], [0, 0])

    assert found == ["{" + written + ", ~}"] * 2
    assert naive.parse_set(found[0]) == [value, "~"]


@pytest.mark.parametrize("value", ["a, b", "{x}", " padded", "*"])
def test_a_single_value_is_never_quoted(value):
    assert cells([value, value, "other"], [0, 0, 1]) == [value, value, "other"]


def test_a_hierarchy_gives_the_label_of_the_lowest_node_above_the_values():
    spec = levels(
        [
            ("nurse", "care", "health", "*"),
            ("doctor", "care", "health", "*"),
            ("chemist", "drugs", "health", "*"),
            ("cook", "kitchen", "house", "*"),
        ]
    )
    values = ["nurse", "nurse", "nurse", "doctor", "nurse", "chemist", "cook", "doctor"]

    assert cells(values, [0, 0, 1, 1, 2, 2, 3, 3], quasi(spec))[::2] == [
        "nurse",
        "care",
        "health",
        "*",
    ]


def test_a_short_path_of_an_uneven_hierarchy_meets_the_others_at_the_root():
    spec = levels([("nurse", "care", "*"), ("doctor", "care", "*"), ("self", "*")])
    values = ["self", "self", "self", "nurse", "nurse", "doctor"]

    assert cells(values, [0, 0, 1, 1, 2, 2], quasi(spec))[::2] == ["self", "*", "care"]


@pytest.mark.parametrize(
    ("spec", "values", "cell"),
    [
        (intervals(5, 10), [21, 24], "[20, 24]"),
        (intervals(5, 10), [21, 27], "[20, 29]"),
        (intervals(5, 10), [21, 31], "*"),
        (intervals(5, 10), [-1, -5], "[-5, -1]"),
        (intervals(0.5, 1), [0.25, 0.75], "[0, 1)"),
        (prefix(5), ["13053", "13055"], "1305*"),
        (prefix(5), ["13053", "13999"], "13***"),
        (prefix(5), ["13053", "23053"], "*"),
        (dates("month", "year", "decade"), [date(2021, 3, 5), date(2021, 3, 9)], "2021-03"),
        (dates("month", "year", "decade"), [date(2021, 3, 5), date(2029, 3, 9)], "2020s"),
        (flat(), ["a", "b"], "*"),
        (flat(), ["a", "a"], "a"),
    ],
)
def test_nodes_of_built_hierarchies_have_the_labels_that_users_expect(spec, values, cell):
    assert cells(values, [0, 0], quasi(spec)) == [cell, cell]


@pytest.mark.parametrize("spec", [quasi(), quasi(publish="mean"), quasi(publish="median"),
                                  quasi(intervals(10))])  # fmt: skip
def test_numbers_mixed_with_missing_become_a_star_and_missing_alone_stays_missing(spec):
    values = [1, None, None, None, 5, 5]

    assert cells(values, [0, 0, 1, 1, 2, 2], spec) == ["*", "*", None, None, "5", "5"]


@pytest.mark.parametrize("spec", [quasi(), quasi(flat()), quasi(prefix(1))])
def test_texts_mixed_with_missing_become_a_star_and_missing_alone_stays_missing(spec):
    values = ["a", None, None, "", "b", "b"]

    assert cells(values, [0, 0, 1, 1, 2, 2], spec) == ["*", "*", None, None, "b", "b"]


@pytest.mark.parametrize(
    ("values", "mean", "median"),
    [
        ([1, 2, 9], "5", "0"),  # 4 and 2, in steps of 5
        ([4, 4, 4, 100], "50", "0"),  # the spread of 96, over four records, asks for steps of 50
        ([7], "5", "5"),  # one value is rounded too
        ([1.5, 2.5], "2", "2"),
        ([-1, 0, 0], "0", "0"),  # and not -0
        ([date(2021, 3, 1), date(2021, 3, 3), date(2021, 3, 18)], "2021-03-01", "2021-03-01"),
        ([date(2021, 3, 17), date(2021, 3, 20)], "2021-04-01", "2021-04-01"),
        ([datetime(2021, 3, 1, 12), datetime(2021, 3, 1, 13, 10)], *["2021-03-01 13:00:00"] * 2),
        ([time(23, 50), time(23, 52)], "23:00:00", "23:00:00"),  # 24:00 is not a time
    ],
)
def test_means_and_medians_by_hand(values, mean, median):
    groups = [0] * len(values)

    assert cells(values, groups, quasi(publish="mean")) == [mean] * len(values)
    assert cells(values, groups, quasi(publish="median")) == [median] * len(values)


def test_a_mean_is_rounded_to_the_step_that_the_policy_names():
    values, groups = [1, 2, 9, 104, 104], [0, 0, 0, 1, 1]
    frame = pl.DataFrame({"a": values, "id": range(5)})
    columns = {"a": quasi(publish="mean", bounds=OnGrid(2)), "id": quasi()}

    assert grouped(frame, columns, groups).cells("a") == ["4"] * 3 + ["104"] * 2


def spread(values):
    return max(values) - min(values)


@pytest.mark.parametrize(
    ("publish", "centre"), [("mean", statistics.fmean), ("median", statistics.median)]
)
@pytest.mark.parametrize("seed", range(8))
def test_means_and_medians_are_those_of_the_records_of_each_group(seed, publish, centre):
    rng = np.random.default_rng(seed)
    values = [int(v) if v < 80 else None for v in rng.integers(0, 13, 60) * 7]
    groups = np.unique(rng.integers(0, 25, 60), return_inverse=True)[1].tolist()
    frame = pl.DataFrame({"a": values, "id": range(60)})  # no two records are equal
    columns = {"a": quasi(publish=publish), "id": quasi()}

    found = grouped(frame, columns, groups).cells("a")

    for text, group in zip(found, groups, strict=True):
        members = [value for value, g in zip(values, groups, strict=True) if g == group]
        present = [value for value in members if value is not None]
        if not present:
            assert text is None
        elif len(present) < len(members):
            assert text == "*"
        else:
            step = next(s for s in (5, 10, 20, 50, 100) if s * len(present) >= spread(present))
            assert float(text) % step == 0
            assert abs(float(text) - centre(present)) <= step / 2


def test_full_domain_levels_give_every_record_the_node_of_its_level():
    frame = pl.DataFrame(
        {"work": ["nurse", "doctor", "cook", "nurse"], "age": [21, 24, 37, 21], "sex": list("fmff")}
    )
    columns = {
        "work": quasi(tree({"care": ["nurse", "doctor"], "kitchen": ["cook"]})),
        "age": quasi(intervals(5, 10), publish="range"),  # full-domain always publishes nodes
        "sex": quasi(flat()),
    }

    made = grouped(frame, columns, [0, 1, 2, 0], levels=(1, 2, 0))

    assert made.cells("work") == ["care", "care", "kitchen", "care"]
    assert made.cells("age") == ["[20, 29]", "[20, 29]", "[30, 39]", "[20, 29]"]
    assert made.cells("sex") == ["f", "m", "f", "f"]


def test_full_domain_level_zero_and_top():
    frame = pl.DataFrame({"a": ["x", "x"], "b": ["y", "z"], "c": [None, "q"]})
    columns = {name: quasi(flat()) for name in "abc"}

    made = grouped(frame, columns, [0, 0], levels=(0, 1, 1))

    assert made.published().frame.rows() == [("x", "*", "*")] * 2


def test_full_domain_leaves_a_column_without_hierarchy_as_it_would_be():
    frame = pl.DataFrame({"a": [1, 2], "b": ["y", "z"]})

    made = grouped(frame, {"a": quasi(), "b": quasi()}, [0, 0], levels=(0, 0))

    assert made.published().frame.rows() == [("[1, 2]", "{y, z}")] * 2


def test_full_domain_publishes_the_root_for_missing_values_too():
    made = grouped(pl.DataFrame({"a": [None, "q"]}), {"a": quasi(flat())}, [0, 1], levels=(1,))

    assert made.cells("a") == ["*", "*"]


def test_sets_of_a_column_with_more_values_than_a_word_has_bits():
    values = [f"{i:03}" for i in range(70)]
    frame = pl.DataFrame({"a": [*values, "000", "001"], "id": range(72)})
    groups = [*range(35), *range(35), 35, 35]  # each value with the 35th after it

    found = grouped(frame, {"a": quasi(), "id": quasi()}, groups).cells("a")

    assert found[:35] == found[35:70] == [f"{{{values[i]}, {values[i + 35]}}}" for i in range(35)]
    assert found[70:] == ["{000, 001}"] * 2


@pytest.mark.parametrize("seed", seeds(5, thorough=100))
def test_who_knows_the_others_does_not_learn_the_last_member_from_a_mean(seed):
    rng = np.random.default_rng(seed)
    values, size = rng.integers(0, 100, 60).tolist(), 5
    frame = pl.DataFrame({"a": values, "id": range(60)})
    columns = {"a": quasi(publish="mean"), "id": quasi()}

    found = grouped(frame, columns, [i // size for i in range(60)]).cells("a")

    for start in range(0, 60, size):
        others, mean = values[start : start + size - 1], float(found[start])
        group = values[start : start + size]
        step = next(s for s in (5, 10, 20) if s * size >= spread(group))
        possible = [v for v in range(-500, 600) if abs(sum([*others, v]) / size - mean) <= step / 2]
        assert len(possible) >= spread(group)


RANGES = [
    ([27, 21, 34, 34], "[20, 29]", "[30, 34]"),
    ([-1, 3, 9, 9], "[-5, 4]", "[5, 9]"),
    ([0.25, 1.1, 3.0, 3.0], "[0.2, 1.2)", "[3, 3.2)"),
    ([0.1, 0.3, 3.0, 3.0], "[0, 0.4)", "[3, 3.2)"),
    ([date(2020, 1, 5), date(2020, 3, 9), date(2021, 5, 5), date(2021, 5, 5)],
     "[2020-01-01, 2020-03-31]", "[2021-05-01, 2021-05-31]"),
    ([time(1, 5), time(4), time(23, 59, 59), time(23, 59, 59)],
     "[00:00:00, 06:00:00)", "[21:00:00, 24:00:00)"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "first", "second"), RANGES)
def test_ranges_on_a_grid_end_on_multiples_of_a_step_and_a_single_value_too(values, first, second):
    found = cells(values, [0, 0, 1, 1], quasi(bounds=OnGrid()))

    assert found == [first] * 2 + [second] * 2


def test_moments_on_a_grid_end_at_a_full_hour_or_day_and_never_after_the_year_9999():
    hours = [datetime(2021, 3, 5, 13, 45), datetime(2021, 3, 5, 14, 5)]
    last = [datetime(9999, 12, 31, 13), datetime(9999, 12, 31, 23)]

    assert cells(hours, [0, 0], quasi(bounds=OnGrid()))[0] == (
        "[2021-03-05 13:00:00, 2021-03-05 15:00:00)"
    )
    assert cells(last, [0, 0], quasi(bounds=OnGrid("day")))[0] == (
        "[9999-12-31 00:00:00, 9999-12-31 23:59:59.999999]"
    )


def test_missing_values_on_a_grid_stay_missing_or_make_the_root():
    assert cells([1, None, None, 8], [0, 0, 1, 2], quasi(bounds=OnGrid())) == [
        "*", "*", None, "[5, 9]",
    ]  # fmt: skip
