"""Every quasi-identifier at a level that is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.group.parts.suppress import suppress_failing
from shoal.kernels.boxes import group_boxes
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.arrays import Int32Array
from shoal.types.axis import Axis
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class GivenLevels(Algorithm):
    """Generalise every column to the level that an earlier search has found."""

    levels: tuple[int, ...]
    traits = Traits(publishes_nodes=True)

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        grouping = at_levels(table, self.levels)
        return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)


def at_levels(table: Table, levels: Sequence[int]) -> Grouping:
    """Records whose nodes are the same at these levels are a group; none is suppressed."""
    nodes = [_node_of_code(axis, level) for axis, level in zip(table.axes, levels, strict=True)]
    columns = [node[table.codes[:, i]] for i, node in enumerate(nodes)]
    labels, first = fold_equal_rows(columns, [int(node[-1]) + 1 for node in nodes])
    rows = np.arange(table.n_rows, dtype=np.int32)
    low, high = group_boxes(table.codes, rows, labels, len(first))
    return Grouping.of_rows(table, labels, low, high, levels=tuple(levels))


def _node_of_code(axis: Axis, level: int) -> Int32Array:
    """The node above each leaf, and last that of a missing value: its own, or the root."""
    tree = axis.hierarchy
    if tree is None:  # missing in every record
        return np.arange(len(axis.leaves) + 1, dtype=np.int32)
    if level >= tree.height:
        return np.zeros(len(tree.leaves) + 1, dtype=np.int32)
    nodes = tree.nodes[level]
    return np.append(nodes, nodes[-1] + 1).astype(np.int32)
