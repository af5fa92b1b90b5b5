"""Whole runs on decimal commas and signs between thousands: what is published has points."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import shoal
from shoal.errors import InputError, PolicyError, UnknownValues
from shoal.read.columns import read_column
from shoal.read.sensitive import sensitive_of
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.attack import attack_release
from shoal.runs.check import check
from shoal.runs.risk import risk_of
from shoal.saved_recoding.recoding import Recoding

PAY = ["1.234,5", "1.240,25", "2.100", "2.150,75"]
GERMAN = {"role": "quasi", "decimal": ",", "thousands": "."}
RANGES = {"[1234.5, 1240.25]", "[2100, 2150.75]"}


def policy(pay=None, **settings):
    keys = {"columns": {"pay": pay or "quasi"}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    return shoal.Policy.of_mapping({**keys, **settings})


def csv(texts, name="pay"):
    return Source(pl.DataFrame({name: texts}), is_text=True)


def cells(release):
    return set(release.published["pay"].to_list())


@pytest.mark.parametrize("is_text", [True, False], ids=["csv", "frame"])
@pytest.mark.parametrize(
    "rules",
    [policy(GERMAN), policy(decimal=",", thousands=".")],
    ids=["the column says it", "the table says it"],
)
def test_numbers_are_published_with_a_point(rules, is_text):
    source = Source(pl.DataFrame({"pay": PAY}), is_text=is_text)

    release = anonymize(source, rules)

    assert cells(release) == RANGES
    assert check(Source(release.published), rules, original=source).holds
    assert attack_release(Source(release.published), source, rules).linkage.n_people == 4


def test_without_the_key_a_note_says_what_to_write():
    release = anonymize(csv(["1,5", "2,5", "1,5", "2,5"]), policy())

    assert any('Give the column `decimal: ","`.' in note for note in release.notes)


def test_later_records_are_read_as_the_first_ones_were(tmp_path):
    rules = policy({"role": "quasi", "hierarchy": {"intervals": [100, 1000]}},
                   algorithm={"name": "flash"}, decimal=",", thousands=".")  # fmt: skip
    release = anonymize(csv(PAY), rules)
    release.recoding.write(tmp_path / "recoding.json")
    recoding = Recoding.load(tmp_path / "recoding.json")

    later = recoding.apply(pl.DataFrame({"pay": ["1.299,99", "1.299"]}))

    assert later.frame["pay"].to_list() == ["[1200, 1300)", "[1200, 1300)"]
    assert recoding.apply(pl.DataFrame({"pay": [1299.99, 1299.0]})).frame.equals(later.frame)
    with pytest.raises(UnknownValues):
        recoding.apply(pl.DataFrame({"pay": ["1299.99", "1299.99"]}))
    with pytest.raises(InputError, match="read by its `thousands`, which cannot be written as SQL"):
        recoding.sql()


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ({"decimal": ","}, ["1299,5", "1201"]),
        ({"decimal": ",", "thousands": " "}, ["1 299,5", "1\u00a0201"]),
        ({"thousands": ","}, ["1,299.5", "1201"]),
        ({"thousands": "'"}, ["1'299.5", "1’201"]),
    ],
    ids=str,
)
def test_sql_reads_what_apply_reads(said, later):
    rules = policy({"role": "quasi", "hierarchy": {"intervals": [100]}, **said},
                   algorithm={"name": "flash"})  # fmt: skip
    recoding = anonymize(csv(later), rules).recoding
    table = pl.DataFrame({"pay": later})

    with duckdb.connect() as connection:
        connection.register("data", table.to_arrow())
        made = connection.sql(recoding.sql()).pl()["pay"].to_list()
    assert made == recoding.apply(table).frame["pay"].to_list() == ["[1200, 1300)"] * 2


@pytest.mark.parametrize(
    "file", ["csv", "parquet"], ids=["written alike", "of numbers with their types"]
)
def test_a_population_may_be_of_text_or_of_numbers(tmp_path, file):
    people = ["1.234,5", "1.240,25", "1.236", "2.100", "2.150,75", "2.125,5"]
    numbers = [1234.5, 1240.25, 1236.0, 2100.0, 2150.75, 2125.5]
    path = tmp_path / f"people.{file}"
    if file == "csv":
        path.write_text("pay\n" + "\n".join(f'"{text}"' for text in people))
    else:
        pl.DataFrame({"pay": numbers}).write_parquet(path)
    rules = policy(GERMAN, privacy=[{"model": "k-map", "k": 3, "population": str(path)}])

    release = anonymize(csv(PAY), rules)

    assert cells(release) == RANGES
    assert check(Source(release.published), rules).holds
    frame = pl.DataFrame({"pay": people if file == "csv" else numbers})
    found = risk_of(csv(PAY), policy(GERMAN), population=Source(frame, is_text=file == "csv"),
                    release=Source(release.published))  # fmt: skip
    assert found.data.journalist.highest == 1
    assert found.release.journalist.highest == pytest.approx(1 / 3)


def test_sensitive_numbers_are_ordered_by_what_they_are():
    table = pl.DataFrame({"age": ["1", "1", "1", "2", "2", "2"],
                          "pay": ["9,5", "10,5", "11,5", "9,5", "10,5", "11,5"]})  # fmt: skip
    keys = {
        "columns": {"age": "quasi", "pay": {"role": "sensitive", "decimal": ","}},
        "privacy": [{"model": "t-closeness", "column": "pay", "t": 0.9, "distance": "ordered"}],
    }
    with_comma = anonymize(Source(table, is_text=True), shoal.Policy.of_mapping(keys))
    column = with_comma.schema.columns["pay"]

    assert column.notation.decimal == ","
    assert sorted(with_comma.published["pay"]) == sorted(table["pay"])  # as they came
    ranks = sensitive_of(read_column(table["pay"]), column).column.ranks
    assert ranks.tolist() == [1, 2, 0]  # of 10,5 and 11,5 and 9,5


def test_a_kept_copy_of_a_number_is_found_behind_its_comma():
    table = pl.DataFrame({"pay": [f"{n},5" for n in range(60, 120)],
                          "twice": [f"{2 * n + 1}" for n in range(60, 120)]})  # fmt: skip
    keys = {"columns": {"pay": "quasi", "twice": "keep"}, "decimal": ",",
            "privacy": [{"model": "k-anonymity", "k": 2}]}  # fmt: skip

    with pytest.raises(PolicyError, match="'twice' tells the value of 'pay'"):
        anonymize(Source(table, is_text=True), shoal.Policy.of_mapping(keys))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"decimal": ";"}, r"columns.pay.decimal: must be one of '\.', ','"),
        ({"thousands": "_"}, "must be one of"),
        ({"decimal": ",", "thousands": ","}, "the same sign cannot stand before fractions too"),
        ({"decimal": ",", "hierarchy": {"prefix": 5}}, "takes values letter by letter"),
        ({"decimal": ",", "format": "DD.MM.YYYY"}, "a column of dates has no numbers"),
    ],
)
def test_what_does_not_fit_is_refused(said, message):
    with pytest.raises(PolicyError, match=message):
        policy({"role": "quasi", **said})


def test_the_keys_are_written_and_read_back():
    for rules in (policy(GERMAN), policy(decimal=",", thousands=" "), policy(thousands="'")):
        assert shoal.Policy.of_mapping(rules.keys()) == rules
