"""What `shoal init` proposes, before it is written as a policy file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import counted
from shoal.proposals.hierarchies import Hierarchy
from shoal.proposals.person import Person
from shoal.types.column import Role
from shoal.types.frames import File
from shoal.types.notation import Notation
from shoal.types.showable import Showable

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.policy.policy import Policy
    from shoal.proposals.recipes import Recipe


@dataclass(frozen=True)
class Suggestion:
    """A role for a column, and why. The reason tells shares and kinds, never a cell's value."""

    name: str
    role: Role
    hierarchy: Hierarchy
    reason: str
    format: str = ""  # how its dates are written, where a policy must say it
    notation: Notation | None = None  # how its numbers are written, where a policy must say it
    age_on: str = ""  # the day of the ages that its dates of birth are read as
    top: int | None = None  # the number from which on all are one
    bounds: Mapping[str, str] | str | None = None  # where ranges may end
    zip3: bool = False  # ZIP codes are read as their first three digits


@dataclass(frozen=True, repr=False)
class Proposal(Showable):
    """A suggestion for every column in the order of the data, and the privacy to ask for.

    `privacy` holds the models as a policy file writes them; `notes` are for the steward. `person`
    says whose record each one is, where people seem to have several.

    >>> import polars as pl, shoal
    >>> shoal.propose(pl.DataFrame({"age": range(20, 40)}))
    <Proposal: 1 column, 20 records, k = 5>
    """

    suggestions: tuple[Suggestion, ...]
    privacy: tuple[Mapping[str, Any], ...]
    k: int
    n_records: int
    missing_values: tuple[str, ...] = ("",)
    notes: tuple[str, ...] = ()
    person: Person | None = None
    recipe: Recipe | None = None

    def __repr__(self) -> str:
        return (
            f"<Proposal: {counted(len(self.suggestions), 'column')}, "
            f"{counted(self.n_records, 'record')}, k = {self.k}>"
        )

    def text(self, data_name: str = "") -> str:
        """The policy file that is proposed, with the reason behind each role.

        >>> import polars as pl, shoal
        >>> text = shoal.propose(pl.DataFrame({"age": range(20, 40)})).text("people.csv")
        >>> print(text.splitlines()[1])
        # Data: people.csv, 20 records, 1 column.
        """
        from shoal.proposals.policy_text import policy_text

        return policy_text(self, data_name=data_name)

    def policy(self) -> Policy:
        """The policy that is proposed.

        >>> import polars as pl, shoal
        >>> people = pl.DataFrame({"age": range(20, 40)})
        >>> shoal.anonymize(people, policy=shoal.propose(people).policy())
        <Release: 20 of 20 records in 4 groups, verified>
        """
        from shoal.policy.file import parse_policy
        from shoal.policy.policy import Policy

        return Policy.of_mapping(parse_policy(self.text()).content)

    def write(self, path: File) -> None:
        """Write the policy file that is proposed, whole or not at all.

        >>> import polars as pl, shoal
        >>> from tempfile import TemporaryDirectory
        >>> proposal = shoal.propose(pl.DataFrame({"age": range(20, 40)}))
        >>> with TemporaryDirectory() as folder:
        ...     proposal.write(f"{folder}/policy.yaml")
        ...     shoal.Policy.load(f"{folder}/policy.yaml") == proposal.policy()
        True
        """
        from shoal.write.atomic import write_text

        write_text(Path(path), self.text())

    def print_to(self, console: Console) -> None:
        from shoal.report.listing import print_proposal

        print_proposal(self, console)
