"""The people of a population that the groups at a node match: those with the same row there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.group.lattice._grid import Node
from shoal.group.lattice._rows import RollUp, Rows, label_keys
from shoal.kernels import roll_up as kernels
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.stats import Presence
from shoal.types.table import Population, Table

NOWHERE = -1  # where no record of the table is


class PopulationLevels:
    """A population, by the codes that the table's records have at each level."""

    def __init__(self, population: Population, table: Table, roll_up: RollUp) -> None:
        self.population = population
        self.fields = roll_up.fields
        self.tables = [
            [_codes_at(population, table, i, level, codes) for level, codes in enumerate(levels)]
            for i, levels in enumerate(roll_up.tables)
        ]

    def at(self, node: Node, rows: Rows, n_words: int) -> MatchedRows:
        """The people that groups of a node match; `rows`, in the groups' order, are its rows."""
        columns = [
            self.tables[i][level][self.population.codes[:, i]] for i, level in enumerate(node)
        ]
        codes = np.stack(columns, axis=1)
        is_somewhere = (codes != NOWHERE).all(axis=1)
        people = kernels.pack_rows(
            np.ascontiguousarray(codes[is_somewhere]),
            self.fields.words,
            self.fields.shifts,
            n_words,
        )
        groups = rows.keys[:, :n_words]
        labels, first = label_keys(np.concatenate([groups, people]))
        n_groups = int((first < len(groups)).sum())  # groups come first, so they are numbered first
        of_people = labels[len(groups) :]
        weights = self.population.weights[is_somewhere]
        sizes = np.bincount(of_people, weights, minlength=n_groups)[:n_groups].astype(np.int64)
        return MatchedRows(sizes, self.population.n_people - int(sizes.sum()))


@dataclass(frozen=True, eq=False, repr=False)
class MatchedRows:
    """So many people for each group; no two groups at a node match the same ones."""

    people: Int64Array
    n_outside: int

    def sizes(self) -> Int64Array:
        return self.people

    def presence(self, counts: Int64Array) -> Presence:
        share = counts / np.maximum(self.people, 1)
        return Presence(share, share, self.n_outside)

    def of_groups(self, chosen: BoolArray) -> MatchedRows:
        n_more = int(self.people[~chosen].sum())
        return replace(self, people=self.people[chosen], n_outside=self.n_outside + n_more)


def _codes_at(
    population: Population, table: Table, column: int, level: int, codes: Int32Array
) -> Int32Array:
    """For each code of the population, the one that stands for its node in the table's rows."""
    axis, place = population.axes[column], population.places[column]
    nodes = axis.nodes_at(level)
    is_root = axis.hierarchy is not None and level == axis.height
    node_of = np.append(nodes, 0 if is_root else nodes[-1] + 1)  # values without a leaf come last
    present = np.unique(table.codes[:, column])
    stands_for = np.full(int(node_of.max()) + 1, NOWHERE, dtype=np.int32)
    stands_for[node_of[place[present]]] = codes[present]
    found: Int32Array = stands_for[node_of]
    return found
