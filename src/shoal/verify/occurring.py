"""Values that somebody in a group has for certain, by the text of its cell.

A tight range ends at a value of the group, and a set lists its values. A node that is the lowest
one above its group has at least two children with somebody in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal.read.leaves import leaf_of_value
from shoal.types.arrays import BoolArray
from shoal.types.column import RawColumn
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.schema import ColumnSpec
from shoal.verify.cell_text import measure, read_range, read_set

NEVER = 0


class Occurring(NamedTuple):
    """Different values that occur in a group; all of its values if it has `exact_at` records."""

    values: tuple[str, ...]
    exact_at: int
    is_range: bool = False


NOTHING = Occurring((), NEVER)


def occurring_in(cell: str | None, spec: ColumnSpec) -> Occurring | None:
    """What a range or a set tells, None for any other cell.

    >>> occurring_in("[21, 27]", ColumnSpec("quasi"))
    Occurring(values=('21', '27'), exact_at=2, is_range=True)
    >>> occurring_in("{a, b, c}", ColumnSpec("quasi"))
    Occurring(values=('a', 'b', 'c'), exact_at=3, is_range=False)
    """
    if not cell or cell == ROOT or publishes_nodes(spec):
        return None
    if spec.publish in (None, "range") and spec.bounds is None:
        ends = _tight_ends(cell)
        if ends is not None:
            return Occurring(ends, 2, is_range=True)
    values = read_set(cell) if spec.publish in (None, "set") else None
    if values is None or len(set(values)) != len(values) or len(values) < 2:
        return None
    return Occurring(values, len(values))


def publishes_nodes(spec: ColumnSpec) -> bool:
    """Whether cells are nodes of a hierarchy, which do not end at a value that somebody has."""
    return spec.publish == "node" or (spec.publish is None and spec.hierarchy is not None)


def _tight_ends(cell: str) -> tuple[str, str] | None:
    """The ends of a range between two different values, both of which it covers."""
    ends = read_range(cell)
    if ends is None or not ends.has_high:
        return None
    low, high = measure(ends.low), measure(ends.high)
    if low is None or high is None or low.family != high.family or low == high:
        return None
    return ends.low, ends.high


def occurring_below(values: RawColumn, spec: ColumnSpec) -> dict[str, Occurring]:
    """By the label of a node, what it tells where it is the lowest one above its group.

    If just two of its children have values of the column, both occur; a child with one value is
    that value. The root also stands for missing values among others, and tells nothing where there
    are any. A label of several nodes tells nothing.
    """
    if spec.hierarchy is None or not values.labels or not publishes_nodes(spec):
        return {}
    tree = spec.hierarchy.build(values)
    leaf_of = leaf_of_value(values, tree.leaves)
    occurs = np.zeros(len(tree.leaves), dtype=np.bool_)
    occurs[leaf_of[leaf_of >= 0]] = True
    n_nodes = Counter(label for labels in tree.labels for label in labels)
    return {
        label: told
        for level in range(1, tree.height + 1)
        for label, told in _of_level(tree, level, values, occurs)
        if told is not None and n_nodes[label] == 1
    }


def _of_level(
    tree: Hierarchy, level: int, values: RawColumn, occurs: BoolArray
) -> Iterator[tuple[str, Occurring | None]]:
    """Each node of a level; None where nothing is known of who is below it."""
    places = np.flatnonzero(occurs)
    nodes, children = tree.nodes[level][places], tree.nodes[level - 1][places]
    ends = np.searchsorted(nodes, np.arange(len(tree.labels[level]) + 1))
    for node, label in enumerate(tree.labels[level]):
        run = slice(ends[node], ends[node + 1])
        _, first, n_leaves = np.unique(children[run], return_index=True, return_counts=True)
        is_unclear = len(first) != 2 or (label == ROOT and values.has_missing)
        alone = () if is_unclear else places[run][first[n_leaves == 1]]
        known = tuple(tree.leaves[place] for place in alone)
        yield label, Occurring(known, 2 if len(known) == 2 else NEVER) if known else None
