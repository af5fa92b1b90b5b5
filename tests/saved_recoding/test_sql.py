"""The recoding as SQL, run by DuckDB on the original table: the rows are those of the release."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, time

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import shoal
from saved_recoding.full_domain import HIERARCHIES, ROOTS, FixedLevels, as_csv, people, policy
from saved_recoding.test_recoding import OwnModel
from shoal.errors import InputError
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from tiers import examples, part

EACH_LEVEL = [{name: level} for name in HIERARCHIES for level in range(ROOTS[name])]


def run(query: str, frame: pl.DataFrame, table: str = "data") -> pl.DataFrame:
    with duckdb.connect() as connection:
        connection.register(table, frame.to_arrow())
        return connection.sql(query).pl()


def rows(frame: pl.DataFrame) -> Counter[tuple]:
    return Counter(frame.rows())


def both(source: Source, rules: shoal.Policy) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What DuckDB makes of a table, and the release of the same table."""
    release = anonymize(source, rules)
    return run(release.recoding.sql(), source.frame), release.published


@pytest.mark.parametrize("csv", [True, False], ids=["csv", "typed"])
@pytest.mark.parametrize("levels", part(EACH_LEVEL, 5), ids=str)
def test_every_level_of_every_kind_of_hierarchy(levels, csv):
    source = as_csv(people()) if csv else Source(people())

    found, released = both(source, policy(levels, k=1))

    assert found.columns == released.columns
    assert rows(found) == rows(released)
    (name,) = levels
    assert found[name].null_count() > 0  # missing is missing below the root


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("csv", [True, False], ids=["csv", "typed"])
def test_groups_that_fail_are_left_out_as_in_the_release(seed, csv):
    rng = np.random.default_rng(seed)
    names = rng.choice(["age", "pay", "zip", "born", "seen"], 2, replace=False)
    levels = {"job": 0} | {str(name): ROOTS[name] - 1 for name in names}
    source = as_csv(people(seed=seed)) if csv else Source(people(seed=seed))
    models = [shoal.DistinctLDiversity("disease", 2 + seed % 3)]

    found, released = both(source, policy(levels, k=1 + seed, privacy=models))

    assert released.height < source.n_records
    assert rows(found) == rows(released)


def test_missing_is_a_sensitive_value():
    frame = pl.DataFrame({"x": ["a", "a", "b", "b"], "s": ["flu", None, "flu", "?"]})
    rules = shoal.Policy.of_roles(
        quasi={"x": shoal.flat()}, sensitive=["s"], privacy=[shoal.DistinctLDiversity("s", 2)],
        algorithm=FixedLevels((0,)), missing_values=["", "?"],
    )  # fmt: skip

    found, released = both(Source(frame), rules)

    assert rows(found) == rows(released)
    assert found.height == 4


@pytest.mark.parametrize("missing", ["category", "suppress"])
def test_missing_values_of_the_policy_are_missing(missing):
    frame = pl.DataFrame({"x": ["1", "?", "", None, "1"]})

    found, released = both(
        Source(frame, is_text=True),
        one_column(shoal.flat(), 0, missing=missing, missing_values=["", "?"]),
    )

    assert rows(found) == rows(released)
    assert found["x"].null_count() == (3 if missing == "category" else 0)


def one_column(hierarchy, level, **settings):
    return shoal.Policy.of_roles(
        quasi={"x": hierarchy}, privacy=[shoal.KAnonymity(1)], algorithm=FixedLevels((level,)),
        **({"suppression": 1.0} | settings),
    )  # fmt: skip


UNKNOWN = {
    "listed": (shoal.levels([("b", "x"), ("c", "y")]), ["b", "c"], "xyzzy"),
    "intervals": (shoal.intervals(5), ["1", "2"], "xyzzy"),
    "fraction": (shoal.intervals(5), ["1", "2"], "1.5"),
    "too large": (shoal.intervals(5), ["1", "2"], "9223372036854775808"),
    "dates": (shoal.dates("year"), ["2021-03-05"], "2021-02-29"),
    "month": (shoal.dates("year"), ["2021-03-05"], "2021-13-01"),
    "times": (shoal.dates("hour"), ["2021-03-05 10:00"], "2021-03-05 24:00"),
    "numbers": (shoal.flat(), ["1.5"], "1,5"),
}


