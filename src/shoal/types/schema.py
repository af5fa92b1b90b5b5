"""What the user says about each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from shoal.types.column import Publish, Role
from shoal.types.grid import OnGrid
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.notation import PLAIN, Notation, notation_of

Missing = Literal["category", "suppress", "error"]
Unknown = Literal["error", "suppress", "other"]
Order = Literal["published", "input"]
Rare = Literal["hide", "list"]
Determines = Literal["", "accepted"]


@dataclass(frozen=True)
class Severities:
    """The severity of each value of a sensitive column; the empty text means missing."""

    of_value: Mapping[str, float] = field(repr=False)  # values of the data: not for logs
    file: Path | None = field(default=None, compare=False)  # where they were read


@dataclass(frozen=True)
class ColumnSpec:
    """A column's role and, for quasi-identifiers, how it is generalised and published."""

    role: Role
    hierarchy: HierarchySpec | None = None
    weight: float = 1.0
    publish: Publish | None = None
    severity: Severities | None = None  # of sensitive values
    bounds: OnGrid | None = None  # of ranges; None: they end at the lowest and highest value
    reason: str = ""  # for the role, for whoever reads the dossier
    format: str = ""  # how its dates are written, where their text alone does not tell
    age_on: str = ""  # the day on which people have the ages that are read from dates of birth
    top: float | None = None  # numbers from here on are one value, such as 90+
    zip3: tuple[str, ...] | None = None  # ZIP codes are read as three digits; these too are 000
    decimal: str = ""  # the sign before fractions; where one of the two is said, all are numbers
    thousands: str = ""  # the sign between thousands
    determines: Determines = ""  # accepted: it may tell a quasi-identifier
    rare: Rare = "hide"  # values that too few people have, in sets
    release: bool = False  # of a survey weight: whether it is published, unchanged
    of_table: Notation = field(default=PLAIN, compare=False)  # how other columns write numbers

    @property
    def handled_as(self) -> Role:
        """What happens to the column: a weight is released as it is, or not at all."""
        if self.role == "weight":
            return "keep" if self.release else "drop"
        return self.role

    @property
    def may_be_numbers(self) -> bool:
        """Whether text in the column may be read as numbers and dates.

        Not where it is matched with leaves letter by letter. Nor where it is sensitive: what the
        values of a release look like together must not change how they are counted.
        """
        if self.publish in ("range", "mean", "median"):
            return True
        if self.zip3 is not None:
            return False
        has_codes = self.hierarchy is not None and self.hierarchy.reads_text
        return self.role == "quasi" and not has_codes

    @property
    def must_be_numbers(self) -> bool:
        """Whether the column itself says how its numbers are written."""
        return bool(self.decimal or self.thousands)

    @property
    def notation(self) -> Notation:
        """How its numbers are written."""
        own = notation_of(self.decimal, self.thousands)
        return own if self.must_be_numbers else self.of_table

    def written(self, notation: Notation) -> ColumnSpec:
        """The same with this notation of its own."""
        return replace(self, decimal=notation.decimal, thousands=notation.thousands)


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in its order."""

    columns: Mapping[str, ColumnSpec]

    def names(self, *roles: Role) -> tuple[str, ...]:
        """Columns by what happens to them; those with the role weight are also kept or dropped."""
        return tuple(
            name
            for name, spec in self.columns.items()
            if spec.handled_as in roles or spec.role in roles
        )

    @property
    def quasi(self) -> tuple[str, ...]:
        return self.names("quasi")

    @property
    def sensitive(self) -> tuple[str, ...]:
        return self.names("sensitive")

    @property
    def pseudonym(self) -> str | None:
        """The identifier that is released as a stand-in; a policy has one at most."""
        return next(iter(self.names("pseudonym")), None)

    @property
    def weight(self) -> str | None:
        """The column of survey weights; a policy has one at most."""
        return next(iter(self.names("weight")), None)

    @property
    def released(self) -> tuple[str, ...]:
        return self.names("pseudonym", "quasi", "sensitive", "keep")

    @property
    def unchanged(self) -> tuple[str, ...]:
        """What is released as the table has it, once pseudonyms have replaced identifiers."""
        return self.names("pseudonym", "sensitive", "keep")

    @property
    def withheld(self) -> tuple[str, ...]:
        return self.names("identifier", "drop")

    def only(self, *roles: Role) -> Schema:
        return self.in_order_of(list(self.names(*roles)))

    def in_order_of(self, names: list[str]) -> Schema:
        return Schema({name: self.columns[name] for name in names})
