"""Do the columns of a table, of a policy and of its models fit?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.errors import KeyPath, PolicyError, nearest
from shoal.types.column import ROLES
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.schema import ColumnSpec, Schema


def schema_for(
    columns: Mapping[str, ColumnSpec],
    names: Sequence[str],
    *,
    path: KeyPath = ("columns",),
    table: str = "the data",
) -> Schema:
    """The columns in the order of the data; every one of them needs a role, and no more.

    `path` is where the policy has the `columns`; `table` is what messages call the data.
    """
    _refuse_strangers(columns, names, path, table)
    for name in names:
        if name not in columns:
            near = nearest(name, [known for known in columns if known not in names])
            raise PolicyError(
                f"column {name!r} of {table} has no role{near} Give it one of {', '.join(ROLES)}",
                path,
            )
    for name in columns:
        if name not in names:
            raise PolicyError(
                f"column {name!r} is not in {table}{nearest(name, names)}", (*path, name)
            )
    return Schema(columns).in_order_of(list(names))


def schema_of_release(
    columns: Mapping[str, ColumnSpec],
    names: Sequence[str],
    *,
    path: KeyPath = ("columns",),
    table: str = "the release",
) -> Schema:
    """The columns of a released table; withheld ones may be absent, and should be."""
    released = Schema(columns).released
    _refuse_strangers(columns, names, path, table)
    for name in released:
        if name not in names:
            raise PolicyError(
                f"column {name!r} is not in {table}{nearest(name, names)}", (*path, name)
            )
    for name in names:
        if name not in columns:
            raise PolicyError(
                f"{table} has a column {name!r} that the policy does not name"
                f"{nearest(name, columns)} Remove it from the release, or give it a role",
                path,
            )
    return Schema(columns).in_order_of([name for name in names if name in released])


def _refuse_strangers(
    columns: Mapping[str, ColumnSpec], names: Sequence[str], path: KeyPath, table: str
) -> None:
    """Without showing the names of a table that has none of ours: they may be cells."""
    if not any(name in columns for name in names):
        raise PolicyError(
            f"none of the names in {table} is known here ({len(names)} columns). Is its first "
            "line a record, is its delimiter another one, or is this another table?",
            path,
        )


def check_column_of(model: PrivacyModel, columns: Mapping[str, ColumnSpec], path: KeyPath) -> None:
    """Refuse a model about a column that is not sensitive, or lacks what the model needs of it."""
    name = model.about.column
    if name is None:
        return
    sensitive = Schema(columns).sensitive
    if name not in sensitive:
        why = "is not sensitive" if name in columns else "is not a column"
        raise PolicyError(
            f"{name!r} {why}{nearest(name, sensitive)} "
            "A model about values needs a column with the role sensitive.",
            path,
        )
    given = {"hierarchy": columns[name].hierarchy, "severity": columns[name].severity}
    for part in model.about.needs:
        if given[part] is None:
            raise PolicyError(
                f"{name_of(model)} needs a {part} of the column {name!r}; give it one under "
                "columns",
                path,
            )
