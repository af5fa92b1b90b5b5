"""Samarati's search (Samarati 2001)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.group.lattice._checker import Check
from shoal.group.lattice._search import Search
from shoal.group.lattice._whole_lattice import WholeLattice


@dataclass(frozen=True)
class Samarati(WholeLattice):
    """Find the lowest height of the lattice with a node that holds, by binary search.

    The height is found by binary search; every node of a tried height is checked. The `metric`
    chooses among the nodes of that height only, so a higher one may cost less. Samarati 2001.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "m", "f", "m"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40, 80), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="samarati")
    >>> release.summary()["levels"]  # height 2: no lower node holds
    {'age': 1, 'sex': 1}
    >>> release.summary()["optimal"]  # a higher node may cost less
    False
    """

    def walk_all(self, search: Search) -> bool:
        low, high = 0, search.grid.height
        found: dict[int, Check | None] = {}
        while low < high:
            middle = (low + high) // 2
            found[middle] = cheapest_at(middle, search)
            low, high = (middle + 1, high) if found[middle] is None else (low, middle)
        # Where models do not survive growth, nothing may hold here after all: go on upwards.
        while (best := found[low] if low in found else cheapest_at(low, search)) is None:
            if low == search.grid.height:
                break
            low += 1
        search.best = best
        return False


def cheapest_at(height: int, search: Search) -> Check | None:
    """Check every node of a height; the cheapest that holds."""
    best: Check | None = None
    for check in search.checks(search.grid.at_height(height)):
        rank = check.cost, check.node
        if check.holds and (best is None or rank < (best.cost, best.node)):
            best = check
    return best
