"""`shoal anonymize` on tables in DuckDB and on files that it reads."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.engines.spill import PREFIX
from tiers import only_thorough, seeds

STOPS_BEFORE_PUBLISHING = """
import time
from shoal.engines.targets import TableTarget
def publish(*given):
    print("built", flush=True)
    time.sleep(600)
TableTarget.publish = publish
"""


@pytest.fixture
def people(folder) -> Path:
    """The table of patients in a database."""
    with duckdb.connect("people.duckdb") as connection:
        connection.execute(
            "create table patients as select * replace (age::int as age) "
            "from read_csv('patients.csv', delim=';', all_varchar=true)"
        )
    return folder / "people.duckdb"


def read(database: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.sql(query).fetchall()


def test_a_table_becomes_a_table_of_the_same_database(people, run):
    result = run("anonymize", f"{people}::patients", "-p", "policy.yaml",
                 "-o", f"{people}::release", "--json", "--quiet")  # fmt: skip

    assert result.code == 0
    assert json.loads(result.stdout)["released"] == 6
    columns = "age, zip, work, disease, visits"
    assert len(read(people, f"select {columns} from release")) == 6
    assert read(people, "select distinct name from patients where name = 'Ann'") == [("Ann",)]


def test_a_csv_file_that_duckdb_reads_is_released_as_in_memory(folder, run):
    in_memory = run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "one.csv", "--quiet")
    in_duckdb = run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "two.csv", "--quiet",
                    "--engine", "duckdb", "--memory", "200MB")  # fmt: skip

    assert (in_memory.code, in_duckdb.code) == (0, 0)
    assert Path("two.csv").read_text() == Path("one.csv").read_text()


def test_a_table_becomes_a_file(people, run):
    result = run("anonymize", f"{people}::patients", "-p", "policy.yaml", "-o", "out.parquet")

    assert "Wrote out.parquet." in result.stdout
    assert pl.read_parquet("out.parquet").height == 6


def test_a_release_in_a_database_is_checked_there(people, run):
    table = f"{people}::release"
    run("anonymize", f"{people}::patients", "-p", "policy.yaml", "-o", table, "--quiet")

    held = run("check", table, "-p", "policy.yaml", "--json")
    raw = run("check", f"{people}::patients", "-p", "policy.yaml")

    assert held.code == 0
    assert json.loads(held.stdout)["holds"]
    assert raw.code == 1
    assert "Ann" not in raw.stdout + raw.stderr


def test_the_risk_of_a_table_in_a_database_is_that_of_the_file(people, run):
    table = f"{people}::release"
    run("anonymize", f"{people}::patients", "-p", "policy.yaml", "-o", table, "--quiet")
    run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--quiet")

    there = run("risk", f"{people}::patients", "-p", "policy.yaml", "--release", table, "--json")
    here = run("risk", "patients.csv", "-p", "policy.yaml", "--release", "release.csv", "--json")

    assert there.code == 0
    assert json.loads(there.stdout) == json.loads(here.stdout)


def test_a_dossier_is_not_compared_with_a_table_in_a_database(people, run):
    result = run("check", f"{people}::release", "-p", "policy.yaml", "--original", "patients.csv")

    assert result.code == 2
    assert "--original cannot be used where a database does the work" in result.stderr


@pytest.mark.parametrize("option", ["--report", "--public-policy", "--mapping", "--earlier"])
def test_what_needs_a_file_of_all_records_is_refused(people, run, option):
    result = run("anonymize", f"{people}::patients", "-p", "policy.yaml",
                 "-o", f"{people}::release", option, "x.html")  # fmt: skip

    assert result.code == 2
    assert f"{option} cannot be used where a database does the work" in result.stderr


def test_an_engine_does_not_read_from_a_pipe(folder, run):
    result = run("anonymize", "-", "-p", "policy.yaml", "-o", "x.csv", "--engine", "duckdb")

    assert result.code == 2
    assert "name both" in result.stderr


@only_thorough
def test_a_database_that_another_program_uses_is_named(people, start):
    with duckdb.connect(str(people)):
        process = start("anonymize", f"{people}::patients", "-p", "policy.yaml",
                        "-o", f"{people}::release")  # fmt: skip
        _, stderr = process.communicate()

    assert process.returncode == 2
    assert "is in use by another program" in stderr


def test_a_kill_before_the_end_leaves_the_old_release_and_nothing_else(
    people, run, start, monkeypatch
):
    """Neither a staging table nor, after the next run, a folder of what was put aside."""
    to_release = ("anonymize", f"{people}::patients", "-p", "policy.yaml", "-o",
                  f"{people}::release", "--quiet")  # fmt: skip
    run(*to_release)
    before = read(people, "from release")
    place = people.parent / "aside"
    place.mkdir()
    process = start(*to_release, "--k", 3, first=STOPS_BEFORE_PUBLISHING,
                    env={"TMPDIR": str(place)})  # fmt: skip
    assert process.stdout.readline() == "built\n"

    process.kill()
    process.wait()

    assert [path.name.startswith(PREFIX) for path in place.iterdir()] == [True]
    assert read(people, "from release") == before
    assert sorted(read(people, "select table_name from duckdb_tables()")) == [
        ("patients",),
        ("release",),
    ]
    monkeypatch.setattr("tempfile.tempdir", str(place))
    assert run(*to_release).code == 0
    assert list(place.iterdir()) == []


@only_thorough
@pytest.mark.parametrize("seed", seeds(1, thorough=20))
def test_a_kill_at_any_moment_leaves_a_whole_release(people, run, start, seed):
    to_release = ("anonymize", f"{people}::patients", "-p", "policy.yaml", "-o",
                  f"{people}::release", "--quiet")  # fmt: skip
    run(*to_release)
    releases = [read(people, "from release")]
    run(*to_release, "--k", 3)
    releases.append(read(people, "from release"))
    process = start(*to_release, env={"TMPDIR": os.fspath(people.parent)})

    time.sleep(random.Random(seed).uniform(0.2, 2.5))
    process.kill()
    process.wait()

    assert read(people, "from release") in releases
    assert len(read(people, "select table_name from duckdb_tables()")) == 2
