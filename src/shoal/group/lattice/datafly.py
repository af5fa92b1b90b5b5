"""Datafly (Sweeney 1997)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.group.lattice._full_domain import FullDomain
from shoal.group.lattice._grid import Node
from shoal.group.lattice._search import Search


@dataclass(frozen=True)
class Datafly(FullDomain):
    """Generalise the column with most different values, again and again, until few records fail.

    Fast, at most one check per level of the lattice, and blind: it loses much more than it must.
    `metric` is only reported. Sweeney 1997.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "f", "m", "m"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="datafly")
    >>> release.summary()["levels"], release.summary()["checks"]
    ({'age': 1, 'sex': 0}, 2)
    """

    def walk(self, search: Search) -> bool:
        node: Node | None = search.grid.bottom
        while node is not None and not search.check(node).holds:
            node = search.most_varied_above(node)
        return False
