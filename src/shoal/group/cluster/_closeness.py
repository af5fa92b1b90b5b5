"""How far the values in each group are from those of the table: earth mover's distances.

These are what t-closeness is about (Li, Li and Venkatasubramanian 2007); severities are not.
"""

from __future__ import annotations

import numpy as np

from shoal.types.arrays import FloatArray, Int64Array, IntArray
from shoal.types.column import SensitiveColumn
from shoal.types.stats import ValueCounts


def closeness(
    column: SensitiveColumn, found: ValueCounts, overall: FloatArray
) -> dict[str, FloatArray]:
    """For every group, its distances from the shares of the values in the table, by their kind.

    `equal` always, `ordered` for numbers, `hierarchical` where the column has a hierarchy.
    """
    sizes = np.bincount(found.groups, found.counts, minlength=len(found.starts) - 1)
    shares = found.counts / sizes[found.groups]
    distances = {"equal": _equal(found.groups, found.values, shares, overall, len(sizes))}
    if column.numbers is not None and not column.has_missing and len(overall) > 1:
        distances["ordered"] = _ordered(found, shares, overall)
    if column.hierarchy is not None:
        levels = [
            _at_level(nodes, found, shares, overall, len(sizes)) for nodes in _nodes_of(column)
        ]
        # On a tree, earth moves as far as it leaves nodes: half a level up, half a level down.
        distances["hierarchical"] = np.mean(levels, axis=0)
    return distances


def _equal(
    groups: IntArray, values: IntArray, shares: FloatArray, overall: FloatArray, n_groups: int
) -> FloatArray:
    """Half the sum of the differences; a value that a group has not differs by its share."""
    expected = overall[values]
    changes = np.abs(shares - expected) - expected
    return np.asarray((np.bincount(groups, changes, minlength=n_groups) + overall.sum()) / 2)


def _ordered(found: ValueCounts, shares: FloatArray, overall: FloatArray) -> FloatArray:
    """The mean difference of the cumulated shares: from each value of a group to its next one."""
    n = len(overall)
    cumulated = np.cumsum(overall)
    before = np.append(0.0, np.cumsum(cumulated))
    is_last = np.append(np.diff(found.groups) != 0, True)
    running = np.cumsum(shares)
    begins = found.starts[:-1][found.groups]
    level = running - np.append(0.0, running)[begins]
    start = found.values.astype(np.int64)
    end = np.where(is_last, n, np.append(start[1:], n))
    turn = np.clip(np.searchsorted(cumulated, level), start, end)
    gaps = level * (turn - start) - (before[turn] - before[start])
    gaps += (before[end] - before[turn]) - level * (end - turn)
    totals = np.add.reduceat(gaps, found.starts[:-1]) + before[start[found.starts[:-1]]]
    return np.asarray(totals / (n - 1))


def _at_level(
    node_of: Int64Array, found: ValueCounts, shares: FloatArray, overall: FloatArray, n_groups: int
) -> FloatArray:
    """The equal distance of the nodes at a level."""
    n_nodes = int(node_of.max()) + 1
    keys, place = np.unique(found.groups * n_nodes + node_of[found.values], return_inverse=True)
    at_nodes = np.bincount(place, shares).astype(np.float64)
    expected = np.bincount(node_of, overall, minlength=n_nodes).astype(np.float64)
    return _equal(keys // n_nodes, keys % n_nodes, at_nodes, expected, n_groups)


def _nodes_of(column: SensitiveColumn) -> list[Int64Array]:
    """At every level below the root, the node above each value; missing has one of its own.

    A value that is no leaf, of records left out, goes with the missing ones.
    """
    tree = column.hierarchy
    assert tree is not None
    place = {leaf: i for i, leaf in enumerate(tree.leaves)}
    by_number = {_number(leaf): i for i, leaf in enumerate(tree.leaves)}
    n_leaves = len(tree.leaves)
    leaf_of = [place.get(label, by_number.get(_number(label), n_leaves)) for label in column.labels]
    leaves = np.array([*leaf_of, n_leaves][: column.n_codes], dtype=np.int64)
    return [np.append(nodes, nodes.max() + 1)[leaves] for nodes in tree.nodes[:-1]]


def _number(text: str) -> float | str:
    """The leaf 17.0 is the value 17."""
    try:
        return float(text)
    except ValueError:
        return text
