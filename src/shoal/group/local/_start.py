"""Groups to begin with: the nodes of a lattice, the cheapest first."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple
from zlib import crc32

import numpy as np

from shoal.group.local._space import closed
from shoal.kernels.boxes import group_boxes
from shoal.kernels.sweep_start import sweep_lattice
from shoal.types.arrays import FloatArray, Int32Array
from shoal.types.axis import Axis
from shoal.types.grouping import Grouping
from shoal.types.table import Table
from shoal.types.watch import Pulse

MOST_NODES = 60_000
BINS = (64, 32, 16, 8, 4, 2)  # of numbers that have no hierarchy


class Level(NamedTuple):
    """The cell of each code of a column, by number, and what it costs."""

    cells: Int32Array
    costs: FloatArray


def swept(table: Table, least: int, pulse: Pulse) -> Grouping | None:
    """Rows with the same cells at a node are a group; those left over are as suppressed ones.

    None where the lattice has too many nodes.
    """
    # What is drawn differs from table to table, or the same places in a file would always win.
    rng = np.random.default_rng(crc32(table.codes.tobytes()))
    levels = [_levels_of(axis, table, i) for i, axis in enumerate(table.axes)]
    levels = _fewer(levels, rng)
    if prod(map(len, levels)) > MOST_NODES:
        return None
    keys = [_random_keys(of_axis, rng) for of_axis in levels]
    sizes = np.array([len(key) for key in keys])
    labels = sweep_lattice(
        table.codes,
        table.weights,
        np.concatenate(keys),
        (np.cumsum(sizes) - sizes).astype(np.int64),
        np.array([len(of_axis[0].cells) for of_axis in levels], dtype=np.int64),
        _cheapest_first(levels, table, rng),
        least,
        pulse,
    )
    rows = np.arange(table.n_rows, dtype=np.int32)
    low, high = group_boxes(table.codes, rows, labels, int(labels.max()) + 1)
    return Grouping.of_rows(table, labels, low, high)


def _levels_of(axis: Axis, table: Table, i: int) -> list[Level]:
    """From the leaves to the root; a number without a hierarchy has bins of as many records."""
    n = len(axis.leaves) + 1
    codes = np.arange(n, dtype=np.int32)
    found = [Level(codes, np.zeros(n))]
    if axis.hierarchy is not None and axis.publish == "node":
        given = axis.hierarchy.as_given
        for level in range(1, given.height):
            cells = given.nodes_at(level)
            found.append(Level(cells, _costs(axis, cells)))
    elif axis.on_a_line:
        counts = np.bincount(table.codes[:, i], table.weights, minlength=n)[:-1]
        shares = (np.cumsum(counts) - counts / 2) / max(counts.sum(), 1)
        for n_bins in BINS:
            if n_bins < n - 1:
                cells = np.append((shares * n_bins).astype(np.int32), n_bins)
                found.append(Level(cells, _costs(axis, cells)))
    if axis.n_codes > 1:
        found.append(Level(np.zeros(n, dtype=np.int32), np.full(n, axis.weight)))
    return found


def _costs(axis: Axis, cells: Int32Array) -> FloatArray:
    first = np.searchsorted(cells, cells, side="left").astype(np.int32)
    last = (np.searchsorted(cells, cells, side="right") - 1).astype(np.int32)
    costs: FloatArray = axis.extent(*closed(axis, first, last)).share * axis.weight
    return costs


def _fewer(levels: list[list[Level]], rng: np.random.Generator) -> list[list[Level]]:
    """Leave out every other level of the column that has most, until the nodes are not too many.

    Of several that have as many, of one at random.
    """
    levels = list(levels)
    drawn = rng.permutation(len(levels)).tolist()
    while prod(map(len, levels)) > MOST_NODES and max(map(len, levels)) > 2:
        i = max(drawn, key=lambda i: len(levels[i]))
        levels[i] = [*levels[i][:-1:2], levels[i][-1]] if len(levels[i]) > 3 else levels[i][::2]
    return levels


def _random_keys(levels: Sequence[Level], rng: np.random.Generator) -> np.ndarray:
    keys = []
    for level in levels:
        of_cells = rng.integers(0, 2**64, int(level.cells.max()) + 1, dtype=np.uint64)
        keys.append(of_cells[level.cells])
    return np.concatenate(keys)


def _cheapest_first(
    levels: Sequence[Sequence[Level]], table: Table, rng: np.random.Generator
) -> np.ndarray:
    """All nodes by what a record pays there on average; equal ones in random order."""
    total = np.zeros(1)
    n_records = max(table.n_records, 1)
    for i, of_axis in enumerate(levels):
        counts = np.bincount(table.codes[:, i], table.weights, minlength=len(of_axis[0].cells))
        means = [float(np.dot(counts, level.costs)) / n_records for level in of_axis]
        total = np.add.outer(total, np.array(means)).ravel()
    order = np.lexsort((rng.permutation(len(total)), total))
    shape = tuple(len(of_axis) for of_axis in levels)
    return np.stack(np.unravel_index(order, shape), axis=1).astype(np.int64)
