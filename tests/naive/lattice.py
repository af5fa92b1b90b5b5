"""Full-domain generalisation in plain Python: one level per column, for every record.

A node is a tuple of levels. Costs are exact fractions where the definition allows it. A model is
a function that says of the sensitive values of a group whether the group holds.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import log2, prod
from typing import NamedTuple

ROOT = "*"
METRICS = (
    "loss",
    "loss-geometric",
    "iloss",
    "level",
    "precision",
    "dm",
    "dm-star",
    "class-size",
    "entropy",
    "entropy-monotone",
)


@dataclass(frozen=True, eq=False)
class Ladder:
    """A column whose values can be generalised.

    `values` has one per record, None where it is missing; `paths` one per leaf, leaf first and
    root last. Missing is a leaf of its own, directly under the root.
    """

    values: list
    paths: list
    weight: float = 1

    @cached_property
    def path_of(self):
        return {path[0]: tuple(path) for path in self.paths}

    @cached_property
    def is_empty(self):
        """Without any value there is nothing to generalise."""
        return all(value is None for value in self.values)

    @property
    def height(self):
        return 0 if self.is_empty else len(self.paths[0]) - 1

    @cached_property
    def n_leaves(self):
        """All that a cell can stand for: one leaf and missing are two."""
        return max(2, len(self.paths))

    @cached_property
    def has_one_value(self):
        return self.is_empty or (len(self.paths) == 1 and None not in self.values)

    def at(self, value, level):
        """What a value becomes at a level: its way from there to the root."""
        if level == self.height and not self.is_empty:
            return (ROOT,)
        return None if value is None else self.path_of[value][level:]

    def n_below(self, value, level):
        """The leaves that a cell may stand for."""
        if value is None and level < self.height:
            return 1
        if level == self.height:
            return self.n_leaves
        return sum(tuple(path[level:]) == self.at(value, level) for path in self.paths)

    def loss(self, value, level):
        if self.has_one_value:
            return Fraction(0)
        return Fraction(self.n_below(value, level) - 1, self.n_leaves - 1)

    def iloss(self, value, level):
        if self.has_one_value:
            return Fraction(0)
        return Fraction(self.n_below(value, level) - 1, self.n_leaves)

    def precision(self, value, level):
        if self.has_one_value or (value is None and level < self.height):
            return Fraction(0)
        if level == self.height:
            return Fraction(1)
        below = [path for path in self.paths if tuple(path[level:]) == self.at(value, level)]
        return Fraction(_steps(below, level), _steps(self.paths, self.height))


def _steps(paths, level):
    """The most steps up to a level; a name repeated is not one."""
    return max(sum(path[i] != path[i + 1] for i in range(level)) for path in paths)


class Fate(NamedTuple):
    """What becomes of the records at a node: groups as lists of records, and which of them fail."""

    groups: list
    failing: list

    @property
    def kept(self):
        return [group for group in self.groups if group not in self.failing]

    @property
    def suppressed(self):
        return [record for group in self.failing for record in group]


@dataclass(frozen=True, eq=False)
class Lattice:
    """A table, a model, and how many records may be suppressed.

    `already` records were suppressed beforehand: in every metric over cells, they have the root.
    """

    columns: list
    sensitive: list
    model: object
    limit: int = 0
    already: int = 0
    names: tuple = ()  # of the columns; else q0, q1 ...

    def turn(self, column):
        """Whose turn it is among columns that are equal: in the order of their names."""
        return self.names[column] if self.names else f"q{column}"

    def in_turn(self, node):
        return [node[i] for i in sorted(range(len(node)), key=self.turn)]

    @property
    def n(self):
        return len(self.sensitive)

    @property
    def heights(self):
        return tuple(column.height for column in self.columns)

    @cached_property
    def nodes(self):
        return list(product(*(range(height + 1) for height in self.heights)))

    def record_at(self, record, node):
        return tuple(
            column.at(column.values[record], level)
            for column, level in zip(self.columns, node, strict=True)
        )

    def groups_at(self, node):
        groups = {}
        for record in range(self.n):
            groups.setdefault(self.record_at(record, node), []).append(record)
        return list(groups.values())

    @cached_property
    def fates(self):
        return {node: self._fate(node) for node in self.nodes}

    def _fate(self, node):
        groups = self.groups_at(node)
        failing = [g for g in groups if not self.model([self.sensitive[record] for record in g])]
        return Fate(groups, failing)

    def holds(self, node):
        """Few enough are suppressed, and something is left to release."""
        return self.n_failing(node) <= self.limit and self.n_failing(node) < self.n

    def n_failing(self, node):
        return len(self.fates[node].suppressed)

    def holding(self):
        return [node for node in self.nodes if self.holds(node)]

    def optimum(self, metric):
        """What the cheapest node that holds costs; None where none holds."""
        return min((cost(self, node, metric) for node in self.holding()), default=None)


def cost(lattice, node, metric):
    """What a node costs, its failing groups suppressed."""
    return cost_of_fate(lattice, node, lattice.fates[node], metric)


def cost_of_fate(lattice, node, fate, metric):
    match metric:
        case "level":
            return sum(
                Fraction(column.weight) * level
                for column, level in zip(lattice.columns, node, strict=True)
            )
        case "dm":
            of_kept = sum(len(group) ** 2 for group in fate.kept)
            n_all = lattice.n + lattice.already
            return of_kept + (len(fate.suppressed) + lattice.already) * n_all
        case "dm-star":
            return sum(len(group) ** 2 for group in fate.groups)
        case "class-size":
            is_suppressed = bool(fate.suppressed) or lattice.already > 0
            return Fraction(lattice.n + lattice.already, len(fate.kept) + is_suppressed)
        case "entropy-monotone":
            return _weighted(lattice, _bits_of_levels(lattice, node))
        case "entropy":
            hidden = _bits_of_suppressed(lattice, node, fate)
            return _weighted(lattice, _bits_of_levels(lattice, node)) + _weighted(lattice, hidden)
        case "iloss":
            return _weighted(lattice, _totals(lattice, node, fate, Ladder.iloss))
        case "loss" | "precision":
            totals = _totals(lattice, node, fate, getattr(Ladder, metric))
            weight = sum(Fraction(column.weight) for column in lattice.columns)
            return _weighted(lattice, totals) / ((lattice.n + lattice.already) * weight)
        case "loss-geometric":
            totals = _totals(lattice, node, fate, Ladder.loss)
            largest = max(Fraction(column.weight) for column in lattice.columns)
            factors = [
                1 + total / (lattice.n + lattice.already) * Fraction(column.weight) / largest
                for total, column in zip(totals, lattice.columns, strict=True)
            ]
            return float(prod(factors)) ** (1 / len(factors)) - 1
    raise AssertionError(f"no definition of {metric}")


def _weighted(lattice, of_columns):
    return sum(
        Fraction(column.weight) * value if isinstance(value, Fraction) else column.weight * value
        for column, value in zip(lattice.columns, of_columns, strict=True)
    )


def _totals(lattice, node, fate, of_cell):
    """For each column what its cells cost; a suppressed record has the root."""
    suppressed = set(fate.suppressed)
    totals = []
    for column, level in zip(lattice.columns, node, strict=True):
        costs = Counter(
            (value, column.height if record in suppressed else level)
            for record, value in enumerate(column.values)
        )
        costs[None, column.height] += lattice.already
        totals.append(sum((of_cell(column, *cell) * n for cell, n in costs.items()), Fraction(0)))
    return totals


def _bits_of_levels(lattice, node):
    """-log2 of the share of each value among those that look like it, added up over records."""
    bits = []
    for column, level in zip(lattice.columns, node, strict=True):
        own = Counter(column.values)
        alike = Counter(column.at(value, level) for value in column.values)
        bits.append(
            sum(-log2(own[value] / alike[column.at(value, level)]) for value in column.values)
        )
    return bits


def _bits_of_suppressed(lattice, node, fate):
    bits = []
    for column, level in zip(lattice.columns, node, strict=True):
        cells = [column.at(column.values[record], level) for record in fate.suppressed]
        of_cell = Counter(cells)
        bits.append(sum(-log2(of_cell[cell] / len(cells)) for cell in cells))
    return bits


class Walk(NamedTuple):
    """Where an algorithm ended (None: nowhere), what it checked, and the way it took."""

    node: tuple | None
    n_checks: int
    path: list


def _above(lattice, node):
    """One step up, column after column; those at their top are skipped."""
    return [
        (*node[:i], node[i] + 1, *node[i + 1 :])
        for i, height in enumerate(lattice.heights)
        if node[i] < height
    ]


def _variety(lattice, node, above):
    """How many values the column that `above` generalises has now."""
    column = next(i for i in range(len(node)) if node[i] != above[i])
    ladder = lattice.columns[column]
    return len({ladder.at(value, node[column]) for value in ladder.values})


def _largest(lattice, node, candidates, key):
    """Of nodes above a node; of equal ones the one whose column is first in turn."""
    best = max(map(key, candidates))
    equal = [candidate for candidate in candidates if key(candidate) == best]

    def turn(candidate):
        (column,) = (i for i in range(len(node)) if candidate[i] != node[i])
        return lattice.turn(column)

    return min(equal, key=turn)


def datafly(lattice):
    """While too many records fail, generalise the column with most different values."""
    node = (0,) * len(lattice.columns)
    path = [node]
    while not lattice.holds(node):
        above = _above(lattice, node)
        if not above:
            return Walk(None, len(path), path)
        node = _largest(
            lattice, node, above, lambda other, node=node: _variety(lattice, node, other)
        )
        path.append(node)
    return Walk(node, len(path), path)


def samarati(lattice, metric):
    """Halve the heights; then the cheapest node of the least height at which one holds.

    The path is the heights that were tried, each with whether a node holds there. What holds at
    the end may be higher than halving says where models do not survive growth.
    """
    tried, n_checks = [], 0

    def nodes_that_hold(height):
        nonlocal n_checks
        nodes = [node for node in lattice.nodes if sum(node) == height]
        holding = [node for node in nodes if lattice.holds(node)]
        if height not in [earlier for earlier, _ in tried]:
            n_checks += len(nodes)
            tried.append((height, bool(holding)))
        return holding

    low, high = 0, sum(lattice.heights)
    while low < high:
        middle = (low + high) // 2
        if nodes_that_hold(middle):
            high = middle
        else:
            low = middle + 1
    while not (holding := nodes_that_hold(low)):
        if low == sum(lattice.heights):
            return Walk(None, n_checks, tried)
        low += 1
    best = min(holding, key=lambda node: (cost(lattice, node, metric), lattice.in_turn(node)))
    return Walk(best, n_checks, tried)


def anonymity(sizes, limit):
    """The smallest size v such that the groups of at most v records have more than `limit`."""
    for v in sorted(sizes):
        if sum(size for size in sizes if size <= v) > limit:
            return v
    return float("inf")


def improved_greedy(lattice, choice="paper", metric="loss"):
    """The paper's lines 1 to 8; `least-loss` decides among those that hold by what they cost."""
    node = (0,) * len(lattice.columns)
    path, n_checks = [node], 1
    while not lattice.holds(node):
        children = _above(lattice, node)
        if not children:
            return Walk(None, n_checks, path)
        n_checks += len(children)
        holding = [child for child in children if lattice.holds(child)]

        def rank(child, node=node):
            sizes = [len(group) for group in lattice.groups_at(child)]
            of_child = anonymity(sizes, lattice.limit)
            return of_child, _variety(lattice, node, child)

        if choice == "least-loss" and holding:
            node = min(
                holding, key=lambda child: (cost(lattice, child, metric), lattice.in_turn(child))
            )
        else:
            node = _largest(lattice, node, children, rank)
        path.append(node)
    return Walk(node, n_checks, path)
