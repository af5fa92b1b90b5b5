"""PostgreSQL: a run is one transaction on the server, on one state of the table."""

from __future__ import annotations

import contextlib
import io
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from shoal.engines.engine import Kind
from shoal.engines.location import Location
from shoal.engines.postgres_names import Relation, find_target, look_up
from shoal.engines.sql import listed, literal, quote
from shoal.engines.sql_engine import SqlEngine
from shoal.engines.targets import OURS
from shoal.errors import InputError, OutputError, ShoalError

if TYPE_CHECKING:
    import psycopg

SOME = 50_000  # rows that are fetched together
SETTINGS = {
    "timezone": "UTC",
    "datestyle": "ISO, YMD",
    "standard_conforming_strings": "on",
    "extra_float_digits": "1",  # all digits that there are
    "search_path": "pg_catalog, pg_temp",  # nobody's functions stand in for those of the server
}
WORK_MEMORY = (  # more than the server's own 4 MB: in one trial the run took two thirds of the CPU
    "select set_config('work_mem', '64MB', true) "
    "where pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('64MB')"
)
TEXTS = ("text", "varchar", "bpchar", "name", "uuid")
FLOATS = ("float4", "float8")
ORDERED = ("int2", "int4", "int8", "numeric", "bool", "date", "timestamp", "timestamptz", "time")


class Type(NamedTuple):
    """A type: its name in the server, what it is shown as, and the labels of an enumerated one."""

    name: str
    shown: str
    labels: tuple[str, ...] = ()


@contextlib.contextmanager
def postgres_engine(
    source: Location, output: Location | None, *, force: bool = False
) -> Iterator[Postgres]:
    """PostgreSQL on a table; whatever is not published is undone."""
    try:
        import psycopg
    except ModuleNotFoundError:
        raise InputError("This needs a driver for PostgreSQL. Install shoal[postgres].") from None
    try:
        connection = psycopg.connect(source.database, application_name="shoal")
    except (psycopg.Error, UnicodeError):  # whose text may show what was typed
        raise InputError(
            f"There is no connection to {source}. Is the server running, and are the address, the "
            "user and the password right? Passwords come from PGPASSWORD, ~/.pgpass or a service "
            "file (PGSERVICE)."
        ) from None
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    with contextlib.closing(connection), _telling():
        table = look_up(connection, source)
        target = None if output is None else find_target(connection, output, table, force=force)
        for name, value in SETTINGS.items():
            connection.execute(f"set local {name} = {value if ',' in value else literal(value)}")
        connection.execute(WORK_MEMORY)
        yield Postgres(connection, table, target)


class Postgres(SqlEngine):
    """A connection on which one run is made, in one transaction."""

    def __init__(
        self, connection: psycopg.Connection, table: Relation, target: Relation | None
    ) -> None:
        self._connection = connection
        self._source, self._target = table, target
        self._types_of_table = self._described(table)
        self._staging = f"shoal_staging_{secrets.token_hex(8)}"

    @property
    def columns(self) -> Mapping[str, str]:
        return {name: found.shown for name, found in self._types_of_table.items()}

    @property
    def staged_columns(self) -> Mapping[str, str]:
        assert self._target is not None
        staged = self._described(self._target._replace(name=self._staging))
        return {name: found.shown for name, found in staged.items()}

    @property
    def _table(self) -> str:
        return self._source.sql

    @property
    def _staged(self) -> str:
        if self._target is None:
            return self._source.sql
        return self._target._replace(name=self._staging).sql

    def kind(self, name: str) -> Kind:
        found = self._types_of_table[name]
        if found.name in TEXTS or found.labels:
            return "text"
        if found.name in FLOATS:
            return "float"
        return "other" if found.name in ORDERED else "unordered"

    def publish(self) -> None:
        assert self._target is not None
        grants = self._grants(self._target)
        self._run(f"drop table if exists {self._target.sql}")
        self._run(f"alter table {self._staged} rename to {quote(self._target.name)}")
        self._run(f"comment on table {self._target.sql} is {literal(OURS)}")
        for grant in grants:
            self._run(grant)
        with _telling():
            self._connection.commit()

    def _grants(self, target: Relation) -> list[str]:
        """Who could read the old release can read the new one: what to run for that."""
        rows = self._connection.execute(
            "select distinct a.grantee::regrole::text, a.grantee = 0 from pg_class c, "
            "aclexplode(c.relacl) a where c.oid = to_regclass(%s) and a.grantee <> c.relowner "
            "and a.privilege_type = 'SELECT'",
            [target.sql],
        ).fetchall()
        return [
            f"grant select on {target.sql} to {'public' if is_public else role}"
            for role, is_public in rows
        ]

    def _described(self, table: Relation) -> dict[str, Type]:
        rows = self._connection.execute(
            "select a.attname, b.typname, format_type(a.atttypid, a.atttypmod), "
            "array(select e.enumlabel::text from pg_enum e where e.enumtypid = b.oid "
            "order by e.enumsortorder) "
            "from pg_attribute a join pg_type t on t.oid = a.atttypid "
            "join pg_type b on b.oid = coalesce(nullif(t.typbasetype, 0), t.oid) "
            "where a.attrelid = to_regclass(%s) and a.attnum > 0 and not a.attisdropped "
            "order by a.attnum",
            [table.sql],
        ).fetchall()
        return {name: Type(kind, shown, tuple(labels)) for name, kind, shown, labels in rows}

    def _run(self, statement: str) -> None:
        with _telling():
            self._connection.execute(statement)

    def _rows(self, query: str) -> Iterator[Sequence[tuple[object, ...]]]:
        with _telling(), self._connection.cursor(name="shoal_rows") as cursor:
            cursor.execute(query)
            while rows := cursor.fetchmany(SOME):
                yield rows

    def _fetch(self, query: str, columns: Mapping[str, str]) -> pl.DataFrame:
        content = io.BytesIO()
        with _telling(), self._connection.cursor().copy(f"copy ({query}) to stdout csv") as rows:
            for some in rows:
                content.write(some)
        texts = _read_texts(content)
        found = [texts.to_series(i).alias(str(i)) for i in range(texts.width)]
        for i, name in enumerate(columns):
            is_cell = columns[name] != self.columns.get(name)  # generalised, so it is text
            if not is_cell:
                found[i] = _typed(name, found[i], self._types_of_table[name])
        found[len(columns) :] = [column.cast(pl.Int64) for column in found[len(columns) :]]
        return pl.DataFrame(found)

    def _upload(self, name: str, frame: pl.DataFrame) -> None:
        types = ["text" if t == pl.String else "bigint" for t in frame.dtypes]
        columns = zip(frame.columns, types, strict=True)
        self._run(f"create temporary table {name} ({listed([f'{c} {t}' for c, t in columns])})")
        content = frame.write_csv(include_header=False, quote_style="non_numeric").encode()
        with _telling(), self._connection.cursor().copy(f"copy {name} from stdin csv") as rows:
            rows.write(content)
        self._look_at(name)

    def _look_at(self, name: str) -> None:
        self._run(f"analyze {name}")

    def _comparable(self, name: str, column: str) -> str:
        found = self._types_of_table[name]
        if found.labels or found.name in (*FLOATS, *ORDERED):
            return column
        return f'cast({column} as text) collate "C"'

    def _released(self, name: str, column: str) -> str:
        return f"cast({column} as text)" if self._types_of_table[name].labels else column

    def _repeated(self, count: str) -> str:
        return f"generate_series(1, {count})"

    def _build(self, query: str, columns: Sequence[str]) -> None:
        self._run(f"create table {self._staged} as {query}")


