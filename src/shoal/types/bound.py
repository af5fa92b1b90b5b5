"""The least loss that is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bound:
    """No release of a table loses less than `value`, the mean over its cells; None: not known.

    `is_of_policy`: it takes every model of the policy into account. Otherwise it follows from the
    size that groups must have, and other models can only raise what is possible. `reason` says why
    there is no value.

    >>> Bound(0.02).gap(0.025)
    1.25
    >>> Bound(0.0).gap(0.0), Bound(0.0).gap(0.1)
    (1.0, None)
    """

    value: float | None
    is_of_policy: bool = True
    reason: str = ""

    def gap(self, loss: float) -> float | None:
        """How many times the bound a release loses; None if that is not a number."""
        if self.value is None:
            return None
        if self.value == 0:
            return 1.0 if loss == 0 else None
        return loss / self.value

    def as_dict(self, loss: float | None) -> dict[str, Any]:
        """What a summary says of it."""
        holds_for = None if self.value is None else "policy" if self.is_of_policy else "group sizes"
        return {
            "bound": self.value,
            "gap": None if loss is None else self.gap(loss),
            "bound_holds_for": holds_for,
        }
