"""Every quasi-identifier at one level: the groups of a full-domain recoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.kernels.boxes import group_boxes
from shoal.types.grouping import Grouping
from shoal.types.table import Table


def at_levels(table: Table, levels: Sequence[int], **more: Any) -> Grouping:
    """Records whose nodes are the same at these levels are a group; none is suppressed."""
    nodes = [axis.nodes_at(level) for axis, level in zip(table.axes, levels, strict=True)]
    columns = [node[table.codes[:, i]] for i, node in enumerate(nodes)]
    labels, first = fold_equal_rows(columns, [int(node[-1]) + 1 for node in nodes])
    rows = np.arange(table.n_rows, dtype=np.int32)
    low, high = group_boxes(table.codes, rows, labels, len(first))
    return Grouping.of_rows(table, labels, low, high, levels=tuple(levels), **more)
