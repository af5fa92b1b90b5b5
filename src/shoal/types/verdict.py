"""What a verification found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shoal.errors import counted
from shoal.types.disclosed import Disclosed, disclosed_facts
from shoal.types.repeating import Repeating
from shoal.types.showable import Showable
from shoal.types.unit import PERSON, RECORD, Unit

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Finding:
    """What the verifier found about one model."""

    model: str
    column: str | None
    required: Mapping[str, Any]
    achieved: float | None
    holds: bool
    n_failing_groups: int = 0
    n_failing_records: int = 0
    failing_sizes: tuple[int, ...] = ()  # of the smallest groups that fail
    n_releases: int = 1  # more: judged over this release and earlier ones together
    demand: str = field(default="", compare=False)  # required and achieved, in words
    found: str = field(default="", compare=False)

    def as_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "column": self.column,
            "required": dict(self.required),
            "achieved": self.achieved if self.achieved != math.inf else None,  # not in JSON
            "holds": self.holds,
            **({} if self.n_releases == 1 else {"releases": self.n_releases}),
            **({} if self.holds else {"failing": self._failing()}),
        }

    def _failing(self) -> dict[str, Any]:
        """How many groups fail, and the sizes of the smallest: nothing else of them is told."""
        return {
            "groups": self.n_failing_groups,
            "records": self.n_failing_records,
            "smallest": list(self.failing_sizes),
        }


@dataclass(frozen=True)
class Leak:
    """Something in a release that should not be there: what, in which column, how often."""

    kind: str
    column: str | None
    count: int

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "column": self.column, "count": self.count}


@dataclass(frozen=True, repr=False)
class Verdict(Showable):
    """Whether published cells keep a policy, model by model.

    >>> import polars as pl, shoal
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> verdict = shoal.check(pl.DataFrame({"age": ["[20, 30]", "[20, 30]", "[40, 50]"]}), policy)
    >>> verdict.holds, verdict.group_sizes
    (False, {1: 1, 2: 1})
    >>> verdict.findings[0].n_failing_groups, verdict.findings[0].found
    (1, 'The smallest group has 1 record.')
    """

    n_records: int
    n_groups: int
    group_sizes: Mapping[int, int]  # size -> number of groups; of people where those were counted
    findings: tuple[Finding, ...]
    leaks: tuple[Leak, ...] = ()
    notes: tuple[str, ...] = ()
    n_people: int | None = None  # None: it is not known who is behind the records
    person: tuple[str, ...] = ()  # columns that tell people apart, by the policy
    repeating: tuple[Repeating, ...] = ()  # identifiers that repeat, where no column is said to
    discloses: tuple[Disclosed, ...] = ()  # what cells tell besides what they cover, by column

    def __repr__(self) -> str:
        """Counts only, as everything that ends in logs."""
        return (
            f"<Verdict: {self.standing}, {counted(self.n_records, 'record')} in "
            f"{counted(self.n_groups, 'group')}>"
        )

    @property
    def standing(self) -> str:
        """In one word, but where rows were counted although people may have several."""
        if not self.holds:
            return "fails"
        return "holds for rows, not people" if self.is_of_rows_only else "holds"

    def print_to(self, console: Console) -> None:
        from shoal.report.text import print_verdict

        print_verdict(self, console)

    @property
    def unit(self) -> Unit:
        """What was counted: people or, where it is not known who is behind a record, records."""
        return RECORD if self.n_people is None else PERSON

    @property
    def is_of_rows_only(self) -> bool:
        """Whether rows were counted although people seem to have several, or are said to."""
        return self.n_people is None and bool(self.person or self.repeating)

    @property
    def holds(self) -> bool:
        return not self.leaks and all(finding.holds for finding in self.findings)

    def __bool__(self) -> bool:
        return self.holds

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.n_records,
            **({} if self.n_people is None else {"people": self.n_people}),
            **self.counted(),
            "groups": self.n_groups,
            "holds": self.holds,
            "privacy": [finding.as_dict() for finding in self.findings],
            "discloses": disclosed_facts(self.discloses),
            "leaks": [leak.as_dict() for leak in self.leaks],
            "notes": list(self.notes),
        }

    def counted(self) -> dict[str, Any]:
        """What was counted, and the identifiers that make a reader doubt it, as JSON has them."""
        return {
            "counted": self.unit.many,
            "repeating_identifiers": [repeating.column for repeating in self.repeating],
        }
