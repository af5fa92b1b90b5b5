"""Improved Greedy (Babu, Reddy, Kumar, Elliot and Jena 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.group.lattice._checker import Check
from shoal.group.lattice._full_domain import FullDomain
from shoal.group.lattice._grid import Node
from shoal.group.lattice._search import Search
from shoal.types.arrays import Int64Array


@dataclass(frozen=True)
class ImprovedGreedy(FullDomain):
    """Step by step, try to generalise every column and keep the one that hides records best.

    `choice="paper"` takes the node whose smallest groups are largest. `choice="least-loss"` takes,
    once some nodes hold, the one of these that costs least by the `metric`: never more than the
    paper's. At most 1 + columns × levels checks. Babu et al. 2013.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "f", "m", "m"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.ImprovedGreedy(choice="least-loss"))
    >>> release.summary()["levels"], release.summary()["checks"]
    ({'age': 1, 'sex': 0}, 3)
    """

    choice: Literal["paper", "least-loss"] = "paper"

    def walk(self, search: Search) -> bool:
        greedy(search, self.choice)
        return False


def greedy(search: Search, choice: str) -> None:
    """The paper's loop: lines 1 to 7."""
    check = search.check(search.grid.bottom)
    while not check.holds:
        above = list(search.checks(list(search.grid.above(check.node))))
        if not above:  # the paper would go on for ever
            return
        check = _choose(above, check.node, choice, search)
    search.best = check  # not the cheapest seen: the node that the paper's rule leads to


def _choose(above: list[Check], node: Node, choice: str, search: Search) -> Check:
    holding = [check for check in above if check.holds]
    if choice == "least-loss" and holding:
        return min(holding, key=lambda check: (check.cost, check.node))

    def rank(check: Check) -> tuple[float, int]:
        anonymity = anonymity_of(check.sizes, search.limits.suppression)
        return anonymity, search.variety(node, check.node)

    return max(above, key=rank)  # of equal ones the first


def anonymity_of(sizes: Int64Array, limit: int) -> float:
    """The smallest size of a group once the smallest groups, `limit` records at most, are gone.

    >>> anonymity_of(np.array([1, 1, 3, 9]), 0), anonymity_of(np.array([1, 1, 3, 9]), 2)
    (1.0, 3.0)
    """
    ordered = np.sort(sizes)
    kept = ordered[np.cumsum(ordered) > limit]
    return float(kept[0]) if len(kept) else np.inf
