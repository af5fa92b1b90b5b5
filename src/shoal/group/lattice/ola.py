"""OLA, optimal lattice anonymization (El Emam et al. 2009)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.group.lattice._grid import Grid, Node
from shoal.group.lattice._search import Search
from shoal.group.lattice._settle import settle
from shoal.group.lattice._whole_lattice import WholeLattice


@dataclass(frozen=True)
class Ola(WholeLattice):
    """Binary search in the lattice: check the middle, then what is left above and below.

    A node that fails rules out everything below; if one holds, everything above holds. The result
    is the true optimum of the `metric`. El Emam et al. 2009.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "f", "m", "m"]})
    >>> release = shoal.anonymize(patients, quasi={"age": shoal.intervals(20, 40), "sex": None},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="ola")
    >>> release.frame.rows()
    [('[20, 39]', 'f'), ('[20, 39]', 'f'), ('[40, 59]', 'm'), ('[40, 59]', 'm')]
    >>> release.summary()["optimal"]
    True
    """

    def walk_all(self, search: Search) -> bool:
        if search.checker.is_monotone:  # else no check tells of other nodes, and halving is idle
            _divide(search)
        return settle(search)


def _divide(search: Search) -> None:
    chart, seen = search.chart, set()
    parts = [(search.grid.bottom, search.grid.top)]
    while parts:
        search.look_at_the_clock()
        low, high = parts.pop()
        view = search.grid.between(low, high)
        is_open = ~(chart.holds[view] | chart.fails[view]) & (chart.floor[view] < search.bound)
        if (low, high) in seen or not is_open.any():
            continue
        seen.add((low, high))
        middle = _middle(low, high, search)
        for _ in search.checks([node for node in middle if chart.is_open(node)]):
            pass
        for node in middle:
            holds = chart.holds[search.grid.place(node)]
            parts.append((low, node) if holds else (node, high))


def _middle(low: Node, high: Node, search: Search) -> list[Node]:
    """The nodes halfway between two; next to each other, the lower one."""
    between = Grid(tuple(h - l for l, h in zip(low, high, strict=True)))
    return [tuple(map(int.__add__, low, steps)) for steps in between.at_height(between.height // 2)]
