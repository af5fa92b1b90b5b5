"""A neighbour of the chosen node: what it would cost, and which models fail there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Failure:
    """How much fails a model at a node."""

    model: str
    n_groups: int
    n_records: int


@dataclass(frozen=True)
class Neighbour:
    """One column a level lower or higher than chosen, all others as they are.

    `cost` is that of the search's metric with all failing groups suppressed, whatever the limit.
    """

    column: str
    level: int
    chosen_level: int
    holds: bool
    n_failing: int
    cost: float
    failures: tuple[Failure, ...]

    @property
    def is_less_general(self) -> bool:
        return self.level < self.chosen_level

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "level": self.level,
            "holds": self.holds,
            "suppressed": self.n_failing,
            "cost": self.cost,
            "failing": [
                {"model": failure.model, "groups": failure.n_groups, "records": failure.n_records}
                for failure in self.failures
            ],
        }