@pytest.mark.parametrize("level", ["below", "root"])
@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_value_ends_the_query_or_is_left_out_as_the_policy_says(name, level):
    hierarchy, first, value = UNKNOWN[name]
    at = {"below": 0 if name == "numbers" else 1, "root": 1 if name == "numbers" else 2}[level]
    source = Source(pl.DataFrame({"x": first}), is_text=True)
    later = pl.DataFrame({"x": [*first, value]})
    strict = anonymize(source, one_column(hierarchy, at)).recoding
    lenient = anonymize(source, one_column(hierarchy, at, unknown="suppress")).recoding

    with pytest.raises(duckdb.ConversionException, match="1 records have an unknown") as caught:
        run(strict.sql(), later)
    found = run(lenient.sql(), later)

    assert "xyzzy" not in str(caught.value)
    assert rows(found) == rows(lenient.apply(later).published)
    assert found.height == len(first)


def test_a_missing_value_ends_the_query_where_the_policy_refuses_it():
    recoding = anonymize(
        Source(pl.DataFrame({"x": ["1"]})), one_column(shoal.flat(), 0, missing="error")
    ).recoding

    assert run(recoding.sql(), pl.DataFrame({"x": ["2"]})).height == 1
    with pytest.raises(duckdb.ConversionException, match="1 records have"):
        run(recoding.sql(), pl.DataFrame({"x": ["2", None]}))


def test_an_unknown_sensitive_value_is_treated_as_one_of_a_quasi_identifier():
    listed = shoal.tree({"a": ["flu"], "b": ["gout"]})
    rules = shoal.Policy.of_roles(
        quasi={"x": shoal.flat()}, sensitive={"s": listed}, privacy=[shoal.KAnonymity(1)],
        algorithm=FixedLevels((0,)), unknown="suppress", suppression=0.5,
    )  # fmt: skip
    frame = pl.DataFrame({"x": ["1", "2", "3"], "s": ["flu", "plague", None]})

    found, released = both(Source(frame), rules)

    assert rows(found) == rows(released) == Counter([("1", "flu"), ("3", None)])


def test_values_where_there_were_none_are_unknown():
    nothing = pl.DataFrame({"x": pl.Series([None, None], dtype=pl.String)})
    recoding = anonymize(Source(nothing), one_column(shoal.intervals(5), 0)).recoding

    assert run(recoding.sql(), nothing)["x"].to_list() == [None, None]
    with pytest.raises(duckdb.ConversionException):
        run(recoding.sql(), pl.DataFrame({"x": ["4"]}))


NAMES = ['a"b', "it's", "select", "*", "^a.*$", "two\nlines", "cell_1", "x; drop table data --"]


@pytest.mark.parametrize("name", NAMES)
def test_any_column_and_any_value_can_be_called_anything(name):
    leaves = ["o'neil", 'say "hi"', "back\\slash", "%", "two\nlines", "--", "a;b"]
    rules = shoal.Policy.of_roles(
        quasi={name: shoal.levels([(leaf, f"above {leaf}") for leaf in leaves])},
        sensitive=[name + "2"], keep=["cell_2"],
        privacy=[shoal.KAnonymity(1), shoal.DistinctLDiversity(name + "2", 1)],
        algorithm=FixedLevels((1,)),
    )  # fmt: skip
    frame = pl.DataFrame({name: leaves, name + "2": leaves, "cell_2": range(len(leaves))})

    found, released = both(Source(frame), rules)

    assert found.columns == released.columns
    assert rows(found) == rows(released)


