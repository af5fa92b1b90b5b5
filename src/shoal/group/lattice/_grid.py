"""Nodes of a lattice as places of an array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from shoal.types.arrays import Int64Array

Node = tuple[int, ...]  # a level for each column
MOST_NODES = 4_000_000  # that a chart has room for


@dataclass(frozen=True)
class Grid:
    """All vectors of levels from 0 to the height of each column's hierarchy.

    >>> grid = Grid((1, 2))
    >>> grid.n_nodes, grid.per_height()
    (6, [1, 2, 2, 1])
    >>> list(grid.above((0, 1)))
    [(1, 1), (0, 2)]
    """

    heights: Node

    @property
    def bottom(self) -> Node:
        return (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        return self.heights

    @property
    def height(self) -> int:
        return sum(self.heights)

    @property
    def n_nodes(self) -> int:
        return prod(height + 1 for height in self.heights)

    @property
    def can_be_charted(self) -> bool:
        return self.n_nodes <= MOST_NODES

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes one step more general."""
        for i, height in enumerate(self.heights):
            if node[i] < height:
                yield (*node[:i], node[i] + 1, *node[i + 1 :])

    def below(self, node: Node) -> Iterator[Node]:
        """The nodes one step less general."""
        for i, level in enumerate(node):
            if level > 0:
                yield (*node[:i], level - 1, *node[i + 1 :])

    def per_height(self) -> list[int]:
        """How many nodes there are at each sum of levels."""
        counts = [1]
        for height in self.heights:
            sums = [sum(counts[max(0, at - height) : at + 1]) for at in range(len(counts) + height)]
            counts = sums
        return counts

    def at_height(self, height: int) -> list[Node]:
        """All nodes whose levels add up to a height, in lexicographic order.

        >>> Grid((1, 2)).at_height(2)
        [(0, 2), (1, 1)]
        """
        partial: list[tuple[Node, int]] = [((), height)]
        left = sum(self.heights)
        for most in self.heights:
            left -= most
            partial = [
                ((*levels, level), rest - level)
                for levels, rest in partial
                for level in range(max(0, rest - left), min(most, rest) + 1)
            ]
        return [levels for levels, _ in partial]

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Those that can be generalised: the axes of the array. (An array has at most 64.)"""
        return tuple(i for i, height in enumerate(self.heights) if height > 0)

    @cached_property
    def shape(self) -> Node:
        return tuple(self.heights[i] + 1 for i in self.columns)

    def levels(self, flat: Int64Array) -> Int64Array:
        """The levels of the nodes at some places of the flattened array: [places, columns]."""
        levels = np.zeros((len(flat), len(self.heights)), dtype=np.int64)
        along = np.unravel_index(flat, self.shape) if self.columns else ()
        for column, level in zip(self.columns, along, strict=True):
            levels[:, column] = level
        return levels

    def place(self, node: Node) -> Node:
        """The index of a node in an array of this shape."""
        return tuple(node[i] for i in self.columns)

    def node_at(self, place: Int64Array) -> Node:
        """The node at an index of the array."""
        levels = [0] * len(self.heights)
        for i, level in zip(self.columns, place, strict=True):
            levels[i] = int(level)
        return tuple(levels)

    def node(self, flat: int) -> Node:
        """The node at a place of the flattened array."""
        levels = [0] * len(self.heights)
        for i in reversed(self.columns):
            flat, levels[i] = divmod(flat, self.heights[i] + 1)
        return tuple(levels)

    def from_(self, node: Node) -> tuple[slice, ...]:
        """A node and everything more general, as slices of the array."""
        return tuple(slice(node[i], None) for i in self.columns)

    def up_to(self, node: Node) -> tuple[slice, ...]:
        """A node and everything less general, as slices of the array."""
        return tuple(slice(0, node[i] + 1) for i in self.columns)

    def between(self, low: Node, high: Node) -> tuple[slice, ...]:
        return tuple(slice(low[i], high[i] + 1) for i in self.columns)


def is_below(node: Node, other: Node) -> bool:
    """Whether a node is at most as general as another in every column."""
    return all(map(int.__le__, node, other))