def _read_texts(content: io.BytesIO) -> pl.DataFrame:
    """What the server wrote as csv; an empty text is in quotes, and a missing one is not."""
    content.seek(0)
    try:
        return pl.read_csv(content, has_header=False, infer_schema=False)
    except pl.exceptions.NoDataError:
        return pl.DataFrame()


def _typed(name: str, texts: pl.Series, of: Type) -> pl.Series:
    """The values of a column, from the texts that the server wrote; all of them, or an error."""
    if of.labels:
        return texts.cast(pl.Enum(of.labels))
    if of.name == "bpchar":
        return texts.str.strip_chars_end(" ")
    if of.name == "numeric":
        values = texts.cast(_decimal(texts), strict=False)
    else:
        values = _READ[of.name](texts) if of.name in _READ else texts
    if values.null_count() > texts.null_count():
        raise InputError(
            f"Column {name!r} has values of the type {of.shown} that cannot be read, such as "
            "infinity or a number with more than 38 digits. Convert them, or give the column the "
            "role keep or drop."
        )
    return values


def _decimal(texts: pl.Series) -> pl.Decimal:
    """The type that has room for all fractions."""
    digits = texts.str.extract(r"\.([0-9]+)$").str.len_chars().max()
    return pl.Decimal(38, digits if isinstance(digits, int) else 0)


def _moments(texts: pl.Series) -> pl.Series:
    return texts.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)


_READ: Mapping[str, Callable[[pl.Series], pl.Series]] = {
    **dict.fromkeys(("int2", "int4", "int8"), lambda t: t.cast(pl.Int64)),
    "float4": lambda t: t.cast(pl.Float32),
    "float8": lambda t: t.cast(pl.Float64),
    "bool": lambda t: t == "t",
    "date": lambda t: t.str.to_date("%Y-%m-%d", strict=False),
    "timestamp": _moments,
    "timestamptz": lambda t: _moments(t.str.strip_suffix("+00")).dt.replace_time_zone("UTC"),
    "time": lambda t: t.str.to_time("%H:%M:%S%.f", strict=False),
}


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    """Errors of the server without their text, which may show values."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise _explained(error) from None


def _explained(error: psycopg.Error) -> ShoalError:
    from psycopg import errors

    undone = "Nothing was released, and the old release is there."
    match error:
        case errors.InsufficientPrivilege():
            return OutputError(f"The server does not allow a step of the run. {undone}")
        case errors.DependentObjectsStillExist():
            return OutputError(
                "A view or something else depends on the old release, so it cannot be replaced. "
                "Remove what depends on it, or choose another name."
            )
        case errors.DiskFull() | errors.OutOfMemory():
            return OutputError(f"The server has no room left. {undone}")
        case errors.QueryCanceled() | errors.LockNotAvailable():
            return OutputError(f"The server cancelled a step of the run. {undone}")
        case errors.OperationalError() | errors.InterfaceError():
            return OutputError(f"The connection to the server was lost. {undone}")
    state = error.sqlstate or type(error).__name__
    return InputError(
        f"The server could not do its part (SQLSTATE {state}). {undone} Its own words are not "
        "shown, because they may include data."
    )