def test_a_table_can_be_called_anything_too():
    frame = people()
    recoding = policy({"sex": 0}).anonymize(frame).recoding

    for table in ('da"ta', "shoal_texts", "shoal_cells", "select"):
        assert run(recoding.sql(table), frame, table).height > 0
    assert '"clinic"."patients"' in recoding.sql("clinic.patients")


def test_an_empty_name_of_a_table_is_refused():
    recoding = policy({"sex": 0}).anonymize(people()).recoding

    with pytest.raises(InputError, match="table"):
        recoding.sql("clinic.")


def test_it_can_be_a_view():
    frame = people()
    release = policy({"age": 2, "sex": 0}, k=3).anonymize(frame)
    with duckdb.connect() as connection:
        connection.register("frame", frame.to_arrow())
        connection.sql("CREATE TABLE data AS SELECT * FROM frame")
        connection.sql(f"CREATE VIEW released AS {release.recoding.sql()}")

        assert rows(connection.sql("SELECT * FROM released").pl()) == rows(release.published)


def test_rows_are_in_an_order_of_their_own():
    frame = people()
    release = policy({"age": 2, "sex": 0}, k=3).anonymize(frame)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=1)

    assert run(release.recoding.sql(), shuffled).equals(run(release.recoding.sql(), frame))


def head_of(query: str) -> str:
    return "\n".join(line for line in query.splitlines() if line.startswith("--"))


def test_its_head_says_that_it_is_internal_and_what_it_enforces():
    models = [shoal.DistinctLDiversity("disease", 2)]
    recoding = policy({"sex": 0}, k=3, privacy=models, suppression=1).anonymize(people()).recoding

    head = head_of(recoding.sql())

    assert "INTERNAL" in head
    assert "k-anonymity (k 3)" in head
    assert 'distinct-l-diversity (column "disease", l 2)' in head
    assert "NOT enforced" not in head


def test_its_head_names_the_models_that_it_does_not_enforce():
    recoding = policy({"sex": 0}, privacy=[OwnModel()]).anonymize(people()).recoding

    head = head_of(recoding.sql())

    assert "NOT enforced here: own-model" in head
    assert "shoal check" in head


def test_a_column_cannot_end_the_comment_at_the_head():
    name = "s\n; drop table data --"
    rules = shoal.Policy.of_roles(
        quasi={"x": shoal.flat()}, sensitive=[name], privacy=[shoal.DistinctLDiversity(name, 1)],
        algorithm=FixedLevels((0,)),
    )  # fmt: skip
    query = rules.anonymize(pl.DataFrame({"x": ["1"], name: ["2"]})).recoding.sql()

    assert not any(line.startswith("; drop") for line in query.partition("WITH")[0].splitlines())


def test_no_value_of_a_rule_is_in_the_query():
    frame = people()
    query = policy({"zip": 3, "age": 1}).anonymize(frame).recoding.sql()

    codes = {code for code in frame["zip"].drop_nulls() if code != "00000"}
    assert len(codes) > 20
    assert not any(code in query for code in codes)


numbers = st.one_of(
    st.integers(-(2**62), 2**62).map(str),
    st.integers(-50, 50).map(str),
)
fractions = st.decimals(-1000, 1000, places=3).map(str)
widths = st.sampled_from([(0.1, 0.5, 5), (0.25, 1), (5, 10), (3,), (1, 7), (1000, 10**6), (2**62,)])


@examples(10, thorough=50)
@given(values=st.lists(numbers, min_size=1, max_size=8), widths=widths, data=st.data())
def test_any_whole_number_falls_into_the_bin_of_the_release(values, widths, data):
    if any(width % 1 for width in widths):
        values = [value[-6:].lstrip("-0") or "0" for value in values]
    _compare_bins(values, widths, data.draw(st.integers(0, len(widths))))


@examples(10, thorough=50)
@given(values=st.lists(fractions, min_size=1, max_size=8), widths=widths, data=st.data())
def test_any_fraction_falls_into_the_bin_of_the_release(values, widths, data):
    assume(max(widths) < 2**53)  # beyond, fractions are no longer exact anywhere
    _compare_bins([*values, "0.5"], widths, data.draw(st.integers(0, len(widths))))


