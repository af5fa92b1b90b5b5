"""Runs in PostgreSQL: the same release as in memory, or the old one as it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl
import psycopg
import pytest

import shoal
from cases.engine_tables import AGE, BORN, ILLNESS, ZIP, hostile, policy, rows
from shoal import catalog
from shoal.engines.how import How
from shoal.engines.location import Location
from shoal.engines.opening import open_engine
from shoal.engines.postgres import Postgres
from shoal.errors import CannotSatisfy, InputError, NotVerified, OutputError
from shoal.read.source import Source
from shoal.runs import anonymize_in_engine as run
from shoal.runs.anonymize import anonymize
from tiers import part, seeds

ALGORITHMS = part([shoal.Mondrian(strict=False), *catalog.names("algorithm")], 2)
SAME = ("verdict", "measures", "loss_by_column", "n_read", "n_released", "n_unique_before")


def release_in(server, rules, how=None):
    with open_engine(server.at("people"), server.at("release"), how) as engine:
        return run.anonymize_in_engine(engine, rules)


def found_in(server, table: str = "release") -> Counter:
    return Counter(tuple(map(repr, row)) for row in server.read(table))


@pytest.fixture
def people(server) -> pl.DataFrame:
    frame = hostile()
    server.put("people", frame)
    return frame


@pytest.fixture
def old_release(server, people) -> None:
    server.run("create table release as select 'old' as what")
    server.run("comment on table release is 'Release of Shoal'")


def is_untouched(server) -> bool:
    return server.names() == ["people", "release"] and server.read("release") == [("old",)]


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "none kept"])
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@pytest.mark.parametrize("seed", seeds(1, thorough=5))
def test_a_table_in_postgresql_is_released_as_in_memory(server, algorithm, kept, seed):
    frame, rules = hostile(seed=seed), policy(algorithm, kept=kept)
    server.put("people", frame)

    release = release_in(server, rules)

    expected = anonymize(Source(frame), rules)
    assert found_in(server) == rows(expected.published)
    for name in SAME:
        assert getattr(release, name) == getattr(expected, name), name


def test_the_order_of_the_table_does_not_matter_and_is_not_told(server, people):
    rules = policy(shoal.Mondrian(strict=False))
    release_in(server, rules)
    first = server.read("release")
    server.put("people", people.sample(fraction=1, shuffle=True, seed=1))

    release_in(server, rules)

    assert list(map(repr, server.read("release"))) == list(map(repr, first))


def test_no_more_rows_leave_the_server_than_there_are_different_ones(server, people, monkeypatch):
    fetched, fetch = [], Postgres._fetch

    def counting(self, query, columns):
        frame = fetch(self, query, columns)
        fetched.append(frame.height if columns else 0)  # else it has numbers of rows only
        return frame

    monkeypatch.setattr(Postgres, "_fetch", counting)

    release = release_in(server, policy("flash", kept=False))

    different = people.select(AGE, BORN, ZIP, ILLNESS).n_unique()
    assert fetched[0] == different
    assert max(fetched) == different
    assert release.n_read == people.height


def test_a_release_that_is_known_as_one_is_replaced_and_its_readers_stay(server, old_release):
    server.run("drop role if exists reader")
    server.run("create role reader")
    server.run("grant select on release to reader")

    release_in(server, policy())

    assert len(server.read("release")) > 1
    assert server.names() == ["people", "release"]
    table = f"'{server.schema}.release'"
    may = f"select has_table_privilege('reader', {table}, 'SELECT')"
    server.run(f"revoke all on schema {server.schema} from reader")
    assert server.run(may) == [(True,)]
    server.run("revoke select on release from reader")
    server.run("drop role reader")


def test_a_policy_that_cannot_be_kept_leaves_the_old_release(server, old_release):
    with pytest.raises(CannotSatisfy):
        release_in(server, policy().with_k(1000))

    assert is_untouched(server)


def test_what_fails_the_check_is_not_published(server, old_release, monkeypatch):
    build = Postgres._build

    def fewer(self, query, columns):
        build(self, f"{query} limit 250", columns)

    monkeypatch.setattr(Postgres, "_build", fewer)

    with pytest.raises(NotVerified):
        release_in(server, policy())

    assert is_untouched(server)


@pytest.mark.parametrize("moment", part(["stage", "publish", "fold", "count_staged"], 2))
def test_a_connection_that_the_server_ends_leaves_the_old_release(
    server, old_release, monkeypatch, moment
):
    step = getattr(Postgres, moment)

    def ended(self, *given, **named):
        pid = self._connection.info.backend_pid
        assert server.run(f"select pg_terminate_backend({pid}, 5000)") == [(True,)]
        return step(self, *given, **named)

    monkeypatch.setattr(Postgres, moment, ended)

    with pytest.raises(OutputError, match=r"connection .* was lost"):
        release_in(server, policy())

    assert is_untouched(server)


def test_records_that_come_during_a_run_are_not_released(server, people, monkeypatch):
    stage = Postgres.stage

    def meanwhile(self, *given, **named):
        server.run("insert into people select * from people")
        stage(self, *given, **named)

    monkeypatch.setattr(Postgres, "stage", meanwhile)

    release_in(server, policy("flash"))

    assert found_in(server) == rows(anonymize(Source(people), policy("flash")).published)
    assert len(server.read("people")) == 2 * people.height


@pytest.mark.parametrize("force", [True, False])
def test_a_table_that_is_no_release_is_replaced_only_by_force(server, people, force):
    server.run("create table release as select 1 as precious")

    if force:
        release_in(server, policy(), How(force=True))
    else:
        with pytest.raises(OutputError, match="is not known to be a release"):
            release_in(server, policy())

    assert (server.read("release") == [(1,)]) is not force


def refused(source: Location, output: Location | None, how: How | None = None) -> str:
    with pytest.raises((InputError, OutputError)) as error, open_engine(source, output, how):
        pass
    return str(error.value)


def test_tables_that_cannot_be_read_or_written_are_refused_before_any_work(server, people):
    data = server.at("people")
    server.run("create view shown as select 1 as a")

    assert "has no table 'peple'; did you mean 'people'?" in refused(server.at("peple"), None)
    assert "is the data" in refused(data, data, How(force=True))
    assert "is not a plain table" in refused(data, server.at("shown"), How(force=True))
    assert "no schema 'nowhere'" in refused(data, data._replace(table="nowhere.release"))
    assert "the same database" in refused(data, Location("postgresql", "postgresql://x/y", "t"))
    other = Location("duckdb", "people.duckdb", "t")
    assert "only a table of the same database" in refused(other, data)


def test_rights_that_are_missing_are_named(server, people):
    server.run("drop role if exists guest")
    server.run("create role guest login")
    server.run(f"grant usage on schema {server.schema} to guest")
    data, output = server.at("people", user="guest"), server.at("release", user="guest")

    may_not_read = refused(data, output)
    server.run("grant select on people to guest")
    may_not_create = refused(data, output)
    server.run(f"grant create on schema {server.schema} to guest")
    server.run("create table release as select 1 as a")
    not_the_owner = refused(data, output)

    assert "GRANT SELECT" in may_not_read
    assert "GRANT CREATE ON SCHEMA" in may_not_create
    assert "belongs to another user" in not_the_owner
    server.run("drop owned by guest; drop role guest")


def test_what_depends_on_the_old_release_keeps_it(server, old_release):
    server.run("create view shown as select * from release")

    with pytest.raises(OutputError, match="depends on the old release"):
        release_in(server, policy())

    assert server.read("shown") == [("old",)]


def test_types_of_the_server_are_read_for_what_they_are(server):
    server.run("create type size as enum ('small', 'large')")
    server.run("create domain years as integer")
    server.run(
        "create table people as select (i % 9)::years as age, "
        "(array['small', 'large'])[1 + i % 2]::size as size, (i % 5)::text::char(4) as code, "
        "i % 4 + 0.5 as cost, timestamptz '2024-01-01 00:00+02' + (i % 3) * interval '1 day' "
        "as seen, time '08:00' as at, i % 2 = 0 as well, (i % 3)::real / 10 as score, "
        "md5((i % 2)::text)::uuid as ward, json_build_object('n', i) as kept, "
        "interval '1 day' as stay, 'large'::size as label from generate_series(0, 199) i"
    )
    quasi = ["age", "size", "code", "cost", "seen", "at", "well", "score", "ward"]
    rules = shoal.Policy.of_roles(
        quasi=quasi, keep=["kept", "stay", "label"], privacy=[shoal.KAnonymity(2)]
    )

    release = release_in(server, rules)

    assert release.n_released == 200
    kinds = dict(
        server.run(
            "select column_name, data_type from information_schema.columns "
            f"where table_schema = '{server.schema}' and table_name = 'release'"
        )
    )
    assert {kinds[name] for name in quasi} == {"text"}
    assert (kinds["kept"], kinds["stay"], kinds["label"]) == ("json", "interval", "text")
    assert {axis.name: axis.kind for axis in release.axes}["age"] == "integer"
    assert "small" in release.axes[1].leaves[0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("case i when 0 then date 'infinity' else date '2024-01-01' end", "that cannot be read"),
        ("interval '1 day'", "which cannot be ordered"),
        ("array[i]", "which cannot be ordered"),
        ("'NaN'::numeric", "that cannot be read"),
        ("repeat('9', 40)::numeric", "that cannot be read"),
    ],
)
def test_values_that_cannot_be_read_are_named_by_their_column(server, value, message):
    server.run(f"create table people as select {value} as odd, i from generate_series(0, 9) i")
    rules = shoal.Policy.of_roles(quasi=["odd"], drop=["i"], privacy=[shoal.KAnonymity(2)])

    with pytest.raises(InputError, match=f"Column 'odd' has .*{message}"):
        release_in(server, rules)


def test_a_kept_column_that_tells_a_hidden_one_is_refused(server):
    frame = pl.DataFrame({"age": [10 + i % 40 for i in range(400)]})
    server.put("people", frame.with_columns(told=pl.col("age") * 2 + 1))
    rules = shoal.Policy.of_roles(quasi=["age"], keep=["told"], privacy=[shoal.KAnonymity(30)])

    with pytest.raises(shoal.errors.PolicyError, match="'told' tells the value of 'age'"):
        release_in(server, rules)


def test_a_password_is_never_shown(server):
    address = "postgresql://ann:hush@127.0.0.1:1/clinic?sslpassword=hush&user=ann"

    said = refused(Location("postgresql", address, "people"), None)

    assert "There is no connection to postgresql://ann@127.0.0.1:1/clinic?user=ann" in said
    assert "hush" not in said


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("postgresql://ann:hush@db/clinic", True),
        ("postgresql://db/clinic?password=hush", True),
        ("postgresql://ann@db/clinic?user=x", False),
        ("postgresql://ann:@db/clinic", False),
    ],
)
def test_a_password_in_an_address_is_noticed(address, is_one):
    assert Location("postgresql", address, "people").has_password is is_one


def test_people_cannot_be_counted_in_a_server(server, people):
    with pytest.raises(shoal.errors.PolicyError, match="people behind records"):
        release_in(server, replace(policy(), person=("who",)))


def test_a_server_that_is_asked_in_other_words_says_which_error_it_has(server, people):
    with (
        pytest.raises(InputError, match="SQLSTATE 42703"),
        open_engine(server.at("people")) as engine,
    ):
        engine._run("select nothing from pg_class")


def test_other_sessions_see_the_old_release_until_the_new_one_is_there(server, old_release):
    with (
        open_engine(server.at("people"), server.at("release")) as engine,
        psycopg.connect(server.address) as other,
    ):
        publish, seen = engine.publish, []
        engine.publish = lambda: (
            seen.append(other.execute(f"select * from {server.schema}.release").fetchall()),
            other.rollback(),
            publish(),
        )
        run.anonymize_in_engine(engine, policy())

    assert seen == [[("old",)]]
    assert len(server.read("release")) > 1
