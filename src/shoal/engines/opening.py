"""Opening what a run reads and where its release goes, with errors that name both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from shoal.engines.duckdb import DuckDb, name_in
from shoal.engines.engine import Engine
from shoal.engines.how import How
from shoal.engines.location import Location, parts_of
from shoal.engines.spill import spill_folder
from shoal.engines.sql import literal
from shoal.engines.targets import (
    CSV,
    OURS,
    FileTarget,
    TableTarget,
    Target,
    csv_reader,
    file_literal,
)
from shoal.errors import InputError, OutputError, nearest
from shoal.read.files import read_beginning
from shoal.read.memory import available
from shoal.read.opened import Opened
from shoal.write.atomic import check_target

if TYPE_CHECKING:
    import duckdb

LEAST_MEMORY = 100_000_000  # bytes for DuckDB, whatever there is
MAIN = "main"  # the schema of tables that name none


@contextlib.contextmanager
def open_engine(
    source: Location | Path, output: Location | Path | None = None, how: How | None = None
) -> Iterator[Engine]:
    """The engine of the table that is read. Its release is in its place only if nothing failed."""
    how = how or How()
    if isinstance(source, Location) and source.kind == "postgresql":
        from shoal.engines.postgres import postgres_engine

        target = _in_same_database(source, output)
        with postgres_engine(source, target, force=how.force) as server:
            yield server
        return
    if isinstance(output, Location) and output.kind == "postgresql":
        raise OutputError(
            f"{output}: only a table of the same database can be released there. Load the data "
            "into the database first."
        )
    with duckdb_engine(source, output, how) as engine:
        yield engine


class Given(NamedTuple):
    """A table as DuckDB reads it, and the files that it is in."""

    table: str
    files: tuple[Path, ...]
    is_text: bool = False
    delimiter: str = ","
    types: Mapping[str, pl.DataType] = MappingProxyType({})


def _in_same_database(source: Location, output: Location | Path | None) -> Location | None:
    if output is None:
        return None
    if isinstance(output, Path) or output.database != source.database:
        raise OutputError(
            f"{output}: the release of a table in PostgreSQL goes to a table of the same "
            "database. Write the same address before the `::`."
        )
    return output


@contextlib.contextmanager
def duckdb_engine(
    source: Location | Path, output: Location | Path | None, how: How
) -> Iterator[DuckDb]:
    """DuckDB on a table or file; `output` is where the release goes, if there will be one."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(spill_folder())
        if isinstance(output, Location):
            stack.enter_context(_new_file(Path(output.database), source))
        connection = stack.enter_context(contextlib.closing(_connect(folder, how)))
        given = _given(connection, source, output, how.delimiter)
        target = _target(connection, output, given, force=how.force)
        if target is not None:
            stack.callback(target.close)
        yield DuckDb(
            connection,
            given.table,
            target,
            folder=folder,
            is_text=given.is_text,
            delimiter=given.delimiter,
            types=given.types,
        )


def _connect(folder: Path, how: How) -> duckdb.DuckDBPyConnection:
    try:
        import duckdb
    except ModuleNotFoundError:
        raise InputError("This needs DuckDB. Install shoal[duckdb].") from None
    have = available()
    settings: dict[str, Any] = {
        "temp_directory": str(folder),
        "autoinstall_known_extensions": "false",  # nothing is loaded from elsewhere
        "autoload_known_extensions": "false",
    }
    if have is not None:
        settings["memory_limit"] = f"{max(have.n_bytes // 2, LEAST_MEMORY) // 10**6}MB"
    if how.memory is not None:
        settings["memory_limit"] = how.memory
    if how.threads is not None:
        settings["threads"] = how.threads
    try:
        return duckdb.connect(":memory:", config=settings)
    except duckdb.Error:
        raise InputError("`--memory` must be a size, such as 4GB or 500MB.") from None


@contextlib.contextmanager
def _new_file(path: Path, source: Location | Path) -> Iterator[None]:
    """A database that is made for a release is not left behind empty, and is as private."""
    check_target(path)
    is_new = not path.exists()
    data = Path(source.database) if isinstance(source, Location) else source
    try:
        yield
    except BaseException:
        if is_new:
            for file in (path, Path(f"{path}.wal")):
                file.unlink(missing_ok=True)
        raise
    if is_new and path.exists() and data.exists():
        mode = path.stat().st_mode & data.stat().st_mode & 0o777
        path.chmod(mode | 0o600)


