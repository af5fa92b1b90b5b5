"""How alike the values in groups are: sums of likeness over all pairs of records.

Two numbers are alike by 1 - their distance / the width of the domain. Two other values are alike by
1 - (leaves below the node where they meet - 1) / all leaves; without a hierarchy any two values
differ by one leaf. Pairs less alike than 1 - r count nothing. All sums are made without listing
pairs, of which there are as many as records squared.
"""

from __future__ import annotations

import numpy as np

from shoal.types.arrays import BoolArray, FloatArray, IntArray
from shoal.types.hierarchy import Hierarchy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.stats import ValueCounts

CLOSE = 1e-12  # distances of exactly r come out a little larger


def alike_pairs(
    column: SensitiveColumn, found: ValueCounts, occurs: BoolArray, r: float
) -> FloatArray:
    """For every group, the likeness of all ordered pairs of its records, each with itself too.

    `occurs` says which values the domain is made of.
    """
    if column.leaves is not None:
        assert column.hierarchy is not None  # which the leaves are of
        has_missing = column.has_missing and bool(occurs[-1])
        is_leaf = np.ones(len(column.hierarchy.leaves), dtype=np.bool_)
        if not column.lists_leaves:  # those of a rule are the values that occur
            is_leaf[:] = False
            is_leaf[column.leaves[: len(column.labels)][occurs[: len(column.labels)]]] = True
        tree = column.hierarchy.as_given
        return _pairs_in_tree(tree, is_leaf, column.leaves, found, has_missing, r)
    measured = column.measured
    is_value = occurs.copy()
    if column.has_missing:
        is_value[-1] = False
    if is_value.any() and np.isfinite(measured[is_value]).all():
        return _pairs_on_a_line(measured, is_value, found, r)
    n_groups, counts = len(found.starts) - 1, found.counts.astype(np.float64)
    same = _sums(found.groups, counts**2, n_groups)
    all_pairs = _sums(found.groups, counts, n_groups) ** 2
    of_two_values = _likeness(np.array(1 / max(int(occurs.sum()), 1)), r)
    return same + of_two_values * (all_pairs - same)


def _pairs_in_tree(
    tree: Hierarchy,
    is_leaf: BoolArray,
    leaves: IntArray,
    found: ValueCounts,
    has_missing: bool,
    r: float,
) -> FloatArray:
    """Level by level: the pairs that meet at a node, less those that met below it already."""
    n_all, n_groups = int(is_leaf.sum()) + has_missing, len(found.starts) - 1
    groups, leaf, counts = found.groups, leaves[found.values].astype(np.int64), found.counts
    total = _sums(groups, counts.astype(np.float64) ** 2, n_groups)
    for level in range(1, tree.height + 1):
        n_below = np.bincount(tree.nodes[level], is_leaf)
        is_root = level == tree.height  # missing is a leaf too, directly under the root
        n_below = n_below + has_missing if is_root else np.append(n_below, 1)
        likeness = _likeness((n_below - 1) / n_all, r)
        node = tree.nodes_at(level).astype(np.int64)[leaf]
        total -= _sums(groups, likeness[node] * counts.astype(np.float64) ** 2, n_groups)
        _, first, place = np.unique(
            groups * len(n_below) + node, return_index=True, return_inverse=True
        )
        counts = np.bincount(place, counts).astype(np.int64)
        groups, leaf, node = groups[first], leaf[first], node[first]
        total += _sums(groups, likeness[node] * counts.astype(np.float64) ** 2, n_groups)
    return total


def _pairs_on_a_line(
    measured: FloatArray, is_value: BoolArray, found: ValueCounts, r: float
) -> FloatArray:
    """In order of size, every record is alike to a run of records around it.

    Missing is alike to itself alone.
    """
    n_groups = len(found.starts) - 1
    is_number = is_value[found.values]
    missing = found.counts[~is_number].astype(np.float64) ** 2
    total = _sums(found.groups[~is_number], missing, n_groups)

    in_order, places = _places(measured, is_value)
    rank = np.zeros(len(measured), dtype=np.int64)
    rank[in_order] = np.arange(len(in_order))
    first = np.searchsorted(places, places - r - CLOSE)
    behind_last = np.searchsorted(places, places + r + CLOSE, side="right")
    # Runs are found by whole numbers: what is exactly r apart counts in every group, or in none.
    groups, ranks = found.groups[is_number], rank[found.values[is_number]]
    keys = groups * len(in_order) + ranks
    order = np.argsort(keys)
    keys, groups, ranks = keys[order], groups[order], ranks[order]
    counts, place = found.counts[is_number][order].astype(np.float64), places[ranks]
    before = np.searchsorted(keys, keys - ranks + first[ranks])
    behind = np.searchsorted(keys, keys - ranks + behind_last[ranks])
    at = np.arange(len(counts))
    n_lower, n_upper = _between(counts, before, at), _between(counts, at, behind)
    gaps = place * n_lower - _between(counts * place, before, at)
    gaps += _between(counts * place, at, behind) - place * n_upper
    return total + _sums(groups, counts * (n_lower + n_upper - gaps), n_groups)


def _places(measured: FloatArray, is_value: BoolArray) -> tuple[IntArray, FloatArray]:
    """The numbers of the domain in order, by code, and where each lies from 0 to 1."""
    halves = measured / 2  # whose differences never overflow
    in_order = np.flatnonzero(is_value)[np.argsort(halves[is_value], kind="stable")]
    low, high = halves[in_order[0]], halves[in_order[-1]]
    width = high - low if high > low else 1.0
    return in_order, np.asarray((halves[in_order] - low) / width)


def _between(values: FloatArray, begins: IntArray, ends: IntArray) -> FloatArray:
    """Sums of runs of values."""
    running = np.append(0.0, np.cumsum(values))
    return np.asarray(running[ends] - running[begins])


def _likeness(distance: FloatArray, r: float) -> FloatArray:
    """1 - the distance, and nothing where that is beyond r."""
    return np.where(distance <= r + CLOSE, 1.0 - distance, 0.0)


def _sums(groups: IntArray, values: FloatArray, n_groups: int) -> FloatArray:
    return np.bincount(groups, values, minlength=n_groups).astype(np.float64)
