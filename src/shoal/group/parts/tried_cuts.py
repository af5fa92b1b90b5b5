"""The cuts that strict Mondrian tries before it leaves a group whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.group.parts.cell_widths import ruler_of
from shoal.group.parts.turns import InOrder
from shoal.kernels import cuts as kernels
from shoal.types.arrays import Int32Array
from shoal.types.table import Table


class TriedCut(NamedTuple):
    """Rows up to a code go left. Both sides have as many records as every model needs."""

    column: int
    code: int


def tried_cuts(table: Table, groups: Sequence[Int32Array], smallest: int) -> list[list[TriedCut]]:
    """For each group, given by its rows, one cut for each column that can be cut."""
    sizes = [len(rows) for rows in groups]
    rows = np.concatenate([np.empty(0, dtype=np.int32), *groups]).astype(np.int32)
    ends = np.cumsum(sizes, dtype=np.int64)
    starts, n = ends - np.array(sizes, dtype=np.int64), len(groups)
    smallest = min(smallest, table.n_records + 1)  # a number that kernels can hold
    ruler, tried = ruler_of(table), np.zeros(n, dtype=np.int32)
    turns = InOrder(table, n).turns  # all columns are tried, in any order
    cuts = kernels.Cuts(
        column=np.full(n, kernels.NO_COLUMN, dtype=np.int32),
        code=np.zeros(n, dtype=np.int32),
        take=np.zeros(n, dtype=np.int64),
        rank=np.zeros(n, dtype=np.int32),
    )
    found: list[list[TriedCut]] = [[] for _ in groups]
    open_ = np.arange(n, dtype=np.int64)
    while len(open_):
        kernels.propose_cuts(
            table.codes, rows, table.weights[rows], starts, ends, tried, ruler, turns, smallest,
            True, open_, cuts,
        )  # fmt: skip
        open_ = open_[cuts.column[open_] != kernels.NO_COLUMN]
        for group in open_.tolist():
            found[group].append(TriedCut(int(cuts.column[group]), int(cuts.code[group])))
        tried[open_] = cuts.rank[open_] + 1
    return found