def _given(
    connection: duckdb.DuckDBPyConnection,
    source: Location | Path,
    output: Location | Path | None,
    delimiter: str | None,
) -> Given:
    if isinstance(source, Path):
        return _given_file(source, delimiter)
    path = Path(source.database)
    if not path.is_file():
        near = nearest(path.name, [p.name for p in path.parent.glob("*")])
        raise InputError(f"{path}: there is no such file{near}")
    is_both = isinstance(output, Location) and _is_same(path, Path(output.database))
    _attach(connection, path, "shoal_in", reads_only=not is_both)
    schema, table = (MAIN, *parts_of(source.table))[-2:]
    known = _tables(connection, "shoal_in", schema)
    if table not in known:
        raise InputError(f"{path} has no table {table!r}{nearest(table, known)}")
    return Given(name_in(schema, table, "shoal_in"), (path,))


def _given_file(path: Path, delimiter: str | None) -> Given:
    opened = Opened.of(path)
    if opened.format == "parquet" and opened.piped is None and path.is_file():
        try:
            schema = pl.scan_parquet(path, glob=False).collect_schema()
        except (OSError, pl.exceptions.PolarsError):
            raise InputError(f"{path}: cannot be read as parquet. It may be incomplete.") from None
        folded = [name.lower() for name in schema.names()]
        if len(set(folded)) < len(folded):
            raise InputError(
                f"{path}: two columns have names that differ by capital letters alone, which "
                "DuckDB does not tell apart. Rename one, or run without `--engine`."
            )
        types = {name: t for name, t in schema.items() if isinstance(t, pl.Enum)}
        return Given(f"read_parquet({file_literal(path)})", (path,), types=types)
    if opened.format != "csv" or opened.piped is not None:
        raise InputError(f"{path}: DuckDB reads csv and parquet files. Run without `--engine`.")
    beginning = read_beginning(path, delimiter=delimiter)
    names, sign = beginning.header, beginning.delimiter
    reader = csv_reader(path, names, sign, is_gzip=beginning.is_gzip)
    return Given(reader, (path,), is_text=True, delimiter=sign)


def _target(
    connection: duckdb.DuckDBPyConnection,
    output: Location | Path | None,
    given: Given,
    *,
    force: bool,
) -> Target | None:
    if output is None:
        return None
    if isinstance(output, Path):
        name = output.name.lower().removesuffix(".gz")
        if not name.endswith((*CSV, ".parquet", ".pq")):
            raise OutputError(
                f"{output}: DuckDB writes .csv, .csv.gz, .tsv and .parquet files, and tables. "
                "Choose one of these, or run without `--engine`."
            )
        return FileTarget(output, given.files, delimiter=given.delimiter)
    return _table_target(connection, output, given, force=force)


def _table_target(
    connection: duckdb.DuckDBPyConnection, output: Location, given: Given, *, force: bool
) -> TableTarget:
    path, parts = Path(output.database), parts_of(output.table)
    schema, table = (MAIN, *parts)[-2:]
    is_both = any(_is_same(path, file) for file in given.files)
    database = "shoal_in" if is_both else "shoal_out"
    if not is_both:
        _attach(connection, path, database, reads_only=False)
    known = _tables(connection, database, schema)
    if name_in(schema, table, database) == given.table:
        raise OutputError(f"{output} is the data. Choose another name for the output.")
    if table in known and not (force or (known[table] or "").startswith(OURS)):
        raise OutputError(
            f"{output} exists, and is not known to be a release of Shoal's. Choose another name, "
            "or use `--force` to replace it."
        )
    return TableTarget(database, schema, table)


def _is_same(path: Path, other: Path) -> bool:
    return path.exists() and other.exists() and path.samefile(other)


def _attach(
    connection: duckdb.DuckDBPyConnection, path: Path, name: str, *, reads_only: bool
) -> None:
    import duckdb

    how = "read_only" if reads_only else "read_write"
    try:
        connection.execute(f"attach {literal(str(path))} as {name} (type duckdb, {how})")
    except duckdb.Error as error:
        if "lock" in str(error).lower():
            raise InputError(
                f"{path} is in use by another program. Close it there, and run again."
            ) from None
        raise InputError(f"{path}: cannot be opened as a DuckDB database.") from None


def _tables(
    connection: duckdb.DuckDBPyConnection, database: str, schema: str
) -> dict[str, str | None]:
    """The tables and views of a schema, with the comment on each."""
    where = f"database_name = {literal(database)} and schema_name = {literal(schema)}"
    rows = connection.execute(
        f"select table_name, comment from duckdb_tables() where {where} union all "
        f"select view_name, comment from duckdb_views() where {where}"
    ).fetchall()
    return {str(name): comment for name, comment in rows}
