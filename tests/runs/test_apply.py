"""New records recoded as an earlier release was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from saved_recoding.full_domain import (
    HIERARCHIES,
    ROOTS,
    FixedLevels,
    as_csv,
    people,
    policy,
    with_suppression,
)
from shoal.errors import CannotSatisfy, InputError, UnknownValues
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.apply import apply
from tiers import part

EACH_LEVEL = [{name: level} for name in HIERARCHIES for level in range(ROOTS[name])]


def cells_of(release, source) -> dict[str, tuple]:
    """The cells of each person, by name, in a release that keeps the order and every record."""
    cells = release.published.select(*HIERARCHIES).rows()
    return dict(zip(source.frame["name"], cells, strict=True))


def recoded(levels, *, csv: bool, n: int = 120, **settings):
    """A release that keeps the input's order, its recoding and its source."""
    source = as_csv(people(n)) if csv else Source(people(n))
    release = anonymize(source, policy(levels, k=1, order="input", **settings))
    return release, release.recoding, source


@pytest.mark.parametrize("csv", [True, False], ids=["csv", "typed"])
@pytest.mark.parametrize("levels", part(EACH_LEVEL, 3, thorough=12), ids=str)
def test_a_record_alone_gets_the_cells_that_it_has_in_the_release(levels, csv):
    """Whatever a rule makes of all values of a table, it makes of one."""
    release, recoding, source = recoded(levels, csv=csv)
    cells = cells_of(release, source)

    for i in part(range(0, source.n_records, 14), 4):
        one = replace(source, frame=source.frame[i : i + 1])
        again = apply(recoding, one).published.select(*HIERARCHIES).row(0)
        assert again == cells[source.frame["name"][i]]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("csv", [True, False], ids=["csv", "typed"])
def test_any_subset_gets_the_cells_that_it_has_in_the_release(seed, csv):
    rng = np.random.default_rng(seed)
    levels = {name: int(rng.integers(0, root + 1)) for name, root in ROOTS.items()}
    release, recoding, source = recoded(levels, csv=csv)
    cells = cells_of(release, source)
    chosen = rng.choice(source.n_records, 30, replace=False)
    some = replace(source, frame=source.frame[chosen])

    again = apply(recoding, some)

    assert cells_of(again, some) == {name: cells[name] for name in some.frame["name"]}


@pytest.mark.parametrize("csv", [True, False], ids=["csv", "typed"])
def test_the_same_table_gives_the_same_release(csv):
    source = as_csv(people()) if csv else Source(people())
    release = anonymize(source, policy({"age": 2, "sex": 0, "job": 1}, k=4))

    again = apply(release.recoding, source)

    assert release.summary()["suppressed"] > 0
    assert again.published.equals(release.published)
    assert again.measures == pytest.approx(release.measures)
    assert again.groups.tolist() == release.groups.tolist()


def test_whole_numbers_are_binned_as_fractions_were():
    """One value with a fraction made the column one of numbers; the next table has none."""
    rules = one_column(shoal.intervals(5, 10), 1)
    first = Source(pl.DataFrame({"x": ["1", "2.5", "7"]}), is_text=True)
    recoding = anonymize(first, rules).recoding

    later = apply(recoding, Source(pl.DataFrame({"x": ["1", "7", "12"]}), is_text=True))

    assert later.published["x"].to_list() == ["[0, 5)", "[10, 15)", "[5, 10)"]


def test_codes_stay_codes_where_none_has_a_leading_zero():
    first = Source(pl.DataFrame({"x": ["02139", "13053"]}), is_text=True)
    recoding = anonymize(first, one_column(shoal.flat(), 0)).recoding

    later = apply(recoding, Source(pl.DataFrame({"x": ["13053", "9"]}), is_text=True))

    assert later.published["x"].to_list() == ["13053", "9"]


def one_column(hierarchy, level, **settings):
    return shoal.Policy.of_roles(
        quasi={"x": hierarchy}, privacy=[shoal.KAnonymity(1)], algorithm=FixedLevels((level,)),
        **settings,
    )  # fmt: skip


def recoding_of(hierarchy, level, values, *, is_text=False, **settings):
    source = Source(pl.DataFrame({"x": values}), is_text=is_text)
    return anonymize(source, one_column(hierarchy, level, **settings)).recoding


def applied(recoding, values, *, is_text=False, **how):
    return apply(recoding, Source(pl.DataFrame({"x": values}), is_text=is_text), **how)


def test_a_new_value_is_recoded_by_its_rule():
    later = applied(recoding_of(shoal.intervals(5), 1, [1, 2]), [99])

    assert later.published["x"].to_list() == ["[95, 99]"]


