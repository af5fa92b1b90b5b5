"""Learning a sensitive value because all matching rows have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.attacks.confidence import Estimate, difference, share
from shoal.attacks.sensitive import Sensitive
from shoal.attacks.trial import Told


@dataclass(frozen=True)
class Homogeneity:
    """The share of people all of whose matching rows have one value.

    `right`: those who have this value, in one of their records. `by_chance`: as many rows, drawn
    at random from the release, have one value; `excess` is how much more often the matching ones
    do.
    """

    column: str
    same: Estimate
    right: Estimate
    by_chance: Estimate
    excess: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "same_value": self.same.as_dict(),
            "same_and_right": self.right.as_dict(),
            "same_by_chance": self.by_chance.as_dict(),
            "excess": self.excess.as_dict(),
        }


def homogeneity(column: Sensitive, rows: Told) -> Homogeneity:
    """From what the matching rows of each person tell, and as many rows drawn at random."""
    n = len(rows.matched)
    is_same = np.array([seen.n_values == 1 for seen in rows.matched])
    is_right = is_same & rows.is_right(np.array([seen.value for seen in rows.matched]))
    same_by_chance = np.array([seen.n_values == 1 for seen in rows.at_random])
    return Homogeneity(
        column.name,
        same=share(int(is_same.sum()), n),
        right=share(int(is_right.sum()), n),
        by_chance=share(int(same_by_chance.sum()), n),
        excess=difference(is_same, same_by_chance),
    )
