"""What `shoal init` proposes, before it is written as a policy file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.propose.hierarchies import Hierarchy
from shoal.propose.person import Person
from shoal.types.column import Role
from shoal.types.notation import Notation


@dataclass(frozen=True)
class Suggestion:
    """A role for a column, and why. The reason tells shares and kinds, never a cell's value."""

    name: str
    role: Role
    hierarchy: Hierarchy
    reason: str
    format: str = ""  # how its dates are written, where a policy must say it
    notation: Notation | None = None  # how its numbers are written, where a policy must say it


@dataclass(frozen=True)
class Proposal:
    """A suggestion for every column in the order of the data, and the privacy to ask for.

    `privacy` holds the models as a policy file writes them; `notes` are for the steward. `person`
    says whose record each one is, where people seem to have several.
    """

    suggestions: tuple[Suggestion, ...]
    privacy: tuple[Mapping[str, Any], ...]
    k: int
    n_records: int
    missing_values: tuple[str, ...] = ("",)
    notes: tuple[str, ...] = ()
    person: Person | None = None