@pytest.mark.parametrize(
    ("kind", "first", "later", "cells"),
    [
        ("integer", [1, 2], [3.0, None], ["3", None]),
        ("integer", [1, 2], ["3", "4.0"], ["3", "4"]),
        ("number", [1.5, None], [3, None], ["3", None]),
        ("number", [1.5], ["2.50"], ["2.5"]),
        ("date", [pl.date(2021, 3, 5)], ["05.03.2021", "2021/03/06"], ["2021-03-05", "2021-03-06"]),
        ("datetime", [pl.datetime(2021, 3, 5)], ["2021-03-05", "2021-03-06T10:30"],
         ["2021-03-05 00:00:00", "2021-03-06 10:30:00"]),
        ("boolean", [True, False], ["True", "false"], ["true", "false"]),
        ("time", [pl.time(9, 30)], ["10:30:00"], ["10:30:00"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_another_kind_of_file_gives_the_same_cells(kind, first, later, cells):
    first = pl.select(x=pl.concat_list(first).explode())["x"]
    recoding = recoding_of(shoal.flat(), 0, first)

    release = applied(recoding, later)

    assert recoding.policy.columns["x"].hierarchy.kind == kind
    assert sorted(release.published["x"].to_list(), key=str) == sorted(cells, key=str)


def test_text_in_the_release_and_numbers_now_are_refused():
    with pytest.raises(InputError, match="was text in the release and is integer now"):
        applied(recoding_of(shoal.prefix(5), 2, ["02139"]), [2139])


def test_a_leaf_is_found_by_the_number_it_means():
    listed = shoal.levels([("17.0", "young"), ("60", "old")])
    recoding = recoding_of(listed, 0, [17, 60])

    assert applied(recoding, [17.0, 60.0]).published["x"].to_list() == ["17.0", "60"]
    assert applied(recoding, [17, 60]).published["x"].to_list() == ["17.0", "60"]


UNREADABLE = [
    (shoal.levels([("xyzzy1", "a"), ("b", "a")]), ["b"], "xyzzy2", True),
    (shoal.intervals(5), [1], "xyzzy", False),
    (shoal.intervals(5), [1], "1.5", False),
    (shoal.intervals(5), [1], "99999999999999999999", False),
    (shoal.dates("year"), [pl.date(2021, 3, 5)], "2021-02-30", False),
    (shoal.flat(), [True], "xyzzy", False),
]


@pytest.mark.parametrize(("hierarchy", "first", "value", "is_listed"), UNREADABLE)
def test_a_value_without_a_place_is_unknown(hierarchy, first, value, is_listed):
    first = first if is_listed else pl.select(x=pl.concat_list(first).explode())["x"]
    strict = recoding_of(hierarchy, 1, first)
    lenient = recoding_of(hierarchy, 1, first, unknown="suppress", suppression=0.5)
    known = str(first[0]) if not is_listed else "b"

    with pytest.raises(UnknownValues) as caught:
        applied(strict, [known, value])
    release = applied(lenient, [known, value])

    assert caught.value.values == (value,)
    assert value not in str(caught.value)
    assert release.groups.tolist() == [0, -1]


def test_more_unknown_values_than_may_be_suppressed_are_refused():
    recoding = recoding_of(shoal.flat(), 1, [1, 2], unknown="suppress", suppression=0.5)

    with pytest.raises(CannotSatisfy, match=r"2 records .* must be suppressed"):
        applied(recoding, ["1", "x", "y"])


def test_an_unknown_sensitive_value_is_treated_as_the_policy_says():
    rules = policy({"sex": 0}, unknown="suppress")
    listed = shoal.tree({"a": ["flu", "o'cold"], "b": ["gout", "none"]})
    spec = replace(rules.columns["disease"], hierarchy=listed)
    rules = replace(rules, columns={**rules.columns, "disease": spec})
    recoding = rules.anonymize(people()).recoding
    frame = people().with_columns(
        pl.when(pl.col("visits") == 3).then(pl.lit("plague")).otherwise("disease").alias("disease")
    )

    release = recoding.apply(frame)

    assert (release.groups[(frame["visits"] == 3).to_numpy()] == -1).all()
    assert "plague" not in release.frame["disease"]


@pytest.mark.parametrize("level", [1, 2])
def test_missing_is_kept_below_the_root(level):
    recoding = recoding_of(shoal.intervals(5), level, [1, None, 9])

    cells = applied(recoding, pl.Series([None, 7], dtype=pl.Int64)).published["x"].to_list()

    assert cells == ([None, "[5, 9]"] if level == 1 else ["*", "*"])


@pytest.mark.parametrize(("level", "cell"), [(0, None), (1, None), (2, "*")])
def test_a_column_that_is_now_missing_throughout_keeps_its_level(level, cell):
    recoding = recoding_of(shoal.intervals(5), level, [1, None, 9])

    later = applied(recoding, pl.Series([None, None], dtype=pl.Int64))

    assert later.published["x"].to_list() == [cell, cell]


@pytest.mark.parametrize("level", [1, 2])
def test_missing_beside_suppressed_unknown_values_keeps_its_level(level):
    recoding = recoding_of(
        shoal.intervals(5), level, [1, None, 9], unknown="suppress", suppression=0.5
    )

    later = applied(recoding, ["x", None])

    assert later.published["x"].to_list() == [None if level == 1 else "*"]


def test_missing_values_are_missing_and_written_as_the_policy_says():
    recoding = recoding_of(shoal.flat(), 0, ["1", "?"], is_text=True, missing_values=["?"])

    assert applied(recoding, ["?", "2"], is_text=True).published["x"].to_list() == ["?", "2"]
    assert applied(recoding, [None, 2]).published["x"].to_list() == [None, "2"]


def test_a_typed_number_is_not_taken_for_a_missing_value():
    recoding = recoding_of(shoal.flat(), 0, [1, 99], missing_values=["99"])

    assert applied(recoding, [99]).published["x"].to_list() == ["99"]


def test_missing_is_an_error_or_suppressed_as_the_policy_says():
    strict = recoding_of(shoal.flat(), 1, [1, 2], missing="error")
    lenient = recoding_of(shoal.flat(), 1, [1, 2], missing="suppress", suppression=0.5)

    with pytest.raises(InputError, match="1 record has no value"):
        applied(strict, [1, None])
    assert applied(lenient, [1, None]).groups.tolist() == [0, -1]


def test_values_in_a_column_that_had_none_are_refused():
    nothing = pl.Series([None, None], dtype=pl.Int64)
    recoding = recoding_of(shoal.intervals(5), 0, nothing)

    assert applied(recoding, nothing).published["x"].to_list() == [None, None]
    with pytest.raises(InputError, match="1 record have a value, but none had one"):
        applied(recoding, pl.Series([None, 4], dtype=pl.Int64))


def test_values_in_a_column_that_had_none_are_suppressed_where_unknown_ones_are():
    recoding = recoding_of(
        shoal.intervals(5), 0, pl.Series([None], dtype=pl.Int64), unknown="suppress",
        suppression=0.5,
    )  # fmt: skip

    assert applied(recoding, pl.Series([None, 4], dtype=pl.Int64)).groups.tolist() == [0, -1]


def test_withheld_columns_may_be_absent_and_are_left_out():
    recoding = policy({"sex": 0}).anonymize(people()).recoding

    with_names, without = recoding.apply(people()), recoding.apply(people().drop("name"))

    assert "name" not in with_names.frame.columns
    assert with_names.frame.equals(without.frame)


def test_columns_come_in_the_order_of_the_release():
    recoding = policy({"sex": 0}).anonymize(people()).recoding

    release = recoding.apply(people().select(reversed(people().columns)))

    assert release.frame.columns == people().columns[1:]


def test_a_missing_and_an_unknown_column_are_named():
    recoding = policy({"sex": 0}).anonymize(people()).recoding

    with pytest.raises(InputError, match="'age' of the release is not in the new data"):
        recoding.apply(people().rename({"age": "aeg"}))
    with pytest.raises(InputError, match="'more' of the new data is not in the recoding"):
        recoding.apply(people().with_columns(more=1))


def test_the_order_of_the_input_is_forgotten():
    recoding = policy({"sex": 0, "job": 1}).anonymize(people()).recoding
    shuffled = people().sample(fraction=1, shuffle=True, seed=3)

    assert recoding.apply(shuffled).frame.equals(recoding.apply(people()).frame)


@pytest.mark.parametrize("convert", [lambda f: f.to_pandas(), lambda f: f.to_arrow()])
def test_the_same_kind_of_frame_comes_back(convert):
    recoding = policy({"age": 2, "sex": 0}).anonymize(people()).recoding
    frame = convert(people())

    release = recoding.apply(frame)

    assert type(release.frame) is type(frame)
    assert isinstance(frame, pd.DataFrame | pa.Table)
    assert release.published["age"].to_list() == recoding.apply(people()).published["age"].to_list()


def test_groups_that_fail_are_suppressed_within_the_share_of_the_new_records():
    rules = policy({"sex": 0, "job": 0}, k=2, suppression=0.1)
    recoding = rules.anonymize(people()).recoding
    frame = people(40, missing=0).with_columns(sex=pl.lit("f"), job=pl.lit("cook"))
    odd = frame[:3].with_columns(job=pl.Series(["nurse", "nurse", "doctor's"]))

    release = recoding.apply(pl.concat([odd, frame[3:]]))

    assert release.groups[2] == -1
    assert (release.groups != -1).sum() == 39
    assert release.verdict.findings[0].achieved == 2


def test_more_than_may_be_suppressed_is_refused_with_counts_and_advice():
    rules = policy({"sex": 0, "zip": 0}, k=2)
    recoding = with_suppression(rules.anonymize(people()).recoding, 0.05)
    frame = people(40, missing=0).with_columns(zip=pl.Series([f"{i:05}" for i in range(40)]))

    with pytest.raises(CannotSatisfy) as caught:
        recoding.apply(frame)

    message = str(caught.value)
    assert "40 groups with 40 records fail" in message
    assert "at most 2 records may be" in message
    assert "--release" in message
    assert "00007" not in message


def test_an_applied_release_has_the_same_recoding():
    recoding = policy({"age": 2, "sex": 0}).anonymize(people()).recoding

    assert recoding.apply(people(50)).recoding == recoding
