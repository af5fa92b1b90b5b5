"""DuckDB: tables in its files, and csv and parquet files that are larger than memory."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.engines.engine import Kind
from shoal.engines.sql import literal, quote
from shoal.engines.sql_engine import SqlEngine
from shoal.engines.targets import Target
from shoal.errors import InputError, OutputError, ShoalError

if TYPE_CHECKING:
    import duckdb

SOME = 50_000  # rows that are fetched together
ORDERED = re.compile(
    r"(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL|DATE|TIMESTAMP|TIME\b(?! WITH)|BOOLEAN|UUID)"
)


class DuckDb(SqlEngine):
    """A connection on which one run is made, in one transaction."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        target: Target | None,
        *,
        folder: Path,
        is_text: bool = False,
        delimiter: str = ",",
        types: Mapping[str, pl.DataType] | None = None,
    ) -> None:
        self._connection = connection
        self._source = table
        self._target = target
        self._folder = folder
        self._polars_types = types or {}  # of columns for which DuckDB has none
        self.is_text, self.delimiter = is_text, delimiter
        self._run("begin transaction")

    @cached_property
    def columns(self) -> Mapping[str, str]:
        return self._described(self._source)

    @property
    def staged_columns(self) -> Mapping[str, str]:
        return self._described(self._staged)

    @property
    def _table(self) -> str:
        return self._source

    @property
    def _staged(self) -> str:
        return self._source if self._target is None else self._target.staged

    def kind(self, name: str) -> Kind:
        said = self.columns[name]
        if said == "VARCHAR" or said.startswith("ENUM("):
            return "text"
        if said in ("FLOAT", "DOUBLE"):
            return "float"
        is_ordered = ORDERED.match(said) is not None and not said.endswith("]")
        return "other" if is_ordered else "unordered"

    def publish(self) -> None:
        assert self._target is not None
        self._target.publish(self._run)

    def _described(self, table: str) -> dict[str, str]:
        rows = next(self._rows(f"describe select * from {table} t"))
        return {str(row[0]): str(row[1]) for row in rows}

    def _run(self, statement: str) -> None:
        with _telling():
            self._connection.execute(statement)

    def _rows(self, query: str) -> Iterator[Sequence[tuple[object, ...]]]:
        self._run(query)
        while True:
            with _telling():
                rows = self._connection.fetchmany(SOME)
            if not rows:
                return
            yield rows

    def _fetch(self, query: str, columns: Mapping[str, str]) -> pl.DataFrame:
        with _telling():
            relation: Any = self._connection.sql(query)
            frame = pl.DataFrame(relation)
        found = [frame.to_series(i).alias(str(i)) for i in range(frame.width)]
        for i, (name, said) in enumerate(columns.items()):
            if said.startswith("ENUM("):
                found[i] = found[i].cast(pl.String).cast(pl.Enum(self._categories(said)))
            elif name in self._polars_types and said == self.columns.get(name):
                found[i] = found[i].cast(self._polars_types[name])
        return pl.DataFrame(found)

    def _categories(self, said: str) -> list[str]:
        rows = next(self._rows(f"select unnest(enum_range(null::{said}))"))
        return [str(row[0]) for row in rows]

    def _upload(self, name: str, frame: pl.DataFrame) -> None:
        file = self._folder / f"{name}.parquet"
        frame.write_parquet(file)
        self._create(name, f"select * from read_parquet({literal(str(file))})")
        file.unlink()

    def _look_at(self, name: str) -> None:
        """It has, while it made the table."""

    def _comparable(self, name: str, column: str) -> str:
        return column

    def _released(self, name: str, column: str) -> str:
        return f"cast({column} as varchar)" if "ENUM(" in self.columns[name] else column

    def _repeated(self, count: str) -> str:
        return f"unnest(range({count}))"

    def _build(self, query: str, columns: Sequence[str]) -> None:
        assert self._target is not None
        self._target.build(self._run, query, columns)


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    """Errors of DuckDB without their text, which may show values."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise InputError(
            "DuckDB needs more memory than it was given, or more room for what it puts aside. "
            "Raise `--memory`, or set TMPDIR to a folder with more room."
        ) from None
    except duckdb.Error as error:
        raise _explained(error) from None


def _explained(error: Exception) -> ShoalError:
    said = str(error)
    line = re.search(r"CSV Error on Line: (\d+)", said)
    if line is not None:
        return InputError(
            f"Line {line[1]} of the csv file cannot be read: it has more or fewer fields than the "
            "header, a quote that does not enclose a field, or text that is not UTF-8."
        )
    if "No space left" in said or "ENOSPC" in said:
        return OutputError("The disk is full. Nothing was released, and the old release is there.")
    if "dependenc" in said.lower():
        return OutputError(
            "Something in the database depends on the old release, so it cannot be replaced. "
            "Remove what depends on it, or choose another name."
        )
    return InputError(
        f"DuckDB could not do its part ({type(error).__name__}). Nothing was released. Its own "
        "words are not shown, because they may include data."
    )


def name_in(schema: str, table: str, database: str) -> str:
    return f"{database}.{quote(schema)}.{quote(table)}"
