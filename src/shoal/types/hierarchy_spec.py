"""What a kind of hierarchy is."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from shoal.types.column import DistinctValues
from shoal.types.hierarchy import Hierarchy
from shoal.types.named import name_of
from shoal.types.options import value_of
from shoal.types.sql_cell import SqlCell, SqlColumn


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
        from shoal.types.other import WithOther

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
