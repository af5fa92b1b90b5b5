"""Runs in DuckDB: what is refused, what is noticed, and what stays when something fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import shoal
from cases.engine_tables import AGE, COST, ILLNESS, NAME, NOTE, hostile, policy, rows
from shoal.engines import sql_engine
from shoal.engines.duckdb import DuckDb
from shoal.engines.how import How
from shoal.engines.location import Location, location_of, parts_of
from shoal.engines.opening import open_engine
from shoal.engines.spill import PREFIX, spill_folder
from shoal.errors import (
    BadOption,
    CannotSatisfy,
    InputError,
    NotVerified,
    OutputError,
    PolicyError,
)
from shoal.read import files
from shoal.read.memory import Available
from shoal.read.source import Source
from shoal.runs import anonymize_in_engine as run
from shoal.runs.anonymize import anonymize
from shoal.types.minimum import Minimum
from shoal.types.schema import ColumnSpec


def release_in(database, rules, how=None):
    with open_engine(database.at("people"), database.at("release"), how) as engine:
        return run.anonymize_in_engine(engine, rules)


@pytest.fixture
def people(database) -> pl.DataFrame:
    frame = hostile()
    database.put("people", frame)
    return frame


def with_old_release(database):
    database.run("create table release as select 'old' as what")
    database.run("comment on table release is 'Release of Shoal'")


def is_untouched(database) -> bool:
    return database.names() == ["people", "release"] and database.read("release").rows() == [
        ("old",)
    ]


def test_a_release_that_is_known_as_one_is_replaced(database, people):
    with_old_release(database)

    release_in(database, policy())

    assert database.read("release").height > 1
    assert database.names() == ["people", "release"]


def test_what_fails_the_check_is_not_published(database, people, monkeypatch):
    """The engine puts records where they were not meant to be: groups come out too small."""
    with_old_release(database)
    meant = run.placed_in

    def astray(source, found):
        placed = meant(source, found)
        group = placed.group.copy()
        group[group == 1] = 0
        group[group.argmax()] = 1
        return placed._replace(group=group)

    monkeypatch.setattr(run, "placed_in", astray)

    with pytest.raises(NotVerified):
        release_in(database, policy("flash"))

    assert is_untouched(database)


@pytest.mark.parametrize("lost", ["rows", "columns"])
def test_a_table_that_is_not_what_was_to_be_released_is_not_published(
    database, people, monkeypatch, lost
):
    with_old_release(database)
    build = DuckDb._build

    def less(self, query, columns):
        fewer = {
            "rows": f"from ({query}) limit 250",
            "columns": f'select * exclude ("{NOTE}") from ({query})',
        }
        build(self, fewer[lost], columns)

    monkeypatch.setattr(DuckDb, "_build", less)

    with pytest.raises(NotVerified, match="were to be released"):
        release_in(database, policy())

    assert is_untouched(database)


def test_a_policy_that_cannot_be_kept_leaves_the_old_release(database, people):
    with_old_release(database)

    with pytest.raises(CannotSatisfy):
        release_in(database, policy().with_k(1000))

    assert is_untouched(database)


def test_a_database_that_was_made_for_a_release_does_not_stay_without_one(database, people):
    other = database.path.with_name("other.duckdb")
    target = Location("duckdb", str(other), "release")

    with (
        pytest.raises(CannotSatisfy),
        open_engine(database.at("people"), target) as engine,
    ):
        run.anonymize_in_engine(engine, policy().with_k(1000))

    assert not other.exists()


def test_a_new_database_is_as_private_as_the_data(database, people):
    other = database.path.with_name("other.duckdb")
    database.path.chmod(0o600)

    with open_engine(database.at("people"), Location("duckdb", str(other), "study")) as engine:
        run.anonymize_in_engine(engine, policy())

    assert other.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("force", [True, False])
def test_a_table_that_is_no_release_is_replaced_only_by_force(database, people, force):
    database.run("create table release as select 1 as precious")

    if force:
        release_in(database, policy(), How(force=True))
    else:
        with pytest.raises(OutputError, match="is not known to be a release"):
            release_in(database, policy())

    assert ("precious" in database.read("release").columns) is not force


def test_the_data_is_never_replaced(database, people):
    with (
        pytest.raises(OutputError, match="is the data"),
        open_engine(database.at("people"), database.at("main.people"), How(force=True)),
    ):
        pass

    assert database.read("people").height == people.height


def test_a_table_that_is_not_there_is_named_with_the_nearest(database, people):
    with (
        pytest.raises(InputError, match=r"has no table 'peeple'.*'people'"),
        open_engine(database.at("peeple")),
    ):
        pass


def test_a_column_that_is_not_there_is_named_with_the_nearest(database, people):
    rules = policy()
    columns = {f"{n}x" if n == AGE else n: spec for n, spec in rules.columns.items()}

    with pytest.raises(PolicyError, match=r"'the \"age\"' of the data has no role; did you mean"):
        release_in(database, replace(rules, columns=columns))


def test_a_type_that_cannot_be_read_is_named_with_its_column(database):
    database.run("create table people as select interval 1 day as stay, 1 as age")
    rules = shoal.Policy.of_roles(quasi=["stay", "age"], privacy=[shoal.KAnonymity(1)])

    with pytest.raises(InputError, match="Column 'stay' has the type INTERVAL"):
        release_in(database, rules)


def test_a_type_that_cannot_be_read_may_be_kept(database):
    database.run(
        "create table people as select [i, i] as stays, i % 3 as age, "
        "interval 1 day as stay from range(30) r(i)"
    )
    rules = shoal.Policy.of_roles(
        quasi=["age"], keep=["stays", "stay"], privacy=[shoal.KAnonymity(11)]
    )

    release_in(database, rules)

    database.run("alter table release drop column stay")
    assert database.read("release")["stays"].list.first().sort().to_list() == list(range(30))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"person": (NAME,)}, "people behind records"),
        ({"order": "input"}, "has no order"),
        ({"algorithm": shoal.TClustering(noise=0.1)}, "noise needs the records"),
    ],
)
def test_what_needs_the_records_themselves_is_refused_before_anything_is_read(change, message):
    with pytest.raises(PolicyError, match=message):
        run.refuse_what_needs_records(replace(policy(), **change))


def test_pseudonyms_are_refused_before_anything_is_read():
    rules = shoal.Policy.of_roles(pseudonyms=["who"], quasi=["age"], privacy=[shoal.KAnonymity(2)])

    with pytest.raises(PolicyError, match="pseudonyms cannot be made"):
        run.refuse_what_needs_records(rules)


def test_weights_are_refused_before_anything_is_read():
    rules = policy()
    columns = rules.columns | {COST: ColumnSpec("weight")}

    with pytest.raises(PolicyError, match="weights are of single records"):
        run.refuse_what_needs_records(replace(rules, columns=columns))


def test_a_release_that_misses_a_minimum_of_use_is_not_published(database, people):
    with_old_release(database)
    rules = replace(policy("flash"), utility=(Minimum(shoal.Loss(), at_most=0.001),))

    with pytest.raises(CannotSatisfy, match="but not its use"):
        release_in(database, rules)

    assert is_untouched(database)


def test_more_different_rows_than_there_is_memory_for_are_refused(database, people, monkeypatch):
    monkeypatch.setattr(sql_engine, "available", lambda: Available(1000, "a test"))

    with pytest.raises(InputError, match=r"different rows .* 1000|available \(a test\)"):
        release_in(database, policy())


def test_notes_are_those_of_a_run_in_memory(database):
    """Nearly unique and formula-like kept columns, identifiers that repeat, models that lack."""
    frame = hostile().with_columns(
        pl.Series("number", [f"-{i} {i}" for i in range(300)]), pl.Series("flag", ["+x"] * 300)
    )
    rules = policy()
    kept = {"number": ColumnSpec("keep"), "flag": ColumnSpec("keep")}
    rules = replace(rules, columns={**rules.columns, **kept}, privacy=(shoal.KAnonymity(4),))
    database.put("people", frame)

    release = release_in(database, rules)

    expected = anonymize(Source(frame), rules)
    assert sorted(release.notes) == sorted(expected.notes)
    assert release.repeating == (NAME,)
    assert release.verdict == expected.verdict


@pytest.mark.parametrize(
    "told",
    [
        pl.col("age") * 2 + 1,
        pl.col("age").cast(pl.String) + "/" + pl.col("noise").cast(pl.String),
        pl.col("age") * 1000 + pl.col("noise"),
    ],
    ids=["copy", "begins with it", "grows with it"],
)
def test_a_kept_column_that_tells_a_hidden_one_is_refused(database, told):
    frame = pl.DataFrame({"age": [10 + i % 40 for i in range(400)], "noise": list(range(400))})
    frame = frame.with_columns(told.alias("told")).drop("noise")
    rules = shoal.Policy.of_roles(quasi=["age"], keep=["told"], privacy=[shoal.KAnonymity(30)])
    database.put("people", frame)

    with pytest.raises(PolicyError, match="'told' tells the value of 'age'") as in_memory:
        anonymize(Source(frame), rules)
    with pytest.raises(PolicyError) as in_engine:
        release_in(database, rules)

    assert str(in_engine.value) == str(in_memory.value)


def test_two_kept_columns_that_tell_a_hidden_one_together_are_refused(database):
    frame = pl.DataFrame(
        {
            "age": [10 + i % 36 for i in range(720)],
            "tens": [(i % 36) // 6 for i in range(720)],
            "ones": [(i % 36) % 6 for i in range(720)],
        }
    )
    rules = shoal.Policy.of_roles(
        quasi=["age"], keep=["tens", "ones"], privacy=[shoal.KAnonymity(50)]
    )
    database.put("people", frame)

    with pytest.raises(PolicyError, match="'tens' and 'ones' together tell"):
        release_in(database, rules)


def test_a_folder_of_a_run_that_was_killed_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / f"{PREFIX}dead").mkdir()
    (tmp_path / f"{PREFIX}dead" / "in-use").touch()

    with spill_folder() as first, spill_folder() as second:
        assert first.exists()
        assert second != first
        assert not (tmp_path / f"{PREFIX}dead").exists()

    assert list(tmp_path.iterdir()) == []


def test_a_line_of_a_csv_file_with_a_field_too_few_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FIRST_BYTES", 100)  # which do not show it
    file = tmp_path / "people.csv"
    file.write_text("age,sex\n" + "31,f\n" * 2_000 + "32\n")

    with (
        pytest.raises(InputError, match="Line 2002 of the csv file"),
        open_engine(file) as engine,
    ):
        engine.fold(["age"])


@pytest.mark.parametrize("name", ["people.xlsx", "people.arrow"])
def test_other_files_are_refused(tmp_path, name):
    (tmp_path / "people.csv").write_text("age\n1\n")

    with (
        pytest.raises(OutputError, match="DuckDB writes"),
        open_engine(tmp_path / "people.csv", tmp_path / name),
    ):
        pass


def test_a_file_that_is_no_database_is_refused(database):
    database.path.write_text("not a database")

    with pytest.raises(InputError, match="cannot be opened"), open_engine(database.at("people")):
        pass


def test_a_size_of_memory_that_makes_no_sense_is_refused(database, people):
    with (
        pytest.raises(InputError, match="must be a size"),
        open_engine(database.at("people"), None, How(memory="much")),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("a/b.duckdb::t", Location("duckdb", "a/b.duckdb", "t")),
        ("x::y.duckdb::t", Location("duckdb", "x::y.duckdb", "t")),
        ("b.DDB::s.t", Location("duckdb", "b.DDB", "s.t")),
        ("people.csv", None),
        ("odd::name.csv", None),
    ],
)
def test_a_table_is_told_from_a_file_by_its_name(text, table):
    assert location_of(text) == table


@pytest.mark.parametrize("text", ["people.duckdb", "people.duckdb::", "postgresql://host/db"])
def test_a_database_alone_is_no_table(text):
    with pytest.raises(BadOption, match="Name"):
        location_of(text)


@pytest.mark.parametrize("table", ["", "a.b.c", ".", '""'])
def test_a_name_that_no_table_can_have_is_refused(table):
    with pytest.raises(BadOption, match="is not the name of a table"):
        parts_of(table)


def test_a_release_goes_into_a_schema_that_is_named(database, people):
    database.run("create schema study")

    with open_engine(database.at("people"), database.at('study."my.release"')) as engine:
        run.anonymize_in_engine(engine, policy())

    found = database.read('study."my.release"')
    assert rows(found) == rows(anonymize(Source(people), policy()).published)
    assert ILLNESS in found.columns


def test_a_file_as_output_stays_if_the_run_fails(database, people):
    output = database.path.with_name("out.parquet")
    output.write_bytes(b"old")

    with (
        pytest.raises(CannotSatisfy),
        open_engine(database.at("people"), output) as engine,
    ):
        run.anonymize_in_engine(engine, policy().with_k(1000))

    assert output.read_bytes() == b"old"
    assert {path.name for path in Path(database.path.parent).iterdir()} == {
        "people.duckdb",
        "out.parquet",
    }
