"""What an audit by fresh eyes found, and must not find again."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.errors import CannotSatisfy, HierarchyError, InputError, PolicyError
from shoal.proposals.propose import propose
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.check import check
from shoal.types.repeating import Repeating

K2 = [shoal.KAnonymity(2)]


def test_a_release_of_parquet_holds_when_it_is_written_as_csv(tmp_path):
    table = pl.DataFrame({"age": [1, 1, 2, 2], "d": ["1", "1.0", "1", "1.0"]})
    rules = shoal.Policy.of_roles(
        quasi=["age"], sensitive=["d"], privacy=[*K2, shoal.DistinctLDiversity("d", 2)]
    )

    rules.anonymize(table).write(tmp_path / "release.csv")

    assert check(read_file(tmp_path / "release.csv"), rules).holds


def test_relaxed_mondrian_does_not_depend_on_the_order_of_equal_records():
    def release_of(values):
        table = pl.DataFrame({"a": ["1"] * 4 + ["0", "2"], "d": [*values, "1", "1"]})
        rules = shoal.Policy.of_roles(
            quasi=["a"], sensitive=["d"], privacy=K2, algorithm=shoal.Mondrian(strict=False)
        )
        return anonymize(Source(table, is_text=True), rules).frame.rows()

    assert release_of(["1", "1.0", "1.0", "1"]) == release_of(["1", "1", "1.0", "1.0"])


def test_neither_a_release_nor_a_policy_shows_values_when_printed():
    policy = shoal.Policy.of_roles(quasi={"a": shoal.tree(["secret", "other"])}, privacy=K2)

    release = policy.anonymize(pl.DataFrame({"a": ["secret", "secret", "other"]}))

    assert repr(release) == "<Release: 3 of 3 records in 1 group, verified>"
    assert "secret" not in repr(policy)


def test_values_that_differ_in_spelling_only_are_noted():
    table = pl.DataFrame({"a": [1, 1, 1], "d": ["HIV", "HIV ", "hiv"]})

    release = shoal.anonymize(
        table, quasi=["a"], sensitive=["d"], privacy=[shoal.DistinctLDiversity("d", 2)]
    )

    assert any("2 values differ from another value only" in note for note in release.notes)


def test_a_sensitive_column_that_no_model_is_about_is_noted():
    table = pl.DataFrame({"a": [1, 1], "d": ["x", "x"]})

    release = shoal.anonymize(table, quasi=["a"], sensitive=["d"], privacy=K2)

    assert any("'d' is sensitive, but no model" in note for note in release.notes)


def test_k_beyond_any_table_is_refused():
    with pytest.raises(CannotSatisfy, match="k-anonymity needs"):
        shoal.anonymize(
            pl.DataFrame({"a": [1, 2]}), quasi=["a"], privacy=[shoal.KAnonymity(10**22)]
        )


@pytest.mark.parametrize("publish", ["mean", "median"])
def test_the_centre_of_huge_numbers_is_one_of_them_or_between(publish):
    numbers = [1.7e308, 1.6e308, 1.5e308, -1.7e308, -1.6e308, -1.5e308]
    rules = shoal.Policy.of_mapping(
        {
            "columns": {"a": {"role": "quasi", "publish": publish}},
            "privacy": {"model": "k-anonymity", "k": 3},
        }
    )

    cells = set(rules.anonymize(pl.DataFrame({"a": numbers})).frame["a"])

    assert sorted(map(float, cells)) == pytest.approx([-1.6e308, 1.6e308])


def test_intervals_wider_than_any_number_are_one_bin_on_each_side_of_zero():
    column = shoal.intervals(1e30)
    table = pl.DataFrame({"a": [-5, -4, 3, 4]})

    release = shoal.anonymize(table, quasi={"a": column}, privacy=K2)

    assert release.verdict.n_groups == 2


def test_intervals_too_narrow_for_the_numbers_are_refused():
    with pytest.raises(HierarchyError, match="too narrow"):
        shoal.anonymize(
            pl.DataFrame({"a": [1e300, 2e300]}), quasi={"a": shoal.intervals(1e-300)}, privacy=K2
        )


def test_a_column_that_is_dropped_may_mix_kinds_of_values():
    table = pd.DataFrame({"id": [1, "A2", 3, "B4"], "age": [1, 1, 2, 2]})

    release = shoal.anonymize(table, identifiers=["id"], quasi=["age"], privacy=K2)

    assert release.frame.columns.tolist() == ["age"]


def test_a_column_that_is_kept_may_mix_kinds_of_values():
    table = pd.DataFrame({"id": [1, "A2", 3, "B4"], "age": [1, 1, 2, 2]})

    release = shoal.anonymize(table, keep=["id"], quasi=["age"], privacy=K2)

    assert set(release.frame["id"]) == {1, "A2", 3, "B4"}


@pytest.mark.parametrize("key", ["hierarchy", "publish", "weight"])
def test_what_would_be_ignored_is_refused(key):
    value = {"hierarchy": "flat", "publish": "set", "weight": "2"}[key]

    with pytest.raises(PolicyError, match=f"keep has no {key}"):
        shoal.Policy.of_mapping({"columns": {"a": {"role": "keep", key: value}}})


@pytest.mark.parametrize("k", ["1_0", "２", "5.0", ""])
def test_only_plain_digits_are_a_whole_number(k):
    with pytest.raises(PolicyError, match="whole number"):
        shoal.Policy.of_mapping(
            {"columns": {"a": "quasi"}, "privacy": [{"model": "k-anonymity", "k": k}]}
        )


@pytest.mark.parametrize("texts", [["05.03.2021", "06.03.2021"], ["2021/03/05", "2021/03/06"]])
def test_dates_that_everybody_reads_alike_are_dates(texts):
    rules = shoal.Policy.of_roles(quasi={"born": shoal.dates("month", "year")}, privacy=K2)

    release = anonymize(Source(pl.DataFrame({"born": texts}), is_text=True), rules)

    assert release.frame["born"].to_list() == ["2021-03", "2021-03"]


def test_init_finds_identifiers_that_repeat_and_copes_with_patterns_as_names():
    names = [f"p{i % 9}@x.org" for i in range(20)]
    table = pl.DataFrame({"email": names, "^a.*$": ["x", "?"] * 10, "age": range(20)})

    proposal = propose(Source(table, is_text=False))

    assert proposal.person is not None
    assert proposal.person.column == "email"


def test_the_order_of_quasi_identifiers_alone_is_found():
    table = pl.DataFrame({"age": [50, 10, 51, 11, 90, 30, 91, 31], "day": [1, 2, 1, 2, 3, 4, 3, 4]})
    rules = shoal.Policy.of_roles(quasi=["age", "day"], privacy=K2)

    kept = replace(rules, order="input").anonymize(table).published
    forgotten = rules.anonymize(table).published

    assert check(Source(kept), rules, original=Source(table)).leaks
    assert not check(Source(forgotten), rules, original=Source(table)).leaks


def test_a_release_that_is_sorted_as_its_original_was_is_no_leak():
    table = pl.DataFrame({"a": ["1", "1", "2", "2"], "d": ["x", "y", "x", "y"]})
    rules = shoal.Policy.of_roles(quasi=["a"], sensitive=["d"], privacy=K2)

    release = rules.anonymize(table).published

    assert release.rows() == table.rows()
    assert check(Source(release), rules, original=Source(table)).holds


def test_a_date_stays_a_date_of_its_own_type_when_kept():
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)]

    release = shoal.anonymize(
        pl.DataFrame({"a": [1, 1, 2, 2], "day": days}), quasi=["a"], keep=["day"], privacy=K2
    )

    assert release.frame["day"].to_list() == days


def test_an_identifier_that_repeats_in_the_original_is_found_by_anonymize_and_check():
    names = [f"n{i % 9}" for i in range(20)]
    table = pl.DataFrame({"name": names, "age": [1, 2] * 10})
    rules = shoal.Policy.of_roles(identifiers=["name"], quasi=["age"], privacy=K2)
    release = rules.anonymize(table)

    verdict = check(Source(release.published), rules, original=Source(table))

    assert release.verdict.repeating == verdict.repeating == (Repeating("name", 9, 20),)
    assert release.repeating == ("name",)
    assert (release.verdict.holds, verdict.holds) == (True, True)


def test_sets_that_would_fill_the_disk_are_refused():
    table = pl.DataFrame({"name": [f"person number {i}" for i in range(10_000)]})

    rules = {
        "columns": {"name": {"role": "quasi", "rare": "list"}},
        "privacy": [{"model": "k-anonymity", "k": 10_000}],
    }

    with pytest.raises(InputError, match="'name' has so many different values"):
        shoal.Policy.of_mapping(rules).anonymize(table)


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("names", [["age"], ["age", "b,c"]])
def test_a_release_is_read_back_whatever_its_delimiter(delimiter, names, tmp_path):
    table = pl.DataFrame({name: [21, 27, 30, 35] for name in names})
    rules = shoal.Policy.of_roles(quasi=names, privacy=K2)

    rules.anonymize(table).write(tmp_path / "release.csv", delimiter=delimiter)

    assert check(read_file(tmp_path / "release.csv"), rules).holds


def test_kept_values_of_mixed_kinds_lose_the_order_of_the_input():
    values = ["z", 3, "y", 1, "b", 2]

    def released(order):
        frame = pd.DataFrame({"a": [1] * 6, "x": [values[i] for i in order]})
        return shoal.anonymize(frame, quasi=["a"], keep=["x"], privacy=K2).frame["x"].tolist()

    assert released([0, 1, 2, 3, 4, 5]) == released([5, 3, 1, 0, 2, 4]) != values


def test_a_policy_that_keeps_the_order_is_said_to_leak_it():
    table = pl.DataFrame({"age": [50, 10, None, 51, 11]})
    rules = shoal.Policy.of_roles(
        quasi=["age"], privacy=K2, order="input", missing="suppress", suppression=0.2
    )

    verdict = check(Source(rules.anonymize(table).published), rules, original=Source(table))

    assert [leak.kind for leak in verdict.leaks] == ["order of the original"]


def test_a_type_that_lists_values_is_not_shown():
    column = pl.Series("a", [["SECRET"]], dtype=pl.List(pl.Enum(["SECRET"])))

    with pytest.raises(InputError, match="contains List") as raised:
        shoal.anonymize(pl.DataFrame([column]), quasi=["a"], privacy=[shoal.KAnonymity(1)])

    assert "SECRET" not in str(raised.value)


def test_an_empty_cell_is_missing_however_it_is_written():
    table = pl.DataFrame({"a": ["", None, "?", "x", "x"]})
    rules = shoal.Policy.of_roles(quasi=["a"], privacy=K2, missing_values=["?"])

    release = anonymize(Source(table, is_text=True), rules)

    assert release.frame["a"].to_list() == ["?", "?", "?", "x", "x"]