def _compare_bins(values, widths, level):
    source = Source(pl.DataFrame({"x": values}), is_text=True)

    found, released = both(source, one_column(shoal.intervals(*widths), level))

    assert rows(found) == rows(released)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_number_on_the_edge_of_a_bin_is_in_the_bin_of_the_release(level):
    """0.3 / 0.1 is just below 3."""
    _compare_bins([f"{i / 10:.1f}" for i in range(-100, 100)], (0.1, 0.5), level)


def test_a_width_beyond_the_arithmetic_of_the_engine_has_two_bins():
    _compare_bins(["-5", "7", "9223372036854775807"], (2**65,), 1)


@examples(10, thorough=30)
@given(
    values=st.lists(st.dates(min_value=date(1000, 1, 1)), min_size=1, max_size=8),
    way=st.sampled_from(
        ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%-d.%-m.%Y", "%-d-%b-%Y", "%d %B %Y"]
    ),
    level=st.integers(0, 7),
)
def test_any_day_falls_into_the_month_or_year_of_the_release(values, way, level):
    texts = [value.strftime(way) for value in values]
    units = ("hour", "day", "month", "quarter", "year", "decade", "century")

    found, released = both(
        Source(pl.DataFrame({"x": texts}), is_text=True), one_column(shoal.dates(*units), level)
    )

    assert rows(found) == rows(released)


@examples(10, thorough=30)
@given(values=st.lists(st.datetimes(), min_size=1, max_size=8), level=st.integers(0, 3))
def test_any_moment_falls_into_the_hour_of_the_release(values, level):
    frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.Datetime("us"))})

    found, released = both(
        Source(frame), one_column(shoal.dates("hour", "month", "century"), level)
    )

    assert rows(found) == rows(released)


codes = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=7)


@examples(10, thorough=30)
@given(values=st.lists(codes, min_size=1, max_size=8), level=st.integers(0, 5))
def test_any_code_is_shortened_as_in_the_release(values, level):
    frame = pl.DataFrame({"x": values})

    found, released = both(Source(frame), one_column(shoal.prefix(5), level))

    assert rows(found) == rows(released)


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64])
@pytest.mark.parametrize("level", [0, 1])
def test_a_leaf_is_found_by_the_number_it_means(dtype, level):
    listed = shoal.levels([("17.0", "young"), ("6e1", "old"), ("61", "old")])
    frame = pl.DataFrame({"x": pl.Series([17, 60, 61], dtype=dtype)})

    found, released = both(Source(frame), one_column(listed, level))

    assert rows(found) == rows(released)


TYPED = {
    "boolean": [True, None, False],
    "time": [time(9, 30), time(9, 30, 1, 500), None],
    "small integers": pl.Series([1, None, 3], dtype=pl.Int8),
    "decimals": pl.Series(["1.50", None, "2.00"]).str.to_decimal(scale=2),
    "categories": pl.Series(["a", None, "b"], dtype=pl.Enum(["b", "a"])),
}


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("name", TYPED)
def test_columns_of_any_type(name, level):
    frame = pl.DataFrame({"x": TYPED[name]})

    found, released = both(Source(frame), one_column(shoal.flat(), level))

    assert rows(found) == rows(released)


def test_not_a_number_is_missing_in_a_typed_column():
    frame = pl.DataFrame({"x": [1.5, float("nan"), None]})

    found, released = both(Source(frame), one_column(shoal.intervals(5), 1))

    assert rows(found) == rows(released)


def test_the_order_of_the_input_is_kept_where_the_policy_says_so():
    recoding = policy({"sex": 0}).anonymize(people()).recoding
    kept = replace(recoding, policy=replace(recoding.policy, order="input"))

    assert "ORDER BY cell_1" in recoding.sql()
    assert "ORDER BY cell_1" not in kept.sql()
