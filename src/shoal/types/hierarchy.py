"""A hierarchy whose nodes are runs of consecutive leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.types.arrays import BoolArray, Int32Array

ROOT = "*"


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """Leaves in an order in which every node covers consecutive ones.

    `nodes[level, leaf]` numbers, from left to right, the node above a leaf at a level; level 0
    are the leaves, the last level is the root. `labels[level][node]` is what a node is called.

    Levels are what full-domain releases choose. In a tree of uneven depth a node stands at several
    of them, its name repeated: what is measured follows `as_given`, where every node stands once.

    >>> work = Hierarchy.of_paths([("nurse", "care", "*"), ("cook", "kitchen", "*"),
    ...                            ("doctor", "care", "*")])
    >>> work.leaves
    ('nurse', 'doctor', 'cook')
    >>> work.height, work.label(1, 1)
    (2, 'care')
    """

    nodes: Int32Array
    labels: tuple[tuple[str, ...], ...]

    @classmethod
    def of_paths(cls, paths: Sequence[Sequence[str]]) -> Hierarchy:
        """From one path per leaf, leaf first and root last, all equally long.

        Siblings keep the order in which they first appear; the paths must form a tree.
        """
        order = _order_by_path(paths)
        ordered = [paths[i] for i in order]
        n_levels = len(ordered[0])
        nodes = np.zeros((n_levels, len(ordered)), dtype=np.int32)
        labels: list[tuple[str, ...]] = []
        for level in range(n_levels):
            names = [path[level] for path in ordered]
            is_new = [
                i == 0 or ordered[i][level:] != ordered[i - 1][level:] for i in range(len(names))
            ]
            nodes[level] = np.cumsum(is_new) - 1
            labels.append(tuple(name for name, new in zip(names, is_new, strict=True) if new))
        labels[-1] = (ROOT,)
        return cls(nodes, tuple(labels))

    @classmethod
    def of_keys(
        cls,
        leaves: tuple[str, ...],
        keys: Sequence[npt.NDArray[Any]],
        name: Callable[[int, Any], str],
    ) -> Hierarchy:
        """From ascending leaves and, level by level, an ascending key of the node above each.

        `name(level, key)` is called once per node, which keeps a million leaves fast.
        """
        root = np.zeros(len(leaves), dtype=np.int32)
        nodes = [np.arange(len(leaves), dtype=np.int32)]
        labels = [leaves]
        for level, key in enumerate(keys):
            is_new = np.append(True, key[1:] != key[:-1])
            nodes.append((np.cumsum(is_new) - 1).astype(np.int32))
            labels.append(tuple(name(level, first) for first in key[is_new]))
        return cls(np.stack([*nodes, root]), (*labels, (ROOT,)))

    def followed_by(self, leaf: str) -> Hierarchy:
        """The same with one more leaf after all others, directly under the root.

        It has its own name at every level below.
        """
        last = [len(labels) for labels in self.labels[:-1]] + [0]
        nodes = np.column_stack([self.nodes, np.array(last, dtype=np.int32)])
        labels = tuple((*labels, leaf) for labels in self.labels[:-1])
        return Hierarchy(nodes, (*labels, self.labels[-1]))

    @property
    def leaves(self) -> tuple[str, ...]:
        return self.labels[0]

    @property
    def height(self) -> int:
        return len(self.labels) - 1

    @cached_property
    def leaf_counts(self) -> tuple[Int32Array, ...]:
        """At each level, the number of leaves under every node."""
        return tuple(np.bincount(nodes).astype(np.int32) for nodes in self.nodes)

    @cached_property
    def heights(self) -> tuple[Int32Array, ...]:
        """At each level, how many steps every node is above the furthest leaf below it.

        Where a node and the one above it have the same name they are one, and there is no step.
        """
        heights = [np.zeros(len(self.leaves), dtype=np.int32)]
        for level in range(self.height):
            above = np.zeros(len(self.labels[level + 1]), dtype=np.int32)
            np.maximum.at(above, self._above(level), heights[-1] + ~self._repeats[level])
            heights.append(above)
        for level in range(self.height - 1, 0, -1):
            of_parent = heights[level + 1][self._above(level)]
            heights[level] = np.where(self._repeats[level], of_parent, heights[level])
        return tuple(heights)

    @cached_property
    def as_given(self) -> Hierarchy:
        """The tree without repeated nodes: leaves meet at the level that is their node's height.

        >>> even = Hierarchy.of_paths([("flu", "lung", "*"), ("asthma", "lung", "*")])
        >>> even.as_given is even
        True
        >>> ill = Hierarchy.of_paths([("flu", "flu", "lung", "*"), ("cold", "cold", "lung", "*"),
        ...                           ("HIV", "virus", "blood", "*")])
        >>> [ill.as_given.label(level, 0) for level in range(4)]
        ['flu', 'lung', 'lung', '*']
        """
        if all((height == level).all() for level, height in enumerate(self.heights)):
            return self
        above_leaf = np.stack([h[n] for h, n in zip(self.heights, self.nodes, strict=True)])
        nodes, labels = [], []
        for height in range(int(self.heights[-1][0]) + 1):
            # The highest node that is no higher than this.
            level = np.count_nonzero(above_leaf <= height, axis=0) - 1
            node = self.nodes[level, np.arange(len(self.leaves))]
            is_new = np.append(True, (np.diff(level) != 0) | (np.diff(node) != 0))
            nodes.append((np.cumsum(is_new) - 1).astype(np.int32))
            found = zip(level[is_new].tolist(), node[is_new].tolist(), strict=True)
            labels.append(tuple(self.labels[at][number] for at, number in found))
        return Hierarchy(np.stack(nodes), tuple(labels))

    @cached_property
    def _repeats(self) -> tuple[BoolArray, ...]:
        """At each level below the root, which nodes are one with the node above them."""
        is_leaf = np.ones(len(self.leaves), dtype=np.bool_)
        repeats = []
        for level in range(self.height):
            above = self._above(level)
            # A leaf is repeated where nothing else is below; otherwise the node has its name only.
            is_alone = (self.leaf_counts[level + 1][above] == 1) & (level + 1 < self.height)
            is_asked = np.flatnonzero(~is_leaf | is_alone)
            names, names_above = self.labels[level], self.labels[level + 1]
            is_same = np.zeros(len(names), dtype=np.bool_)
            is_same[is_asked] = [
                names[node] == names_above[parent]
                for node, parent in zip(is_asked.tolist(), above[is_asked].tolist(), strict=True)
            ]
            repeats.append(is_same)
            is_leaf_above = np.zeros(len(names_above), dtype=np.bool_)
            is_leaf_above[above[is_same & is_leaf]] = True
            is_leaf = is_leaf_above
        return tuple(repeats)

    def _above(self, level: int) -> Int32Array:
        """For each node of a level, the node above it at the next."""
        firsts = np.append(True, np.diff(self.nodes[level]) != 0)
        above: Int32Array = self.nodes[level + 1][firsts]
        return above

    def nodes_at(self, level: int) -> Int32Array:
        """The node above each leaf at a level, and last that above a missing value.

        Missing is a leaf of its own directly under the root: below it, a node after all others.
        """
        missing = 0 if level == self.height else len(self.labels[level])
        return np.append(self.nodes[level], np.int32(missing))

    def leaves_under(self, level: int) -> Int32Array:
        """How many leaves the node above each leaf covers at a level."""
        counts: Int32Array = self.leaf_counts[level][self.nodes[level]]
        return counts

    def level_covering(self, low: Int32Array, high: Int32Array) -> Int32Array:
        """The level of the lowest node that covers the leaves low..high."""
        level = np.full(low.shape, self.height, dtype=np.int32)
        for candidate in range(self.height - 1, -1, -1):
            nodes = self.nodes[candidate]
            level[nodes[low] == nodes[high]] = candidate
        return level

    def label(self, level: int, leaf: int) -> str:
        return self.labels[level][int(self.nodes[level, leaf])]

    def paths(self) -> Iterator[tuple[str, ...]]:
        """One path per leaf, leaf first: the rows of a level table."""
        for leaf in range(len(self.leaves)):
            yield tuple(self.label(level, leaf) for level in range(self.height + 1))


def _order_by_path(paths: Sequence[Sequence[str]]) -> list[int]:
    """Sort leaves by the path from the root, siblings by first appearance."""
    first: dict[tuple[str, ...], int] = {}
    for i, path in enumerate(paths):
        for level in range(len(path)):
            first.setdefault(tuple(path[level:]), i)
    keys = [
        tuple(first[tuple(path[level:])] for level in range(len(path) - 1, -1, -1))
        for path in paths
    ]
    return sorted(range(len(paths)), key=keys.__getitem__)
