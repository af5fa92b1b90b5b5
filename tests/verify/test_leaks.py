"""What a check finds in releases that somebody else made, besides models that fail."""

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.errors import InputError, PolicyError
from shoal.read.source import Source
from shoal.runs.check import check
from shoal.types.verdict import Leak
from shoal.verify.leaks import is_index, rare_values
from shoal.verify.original import refuse_other_original

HIERARCHIES = {
    "age": shoal.intervals(5, 10),
    "zip": shoal.prefix(3),
    "born": shoal.dates("month", "year", "decade"),
    "job": shoal.tree({"Care": ["nurse", "doctor"], "Kitchen": ["cook"]}),
    "pay": None,
}


def rules(*names, k=2, **settings):
    return shoal.Policy.of_roles(
        quasi={name: HIERARCHIES[name] for name in names},
        privacy=[shoal.KAnonymity(k)],
        **settings,
    )


def leaks_in(frame, policy):
    source = frame if isinstance(frame, Source) else Source.of_frame(frame)
    return check(source, policy).leaks


@pytest.mark.parametrize("name", ["", "index", "Unnamed: 0", "__index_level_0__", "nr"])
def test_a_column_that_counts_the_rows_is_an_index(name):
    frame = pl.DataFrame({name: [3, 1, 2, 4], "pay": ["[1, 9]"] * 4})

    verdict = check(Source.of_frame(frame), rules("pay"))

    assert verdict.leaks == (Leak("index", name, 4),)
    assert not verdict.holds


@pytest.mark.parametrize(
    ("name", "values", "found"),
    [
        ("x", [3, 1, 2], True),
        ("x", [1, 2], True),
        ("x", [7], False),
        ("x", [1, 2, 4], False),
        ("x", [5, 9], False),
        ("x", [1, 2, 2], False),
        ("x", ["a", "b"], False),
        ("Index", ["a", "b"], True),
        ("Unnamed: 3", [5, 5], True),
    ],
)
def test_an_index_counts_every_row_once_or_is_called_one(name, values, found):
    assert is_index(pl.Series(name, values), is_text=False) == found


@pytest.mark.parametrize(("smallest", "n_rare"), [(2, 0), (3, 2), (5, 2), (6, 7), (10**30, 7)])
def test_a_value_is_rare_in_fewer_records_than_may_be(smallest, n_rare):
    release = Source(pl.DataFrame({"pay": ["7"] * 2 + ["8"] * 5}))

    leaks = rare_values(release, rules("pay").schema_for(["pay"]), smallest)

    assert sum(leak.count for leak in leaks) == n_rare


def test_a_single_value_is_rare_if_more_records_are_asked_for_than_there_are():
    release = Source(pl.DataFrame({"pay": ["7"] * 4}))

    leaks = rare_values(release, rules("pay").schema_for(["pay"]), 5)

    assert list(leaks) == [Leak("rare value", "pay", 4)]


def test_an_index_in_a_csv_file_is_found_in_its_text():
    frame = pl.DataFrame({"nr": ["10", "8", "9"], "pay": ["[1, 9]"] * 3})

    assert leaks_in(Source(frame, is_text=True), rules("pay")) == (Leak("index", "nr", 3),)


def test_another_column_without_a_role_is_an_error_that_names_it():
    frame = pl.DataFrame({"visits": [3, 3, 7], "pay": ["[1, 9]"] * 3})

    with pytest.raises(PolicyError, match="'visits'"):
        leaks_in(frame, rules("pay"))


def test_a_column_of_durations_without_a_role_is_the_same_error():
    spans = pl.Series([1, 2, 3], dtype=pl.Duration("ms"))
    frame = pl.DataFrame({"stay": spans, "pay": ["[1, 9]"] * 3})

    with pytest.raises(PolicyError, match="'stay'"):
        leaks_in(frame, rules("pay"))


def test_the_index_of_a_pandas_frame_links_rows_to_the_original():
    cells = {"pay": ["[1, 9]"] * 3}

    assert leaks_in(pd.DataFrame(cells, index=[41, 7, 99]), rules("pay")) == (
        Leak("index", None, 3),
    )
    assert leaks_in(pd.DataFrame(cells), rules("pay")) == ()


@pytest.mark.parametrize(
    ("name", "value", "node"),
    [
        ("age", "23", "[20, 24]"),
        ("zip", "130", "13*"),
        ("born", "1999-02-03", "1999-02"),
        ("born", "03.02.1999", "1999-02"),
        ("born", "1999-02-03", "1999"),
        ("born", "1999-02-03", "1990s"),
        ("job", "cook", "Care"),
        ("pay", "1200", "[1100, 1300]"),
        ("pay", "1200", "{1100, 1300}"),
        ("pay", "1200", "*"),
    ],
)
def test_a_rare_value_that_was_not_generalised_is_counted_and_a_rare_node_is_not(name, value, node):
    frame = pl.DataFrame({name: [value, node, "*", "*"]})

    assert leaks_in(frame, rules(name)) == (Leak("rare value", name, 1),)


def test_values_in_enough_records_are_no_leak():
    frame = pl.DataFrame({"age": ["23", "23", "24", "24"], "job": ["cook"] * 4})

    assert leaks_in(frame, rules("age", "job")) == ()
    assert leaks_in(frame, rules("age", "job", k=3)) == (Leak("rare value", "age", 4),)


def test_a_mean_is_no_value():
    columns = {"pay": {"role": "quasi", "publish": "mean"}}
    policy = shoal.Policy.of_mapping(
        {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    )

    assert leaks_in(pl.DataFrame({"pay": ["12.5", "11", "11"]}), policy) == ()


def test_an_original_with_fewer_records_or_other_kept_values_is_refused():
    policy = rules("pay", keep=["visits"])
    release = pl.DataFrame({"pay": ["[1, 9]"] * 3, "visits": [4, 5, 6]})
    fewer = pl.DataFrame({"pay": [1, 9], "visits": [4, 5]})
    other = pl.DataFrame({"pay": [1, 9, 2], "visits": [4, 5, 7]})

    with pytest.raises(InputError, match="3 records, but the original has only 2"):
        check(Source.of_frame(release), policy, original=Source.of_frame(fewer))
    with pytest.raises(InputError, match="'visits': 1 record of the release has a value"):
        check(Source.of_frame(release), policy, original=Source.of_frame(other))


def test_kept_values_are_looked_for_in_the_original_where_both_can_be_read():
    schema = rules("pay", keep=["visits"]).schema_for(["pay", "visits"])

    def compare(after, before):
        release, original = (Source(pl.DataFrame({"visits": v})) for v in (after, before))
        refuse_other_original(release, original, schema)

    compare([4, None], [4, 5])  # a value that is missing tells nothing
    compare([4, 5], pl.Series([1, 2], dtype=pl.Duration("ms")))
    with pytest.raises(InputError, match="'visits': 2 records of the release have values"):
        compare([4, 6, 6], [4, 5, 5])


def test_a_check_notes_sensitive_columns_that_no_model_is_about():
    policy = rules("pay", sensitive=["ill"])
    frame = pl.DataFrame({"pay": ["[1, 9]"] * 2, "ill": ["flu", "flu"]})

    (note,) = check(Source.of_frame(frame), policy).notes

    assert "'ill' is sensitive, but no model" in note
