"""Incognito (LeFevre, DeWitt and Ramakrishnan 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shoal.group.lattice._search import Search
from shoal.group.lattice._settle import settle
from shoal.group.lattice._whole_lattice import WholeLattice


@dataclass(frozen=True)
class Incognito(WholeLattice):
    """Find all nodes that hold, subset by subset of the columns, and take the cheapest.

    What fails for some columns alone fails for all of them, and what holds goes on holding above.
    The result is the true optimum of the `metric`. LeFevre et al. 2005.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "f", "m", "m"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="incognito")
    >>> release.summary()["levels"], release.summary()["optimal"]
    ({'age': 1, 'sex': 0}, True)
    """

    def walk_all(self, search: Search) -> bool:
        for n_columns in range(len(search.grid.columns) + 1):
            for subset in combinations(range(len(search.grid.columns)), n_columns):
                _check_subset(subset, search)
        return settle(search)


def _check_subset(subset: tuple[int, ...], search: Search) -> None:
    """Classify the nodes in which these columns are below their top and all others are at it.

    A column at its top says nothing, so this is the lattice of the subset alone.
    """
    search.look_at_the_clock()
    chart, shape = search.chart, search.grid.shape
    begins = [0 if axis in subset else n - 1 for axis, n in enumerate(shape)]
    view = tuple(
        slice(begin, n - 1 if axis in subset else n)
        for axis, (begin, n) in enumerate(zip(begins, shape, strict=True))
    )
    is_open = ~(chart.holds[view] | chart.fails[view])
    places = np.argwhere(is_open) + np.array(begins, dtype=np.int64)
    for height in np.unique(places.sum(axis=1)):
        nodes = [search.grid.node_at(place) for place in places[places.sum(axis=1) == height]]
        # None is above another: no check tells of the others of its height.
        for _ in search.checks([node for node in nodes if chart.is_open(node)]):
            pass
