"""The same policy, data and seed give the same release, wherever the table lives."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import shoal
from cases.engine_tables import AGE, BORN, COST, NAME, NOTE, ZIP, hostile, policy, rows
from shoal import catalog
from shoal.engines import sql
from shoal.engines.opening import open_engine
from shoal.policy.policy import Policy
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.anonymize_in_engine import anonymize_in_engine
from shoal.runs.check import check
from shoal.runs.risk import risk_of
from shoal.runs.table_in_engine import check_in_engine, quasi_in
from tiers import part, seeds

ALGORITHMS = part([shoal.Mondrian(strict=False), *catalog.names("algorithm")], 4)
SAME = ("verdict", "measures", "loss_by_column", "n_read", "n_released", "n_unique_before")


def released_in(database, rules: Policy) -> tuple[shoal.Release, pl.DataFrame]:
    with open_engine(database.at("people"), database.at("release")) as engine:
        release = anonymize_in_engine(engine, rules)
    return release, database.read("release")


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "none kept"])
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@pytest.mark.parametrize("seed", seeds(1, thorough=10))
def test_a_table_in_duckdb_is_released_as_in_memory(database, algorithm, kept, seed):
    frame, rules = hostile(seed=seed), policy(algorithm, kept=kept)
    database.put("people", frame)

    release, found = released_in(database, rules)

    expected = anonymize(Source(frame), rules)
    assert rows(found) == rows(expected.published)
    assert found.schema == expected.published.schema
    for name in SAME:
        assert getattr(release, name) == getattr(expected, name), name


def test_equal_records_go_to_groups_by_their_kept_columns_and_not_by_their_order(database):
    frame, rules = hostile(200), policy(shoal.Mondrian(strict=False))
    database.put("people", frame)
    first, found = released_in(database, rules)
    database.put("people", frame.sample(fraction=1, shuffle=True, seed=1))

    again = released_in(database, rules)[1]

    assert first.grouping.separates_equal_records
    assert found.equals(again)  # in the same order too: it tells nothing of the input's


@pytest.mark.parametrize("missing", ["suppress", "category"])
def test_missing_values_are_left_out_or_kept_alike(database, missing):
    frame, rules = hostile(), policy(missing=missing, suppression=0.5)
    database.put("people", frame)

    release, found = released_in(database, rules)

    assert rows(found) == rows(anonymize(Source(frame), rules).published)
    assert (found.height < frame.height) == (missing == "suppress")
    assert release.n_released == found.height


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_a_file_that_duckdb_reads_is_released_as_in_memory(tmp_path, ending):
    people, output = tmp_path / f"people.{ending}", tmp_path / f"out.{ending}"
    frame = hostile()
    write(frame, people)
    rules = shoal.Policy.of_roles(
        quasi={AGE: shoal.intervals(5, 20), ZIP: shoal.prefix(5)},
        keep=[name for name in frame.columns if name not in (AGE, ZIP)],
        privacy=[shoal.KAnonymity(5)],
    )

    with open_engine(people, output) as engine:
        anonymize_in_engine(engine, rules)

    expected = anonymize(read_file(people), rules).published
    assert rows(read_file(output).frame) == rows(expected)


def write(frame: pl.DataFrame, path) -> None:
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, compression="gzip" if path.suffix == ".gz" else "uncompressed")


def test_a_key_that_is_too_long_becomes_two(database, monkeypatch):
    frame, rules = hostile(), policy()
    database.put("people", frame)
    monkeypatch.setattr(sql, "LARGEST", 20)

    found = released_in(database, rules)[1]

    assert rows(found) == rows(anonymize(Source(frame), rules).published)


def test_a_population_is_counted_alike(database, tmp_path):
    frame = hostile()
    pl.concat([frame, frame]).write_parquet(tmp_path / "population.parquet")
    models = [shoal.KMap(4, population=str(tmp_path / "population.parquet"))]
    rules = shoal.Policy.of_roles(
        quasi={AGE: shoal.intervals(5, 20), ZIP: shoal.prefix(5)},
        keep=[COST],
        drop=[n for n in frame.columns if n not in (AGE, ZIP, COST)],
        privacy=models,
    )
    database.put("people", frame)

    release, found = released_in(database, rules)

    expected = anonymize(Source(frame), rules)
    assert rows(found) == rows(expected.published)
    assert release.verdict == expected.verdict


def test_categories_keep_their_order_and_forget_their_type(database):
    """A type would tell of values that only suppressed records had."""
    database.run("create type size as enum ('small', 'large', 'huge')")
    database.run(
        "create table people as select i % 9 as age, "
        "(['small', 'large'])[1 + i % 2]::size as size, 'huge'::size as kept from range(60) r(i)"
    )
    rules = shoal.Policy.of_roles(
        quasi=["age", "size"], keep=["kept"], privacy=[shoal.KAnonymity(10)]
    )

    found = released_in(database, rules)[1]

    assert found["kept"].dtype == pl.String
    assert set(found["size"]) <= {"small", "large", "{small, large}"}


def test_the_counted_rows_are_all_that_leaves_the_database(database):
    frame = hostile()
    database.put("people", frame)

    with open_engine(database.at("people")) as engine:
        counted = engine.fold([AGE, BORN, NOTE])

    assert counted.frame.height == frame.select(AGE, BORN, NOTE).n_unique()
    assert counted.counts.sum() == frame.height


def test_a_check_of_a_table_that_was_released_finds_what_it_finds_in_memory(database):
    frame, rules = hostile(), policy("flash")
    database.put("people", frame)
    released_in(database, rules)

    with open_engine(database.at("release")) as engine:
        found = check_in_engine(engine, rules)

    expected = check(Source(database.read("release")), rules)
    assert replace(found, notes=()) == replace(expected, notes=())
    assert sorted(found.notes) == sorted(expected.notes)


@pytest.mark.parametrize("person", [(), (NAME,)], ids=["records", "people"])
def test_the_risk_of_a_table_is_that_in_memory(database, person):
    frame, rules = hostile(), replace(policy(), person=person)
    database.put("people", frame)

    with open_engine(database.at("people")) as engine:
        source = quasi_in(engine, rules)

    assert risk_of(source, rules) == risk_of(Source(frame), rules)
    assert source.frame.height < frame.height or person
