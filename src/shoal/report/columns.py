"""What each column is and how it is published, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.types.column import Publish, Role
from shoal.types.schema import ColumnSpec

if TYPE_CHECKING:
    from shoal.release.release import Release

ROLES: dict[Role, str] = {
    "identifier": "identifier",
    "pseudonym": "pseudonym",
    "quasi": "quasi-identifier",
    "sensitive": "sensitive",
    "keep": "kept",
    "drop": "dropped",
    "weight": "survey weight",
}
MEANINGS: dict[Role, str] = {
    "identifier": "identifies a person on its own",
    "pseudonym": "stands for a person, and shows which rows belong to the same one",
    "quasi": "can identify a person together with other columns, so it is generalised",
    "sensitive": "must not be learned about a person",
    "keep": "is assumed not to help identify a person; released unchanged",
    "drop": "is not needed and not released",
    "weight": "says how many people a record stands for; it counts, and is never generalised",
}
LEFT_OUT = "not released"
STAND_IN = "a pseudonym for each person"
AS_IT_IS = "unchanged"
PUBLISHED: dict[Publish, str] = {
    "range": "range, from lowest to highest",
    "set": "set of the values in the group",
    "mean": "mean of the group, rounded",
    "median": "median of the group, rounded",
}
ON_GRID = "range, which ends on a grid"


def column_facts(release: Release) -> list[dict[str, str]]:
    """Role, why, and way of publishing of every column, in the order of the table."""
    return [
        {
            "column": name,
            "role": ROLES[spec.role],
            "published": _published(release, name, spec),
            "reason": spec.reason,
        }
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
    if spec.handled_as in ("identifier", "drop"):
        return LEFT_OUT
    if spec.role == "pseudonym":
        return STAND_IN
    if spec.handled_as in ("sensitive", "keep"):
        return AS_IT_IS
    i = release.schema.quasi.index(name)
    levels = release.grouping.levels
    if spec.hierarchy is not None and levels is not None:
        tree = release.axes[i].hierarchy
        height = 0 if tree is None else tree.height
        end = {height: ", the top", 0: ", the original values"}.get(int(levels[i]), "")
        return f"{spec.hierarchy.describe()}; every cell at level {levels[i]} of {height}{end}"
    publish = release.axes[i].publish
    if spec.hierarchy is not None and publish == "node":
        return spec.hierarchy.describe()
    return ON_GRID if release.axes[i].ranges_on_grid else PUBLISHED[publish]
