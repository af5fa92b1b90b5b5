"""Tables of PostgreSQL by their names, and whether we may read and make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shoal.engines.location import Location, parts_of
from shoal.engines.sql import quote
from shoal.engines.targets import OURS
from shoal.errors import InputError, OutputError, nearest

if TYPE_CHECKING:
    import psycopg


class Relation(NamedTuple):
    """A table or view, with its schema."""

    schema: str
    name: str

    @property
    def sql(self) -> str:
        return f"{quote(self.schema)}.{quote(self.name)}"


def look_up(connection: psycopg.Connection, source: Location) -> Relation:
    """The table that is read. It must be there, and may be read."""
    *schema, name = parts_of(source.table)
    rows = connection.execute(
        "select n.nspname, c.relname, has_table_privilege(c.oid, 'SELECT') "
        "from pg_class c join pg_namespace n on n.oid = c.relnamespace "
        "where c.relkind in ('r', 'p', 'v', 'm', 'f') and case when %s then n.nspname = %s "
        "else pg_table_is_visible(c.oid) and n.nspname <> 'pg_catalog' end",
        [bool(schema), schema[0] if schema else ""],
    ).fetchall()
    known = {table: (Relation(place, table), may_read) for place, table, may_read in rows}
    if name not in known:
        where = f"The schema {schema[0]!r}" if schema else "The database"
        raise InputError(f"{where} has no table {name!r}{nearest(name, list(known))}")
    table, may_read = known[name]
    if not may_read:
        raise InputError(
            f"{source} may not be read by this user. Its owner can allow it: "
            f"GRANT SELECT ON {table.sql} TO this user."
        )
    _refuse_without_temporary(connection)
    return table


def _refuse_without_temporary(connection: psycopg.Connection) -> None:
    found = connection.execute(
        "select has_database_privilege(current_database(), 'TEMPORARY')"
    ).fetchone()
    if not (found and found[0]):
        raise InputError(
            "This user may not make temporary tables, which a run needs. The owner of the "
            "database can allow it: GRANT TEMPORARY ON DATABASE of this name TO this user."
        )


def find_target(
    connection: psycopg.Connection, output: Location, table: Relation, *, force: bool
) -> Relation:
    """Where the release goes. What is there and is no release stays, unless by force."""
    *schema, name = parts_of(output.table)
    target = Relation(schema[0] if schema else _current_schema(connection), name)
    if target == table:
        raise OutputError(f"{output} is the data. Choose another name for the output.")
    _refuse_without_schema(connection, target.schema)
    found = connection.execute(
        "select obj_description(c.oid, 'pg_class'), c.relkind = 'r', "
        "pg_has_role(c.relowner, 'USAGE') from pg_class c where c.oid = to_regclass(%s)",
        [target.sql],
    ).fetchone()
    if found is None:
        return target
    comment, is_table, is_owner = found
    if not is_table:
        raise OutputError(f"{output} is not a plain table. Choose another name for the output.")
    if not is_owner:
        raise OutputError(f"{output} belongs to another user, so it cannot be replaced.")
    if not (force or (comment or "").startswith(OURS)):
        raise OutputError(
            f"{output} exists, and is not known to be a release of Shoal's. Choose another name, "
            "or use `--force` to replace it."
        )
    return target


def _current_schema(connection: psycopg.Connection) -> str:
    found = connection.execute("select current_schema()").fetchone()
    if found is None or found[0] is None:
        raise OutputError("Name the schema of the release: database::schema.table.")
    return str(found[0])


def _refuse_without_schema(connection: psycopg.Connection, schema: str) -> None:
    found = connection.execute(
        "select has_schema_privilege(oid, 'CREATE') from pg_namespace where nspname = %s",
        [schema],
    ).fetchone()
    if found is None:
        raise OutputError(f"The database has no schema {schema!r}. Create it first.")
    if not found[0]:
        raise OutputError(
            f"This user may not make tables in the schema {schema!r}. Its owner can allow it: "
            f"GRANT CREATE ON SCHEMA {quote(schema)} TO this user."
        )
