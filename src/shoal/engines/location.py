"""Names of tables in databases: `people.duckdb::patients`, `postgresql://host/db::schema.table`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from shoal.errors import BadOption

SEPARATOR = "::"
DUCKDB = (".duckdb", ".ddb")
SERVERS = ("postgresql://", "postgres://")
SECRET = re.compile(r"(ssl)?password=", re.IGNORECASE)

Kind = Literal["duckdb", "postgresql"]


class Location(NamedTuple):
    """A table in a database. Its text shows no password, whatever was typed."""

    kind: Kind
    database: str  # the file, or the address of the server
    table: str  # with its schema, where one is named

    @property
    def file(self) -> Path | None:
        return Path(self.database) if self.kind == "duckdb" else None

    @property
    def has_password(self) -> bool:
        parts = urlsplit(self.database)
        in_query = any(map(SECRET.match, parts.query.split("&")))
        return self.kind == "postgresql" and bool(parts.password or in_query)

    def __str__(self) -> str:
        is_file = self.kind == "duckdb"
        database = self.database if is_file else without_password(self.database)
        return f"{database}{SEPARATOR}{self.table}"


def location_of(text: str) -> Location | None:
    """The table that a text names; None where it is the name of a file.

    >>> location_of("people.duckdb::patients")
    Location(kind='duckdb', database='people.duckdb', table='patients')
    >>> str(location_of("postgresql://ann:secret@db.example/clinic::study.visits"))
    'postgresql://ann@db.example/clinic::study.visits'
    >>> str(location_of("people.duckdb::patients")), location_of("people.csv")
    ('people.duckdb::patients', None)
    """
    database, separator, table = text.rpartition(SEPARATOR)
    if text.startswith(SERVERS):
        if not separator or not table:
            raise BadOption(
                "Name the table after the address of the database: "
                "postgresql://host/database::schema.table."
            )
        return Location("postgresql", database, table)
    if separator and database.lower().endswith(DUCKDB):
        if not table:
            raise BadOption(f"Name the table after the file: {database}::table.")
        return Location("duckdb", database, table)
    if text.lower().endswith(DUCKDB):
        raise BadOption(f"{text} has many tables. Name one of them: {text}::table.")
    return None


def without_password(address: str) -> str:
    """An address as messages may show it.

    >>> without_password("postgresql://db/clinic?user=ann&password=secret&sslmode=require")
    'postgresql://db/clinic?user=ann&sslmode=require'
    """
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    query = "&".join(part for part in parts.query.split("&") if not SECRET.match(part))
    shown = f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}"
    return f"{shown}?{query}" if query else shown


def parts_of(table: str) -> tuple[str, ...]:
    """The schema, if one is named, and the table; quotes hold dots together.

    >>> parts_of("study.visits"), parts_of('"my.table"')
    (('study', 'visits'), ('my.table',))
    """
    parts = re.findall(r'"((?:[^"]|"")*)"|([^."]+)', table)
    names = tuple(quoted.replace('""', '"') if quoted else plain for quoted, plain in parts)
    if not 1 <= len(names) <= 2 or not all(names):
        raise BadOption(f"{table!r} is not the name of a table. Write table or schema.table.")
    return names
