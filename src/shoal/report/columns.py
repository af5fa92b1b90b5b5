"""What each column is and how it leaves, in words."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from shoal.types.column import Role
from shoal.types.schema import ColumnSpec, HierarchySpec

if TYPE_CHECKING:
    import polars as pl

    from shoal.release import Release

ROLES: dict[Role, str] = {
    "identifier": "identifier",
    "quasi": "quasi-identifier",
    "sensitive": "sensitive",
    "keep": "kept",
    "drop": "dropped",
}
MEANINGS: dict[Role, str] = {
    "identifier": "names a person by itself",
    "quasi": "can point at a person together with others, so it is generalised",
    "sensitive": "must not be found out about a person",
    "keep": "is trusted to say nothing of who a person is",
    "drop": "is not needed",
}
LEFT_OUT = "left out"
AS_IT_IS = "as it is"
VALUE_OR_STAR = "the value, or * where it is hidden"
PUBLISHED = {
    "range": "range, from lowest to highest",
    "set": "set of the values in the group",
    "mean": "mean of the group",
    "median": "median of the group",
}


def column_facts(release: Release) -> list[dict[str, str]]:
    """Role and way of publishing of every column, in the order of the table."""
    return [
        {"column": name, "role": ROLES[spec.role], "published": _published(release, name, spec)}
        for name, spec in release.schema.columns.items()
    ]


def role_facts(release: Release) -> list[dict[str, str]]:
    """What the roles mean that columns of this table have."""
    used = {spec.role for spec in release.schema.columns.values()}
    return [
        {"role": ROLES[role], "meaning": meaning}
        for role, meaning in MEANINGS.items()
        if role in used
    ]


def _published(release: Release, name: str, spec: ColumnSpec) -> str:
    if spec.role in ("identifier", "drop"):
        return LEFT_OUT
    if spec.role in ("sensitive", "keep"):
        return AS_IT_IS
    levels = release.grouping.levels
    if levels is not None and spec.hierarchy is not None:
        level = levels[release.schema.quasi.index(name)]
        return f"{_of_hierarchy(spec.hierarchy)}; every cell at level {level}"
    if spec.publish in PUBLISHED:
        return PUBLISHED[spec.publish]
    if spec.hierarchy is not None:
        return _of_hierarchy(spec.hierarchy)
    return _of_cells(release.published[name])


def _of_hierarchy(spec: HierarchySpec) -> str:
    """What a hierarchy does, told by what it was given: reports do not know its class."""
    given = {f.name: getattr(spec, f.name) for f in fields(spec)} if is_dataclass(spec) else None
    match given:
        case {"paths": [path, *_]}:
            n_levels = len(path) - 1  # the value itself is no level
            return f"hierarchy with {n_levels} level{'' if n_levels == 1 else 's'}"
        case {"widths": widths}:
            return f"intervals of {', '.join(f'{width:g}' for width in widths)}"
        case {"length": length}:
            return f"code of {length} characters, shortened from its end"
        case {"units": units}:
            return f"date by {', '.join(units)}"
        case {**nothing} if not nothing:
            return VALUE_OR_STAR
    return "hierarchy"


def _of_cells(cells: pl.Series) -> str:
    """Numbers become ranges and categories sets: the brackets of the cells tell which it was."""
    if (cells.str.starts_with("{") & cells.str.ends_with("}")).any():
        return PUBLISHED["set"]
    if (cells.str.starts_with("[") & cells.str.ends_with("]")).any():
        return PUBLISHED["range"]
    return VALUE_OR_STAR
