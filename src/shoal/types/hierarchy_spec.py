"""What a kind of hierarchy is."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from shoal.errors import HierarchyError
from shoal.types.column import DistinctValues
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.named import name_of
from shoal.types.options import value_of
from shoal.types.sql_cell import SqlCell, SqlColumn, literal

OTHER = "Other"  # the one value for all that a hierarchy has no place for


@runtime_checkable
class HierarchySpec(Protocol):
    """How to get a hierarchy for a column: `{intervals: [5, 10]}`, `{prefix: 5}`, a level table.

    A kind is a frozen dataclass that inherits from this. Its file's name is its public name, its
    fields are its options. It must say what `describe`, `height` and `build` ask; the rest has
    answers that fit a rule about text. The nodes above a value must depend on that value alone:
    later records are recoded with the same rule.
    """

    aliases: ClassVar[tuple[str, ...]] = ()  # other names in a policy

    @abstractmethod
    def describe(self) -> str:
        """A few words for the report."""

    @property
    @abstractmethod
    def height(self) -> int:
        """The level of the root. Leaves have level 0."""

    @abstractmethod
    def build(self, column: DistinctValues) -> Hierarchy:
        """The hierarchy for the values of a column; `HierarchyError` where they do not fit."""

    @property
    def reads_text(self) -> bool:
        """Whether values are codes to be taken letter by letter: 1.10 is not 1.1."""
        return False

    @property
    def measures(self) -> bool:
        """Whether nodes are ranges of numbers, so that noise may move a value within them."""
        return False

    @property
    def listed(self) -> Hierarchy | None:
        """The whole hierarchy where it is a list of leaves; None for a rule, which fits any."""
        return None

    @property
    def takes_any(self) -> bool:
        """Whether every value has a place; a list has gaps, and a rule may have some."""
        return self.listed is None

    @property
    def names_others(self) -> bool:
        """Whether values without a place are read as one value, which has one."""
        return False

    def with_other(self) -> HierarchySpec:
        """The same with a place for values that have none."""
        return self if self.takes_any else WithOther(self)

    @property
    def file(self) -> Path | None:
        """Where it was read."""
        return None

    def is_leaf(self, cell: str) -> bool:
        """Whether a published cell, neither `*`, a range nor a set, is a value as it was."""
        return True

    def sql(self, level: int, column: SqlColumn) -> SqlCell | None:
        """How SQL makes the cell at a level between leaves and root; None where it cannot."""
        return None

    @classmethod
    def of_value(cls, value: Any, folder: Path | None) -> Self | None:
        """From what a policy has under the name of the kind; None where that is its fields.

        Files are relative to the folder. Without one, none may be named.
        """
        return None

    @classmethod
    def value_schema(cls) -> dict[str, Any] | None:
        """A JSON schema of what `of_value` takes; None where that is the fields of the kind.

        It can refer to itself as `#/definitions/hierarchy-NAME`.
        """
        return None

    def keys(self, folder: Path | None) -> Any:
        """What a policy in this folder has under `hierarchy`. Without a folder, no file is named.

        >>> from shoal.hierarchies.intervals import intervals
        >>> intervals(5, 10).keys(None)
        {'intervals': [5, 10]}
        """
        value = value_of(self)
        return {name_of(self): value} if value != {} else name_of(self)


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
        other = literal(OTHER if level < self.height else ROOT)
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
