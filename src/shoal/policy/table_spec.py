"""The `tables` of a policy file: which of them has the people, and how the others point to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.errors import KeyPath, PolicyError, nearest
from shoal.policy.fields import convert
from shoal.policy.keys import column_of, mapping_of
from shoal.types.schema import ColumnSpec

KEYS = ("file", "key", "columns")


@dataclass(frozen=True)
class TableSpec:
    """One of the tables: its columns, and which of them says whose row it is."""

    columns: Mapping[str, ColumnSpec]
    key: str
    is_people: bool = False  # it has one row for each person
    file: Path | None = field(default=None, compare=False)


def tables_of(
    named: Mapping[str, Any], person: tuple[str, ...], folder: Path
) -> dict[str, TableSpec]:
    """From the keys under `tables`; `person` is the key of the table of people."""
    if len(person) != 1:
        raise PolicyError(
            "`person` is needed with `tables`: the key column of the table of people",
            ("person",),
        )
    keys = {name: mapping_of(value, ("tables", name)) for name, value in named.items()}
    people = [name for name, of_table in keys.items() if "key" not in of_table]
    if len(people) != 1:
        raise PolicyError(
            "one table must be of people, with a row for each, and have no `key`; all others have "
            f"a `key` that points to it. Here {len(people)} have none",
            ("tables",),
        )
    return {
        name: _table(name, of_table, people[0], person[0], folder)
        for name, of_table in keys.items()
    }


def _table(name: str, keys: Mapping[str, Any], people: str, person: str, folder: Path) -> TableSpec:
    path: KeyPath = ("tables", name)
    if not name or set(name) & set("/\\."):
        raise PolicyError("a table's name becomes that of a file: use letters and digits", path)
    for key in keys:
        if key not in KEYS:
            raise PolicyError(
                f"{key!r} is unknown{nearest(key, KEYS)} A table takes {', '.join(KEYS)}.",
                (*path, key),
            )
    columns = mapping_of(keys.get("columns"), (*path, "columns"))
    return TableSpec(
        columns={
            column: column_of(value, (*path, "columns", column), folder)
            for column, value in columns.items()
        },
        key=person if name == people else _key(keys["key"], people, (*path, "key")),
        is_people=name == people,
        file=_file(keys.get("file"), (*path, "file"), folder),
    )


def _file(value: Any, path: KeyPath, folder: Path) -> Path | None:
    if value is None:
        return None
    name: str = convert(value, str, path)
    return folder / name


def _key(value: Any, people: str, path: KeyPath) -> str:
    """From `{column: table}`: the column that says whose row it is."""
    keys = mapping_of(value, path)
    if len(keys) != 1:
        raise PolicyError(f"give one column and the table it points to: {{mrn: {people}}}", path)
    ((column, table),) = keys.items()
    if table != people:
        raise PolicyError(
            f"must point to {people!r}, the table of people: {{{column}: {people}}}", path
        )
    return str(column)
