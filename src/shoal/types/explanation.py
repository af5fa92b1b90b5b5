"""Why a release loses so much, and what would save how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from shoal.types.showable import Showable

if TYPE_CHECKING:
    from rich.console import Console

Kind = Literal["algorithm", "finer", "coarser", "suppression", "k", "records", "column"]


@dataclass(frozen=True)
class Saving:
    """A change that was tried. All figures are shares of all detail, as the measure loss is.

    `saves`: by how much the loss falls; where a column or records are left out, or a column becomes
    coarser, the loss of the others. `gives_up`: what the change costs, and `price` what that is.
    """

    kind: Kind
    line: str  # of the policy
    loss: float
    saves: float
    gives_up: float
    price: str
    column: str | None = None

    @property
    def worth(self) -> float:
        """What is saved for what is given up; a change that costs nothing is worth most."""
        if self.gives_up > 0:
            return self.saves / self.gives_up
        return math.inf if self.saves > 0 else -math.inf

    def as_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "column": self.column,
            "line": self.line,
            "loss": self.loss,
            "saves": self.saves,
            "gives_up": self.gives_up,
            "price": self.price,
        }


@dataclass(frozen=True, repr=False)
class Explanation(Showable):
    """What a policy loses on a table, and changes that were tried, what is worth most first.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [20, 22, 40, 90], "job": ["cook", "cook", "maid", "maid"]})
    >>> policy = shoal.Policy.of_roles(quasi=["age", "job"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.explain(people, policy, budget=6)
    >>> found.loss == sum(found.loss_by_column.values()) / 2, found.n_runs
    (True, 7)
    """

    loss: float
    loss_by_column: Mapping[str, float]
    savings: tuple[Saving, ...]
    n_runs: int
    n_not_tried: int
    n_failed: int  # changes under which the policy cannot be kept

    @property
    def best(self) -> tuple[Saving, ...]:
        """Those that save anything."""
        return tuple(saving for saving in self.savings if saving.saves > 0)

    def as_dict(self) -> dict[str, Any]:
        return {
            "loss": self.loss,
            "loss_by_column": dict(self.loss_by_column),
            "savings": [saving.as_dict() for saving in self.savings],
            "runs": self.n_runs,
            "not_tried": self.n_not_tried,
            "failed": self.n_failed,
        }

    def print_to(self, console: Console) -> None:
        from shoal.report.explanation import print_explanation

        print_explanation(self, console)


def in_order_of_worth(savings: list[Saving]) -> tuple[Saving, ...]:
    """What is worth most first; of what costs nothing, what saves most."""
    return tuple(sorted(savings, key=lambda one: (-one.worth, -one.saves, one.line)))
