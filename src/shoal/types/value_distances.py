"""How far the values in groups are from those of a whole table: earth mover's distances.

The work to turn one distribution into the other, where a share moved from one value to another
costs their distance. Li, Li and Venkatasubramanian (ICDE 2007) define t-closeness by it, with three
distances of values, each from 0 to 1: any two are equally far, they lie in a row, or as far apart
as the height at which they meet in a hierarchy. All three have closed forms; none needs a solver.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal.types.arrays import FloatArray, IntArray
from shoal.types.sensitive import SensitiveColumn
from shoal.types.stats import ValueCounts

Distance = Literal["equal", "ordered", "hierarchical"]


def distances(
    kind: Distance, column: SensitiveColumn, found: ValueCounts, reference: FloatArray
) -> FloatArray:
    """The distance of every group from the shares that a reference gives to each value."""
    match kind:
        case "equal":
            return equal_distances(found, reference)
        case "ordered":
            return ordered_distances(column, found, reference)
        case "hierarchical":
            return hierarchical_distances(column, found, reference)


def equal_distances(found: ValueCounts, reference: FloatArray) -> FloatArray:
    """Half the sum of all differences of shares."""
    n_groups = len(found.starts) - 1
    return _half_sums(found.groups, found.values, found.shares, reference, n_groups)


def ordered_distances(
    column: SensitiveColumn, found: ValueCounts, reference: FloatArray
) -> FloatArray:
    """The mean difference of the cumulated shares, over the steps between values in a row.

    The row is made of the values that occur in the reference, in the order of `column.ranks`.
    From each value of a group to its next one the cumulated share of the group stays the same,
    while that of the reference rises through it at most once: so a group costs as many steps as it
    has values, however long the row is.
    """
    in_order = np.argsort(column.ranks)
    in_order = in_order[reference[in_order] > 0]
    n = len(in_order)
    if n < 2:
        return np.zeros(len(found.starts) - 1)
    place = np.zeros(len(reference), dtype=np.int64)
    place[in_order] = np.arange(n)
    groups = found.groups
    order = np.lexsort((place[found.values], groups))
    start, counts = place[found.values][order], found.counts[order]

    cumulated = np.cumsum(reference[in_order])
    before = np.append(0.0, np.cumsum(cumulated))
    level = _cumulated_shares(found, counts)
    is_last = np.append(np.diff(groups) != 0, True)
    end = np.where(is_last, n, np.append(start[1:], n))
    turn = np.clip(np.searchsorted(cumulated, level), start, end)
    gaps = level * (turn - start) - (before[turn] - before[start])
    gaps += (before[end] - before[turn]) - level * (end - turn)
    totals = np.add.reduceat(gaps, found.starts[:-1]) + before[start[found.starts[:-1]]]
    return np.asarray(totals / (n - 1))


def hierarchical_distances(
    column: SensitiveColumn, found: ValueCounts, reference: FloatArray
) -> FloatArray:
    """The mean of the equal distances of the nodes at every height below the root.

    On a tree, a share moves up to where two values meet and down again: it leaves one node at each
    height on the way. Missing is a leaf of its own directly under the root.
    """
    if column.hierarchy is None or column.leaves is None:  # no value at all, or a flat row of them
        return equal_distances(found, reference)
    tree = column.hierarchy.as_given
    below_root = [tree.nodes_at(level)[column.leaves] for level in range(tree.height)]
    if not below_root:  # a leaf that is the root: there may be missing values besides
        return equal_distances(found, reference)
    return np.asarray(np.mean([_at_level(n, found, reference) for n in below_root], axis=0))


def _at_level(node_of: IntArray, found: ValueCounts, reference: FloatArray) -> FloatArray:
    """The equal distance of the nodes at a level."""
    n_nodes, n_groups = int(node_of.max()) + 1, len(found.starts) - 1
    keys, place = np.unique(found.groups * n_nodes + node_of[found.values], return_inverse=True)
    shares = np.bincount(place, found.shares).astype(np.float64)
    expected = np.bincount(node_of, reference, minlength=n_nodes).astype(np.float64)
    return _half_sums(keys // n_nodes, keys % n_nodes, shares, expected, n_groups)


def _half_sums(
    groups: IntArray, values: IntArray, shares: FloatArray, expected: FloatArray, n_groups: int
) -> FloatArray:
    """Half the sum of the differences; a value that a group has not differs by its share."""
    at_values = expected[values]
    changes = np.abs(shares - at_values) - at_values
    return np.asarray((np.bincount(groups, changes, minlength=n_groups) + expected.sum()) / 2)


def _cumulated_shares(found: ValueCounts, counts: IntArray) -> FloatArray:
    """Within each group, the share of its entries up to each: whole numbers until the last step."""
    running = np.append(0, np.cumsum(counts))
    at_begin = running[found.starts[:-1]]
    sizes = running[found.starts[1:]] - at_begin
    return np.asarray((running[1:] - at_begin[found.groups]) / sizes[found.groups])


def severity_distances(
    severity: FloatArray, found: ValueCounts, reference: FloatArray
) -> FloatArray:
    """How far the mean severity of every group is from that of a reference: `phi` of their ratio.

    Where nothing is grave at all, everything is equally grave.
    """
    grave = np.where(reference > 0, severity, 0.0)  # absent values may lack a severity
    mean = float(np.dot(grave, reference))
    weighted = grave[found.values] * found.shares
    means = np.bincount(found.groups, weighted, minlength=len(found.starts) - 1)
    return phi(means / mean if mean > 0 else np.ones_like(means))


def phi(ratios: FloatArray) -> FloatArray:
    """x ln x - x + 1: 0 where a mean severity is that of the table, above 0 elsewhere.

    >>> phi(np.array([0.0, 1.0, 1.1])).round(4).tolist()
    [1.0, 0.0, 0.0048]
    """
    positive = np.where(ratios > 0, ratios, 1.0)
    return np.where(ratios > 0, positive * np.log(positive) - positive + 1.0, 1.0)
