"""A place below the root for all values that a hierarchy does not have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.errors import HierarchyError
from shoal.types.column import DistinctValues
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.sql_cell import SqlCell, SqlColumn, literal

OTHER = "Other"


@dataclass(frozen=True)
class WithOther(HierarchySpec):
    """A hierarchy with one more leaf directly under the root, which is read for unknown values.

    If the hierarchy has a leaf of that name, that is the one. `unknown: other` in a policy.
    """

    hierarchy: HierarchySpec
    names_others = True

    def describe(self) -> str:
        return f"{self.hierarchy.describe()}, other values together"

    @property
    def height(self) -> int:
        return self.hierarchy.height

    @property
    def reads_text(self) -> bool:
        return self.hierarchy.reads_text

    @property
    def measures(self) -> bool:
        return self.hierarchy.measures

    @property
    def takes_any(self) -> bool:
        return self.hierarchy.takes_any

    @property
    def listed(self) -> Hierarchy | None:
        found = self.hierarchy.listed
        return None if found is None else _followed_by_other(found)

    @property
    def file(self) -> Path | None:
        return self.hierarchy.file

    def build(self, column: DistinctValues) -> Hierarchy:
        return _followed_by_other(self.hierarchy.build(column))

    def is_leaf(self, cell: str) -> bool:
        return self.hierarchy.is_leaf(cell)

    def sql(self, level: int, column: SqlColumn) -> SqlCell | None:
        made = self.hierarchy.sql(level, column)
        if made is None:
            return None
        other = literal(OTHER if level < self.height else "*")
        is_other = f"{column.value} = {literal(OTHER)}"
        return SqlCell(
            f"COALESCE({made.value}, {literal(OTHER)})",
            f"CASE WHEN {is_other} THEN {other} ELSE {made.cell} END",
        )

    def with_other(self) -> HierarchySpec:
        return self

    def keys(self, folder: Path | None) -> Any:
        return self.hierarchy.keys(folder)


def _followed_by_other(tree: Hierarchy) -> Hierarchy:
    if OTHER in tree.leaves:
        return tree
    if any(OTHER in labels for labels in tree.labels[1:-1]):
        raise HierarchyError(
            f"The hierarchy has a node {OTHER!r}, and `unknown: other` gives that name to values "
            "that it does not have. Rename the node, or list a leaf of that name below it."
        )
    return tree.followed_by(OTHER)
