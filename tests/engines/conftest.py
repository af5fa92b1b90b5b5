"""Tables in DuckDB, and what is in them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.engines.location import Location


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
