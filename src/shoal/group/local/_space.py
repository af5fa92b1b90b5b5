"""Rows and the cells of boxes, as the kernels of the local search look them up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.sweep_space import (
    BITS,
    CELL,
    COLUMN,
    LADDER,
    LINE,
    ROW,
    RUN,
    SET,
    TABLE,
    Space,
    measure_space,
)
from shoal.kernels.tree import grow_tree
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.watch import Pulse

MOST_OF_A_TABLE = 300  # codes: all pairs of them have an entry
MOST_LEVELS = 64  # that a word has room for


class Block(NamedTuple):
    """What kernels look up for a column; see `Space`."""

    kind: int
    costs: FloatArray
    nodes: Int32Array
    lows: Int32Array
    highs: Int32Array


class OrderedSpace(NamedTuple):
    """A space, and the row of the caller's that each of its rows is."""

    space: Space
    rows: Int64Array


def space_of(
    codes: Int32Array,
    counts: Int64Array,
    axes: Sequence[Axis],
    ruler: CellWidths,
    pulse: Pulse,
) -> OrderedSpace:
    """Rows in an order that keeps near ones together, and what their boxes cost."""
    tree = grow_tree(codes, counts, ruler, pulse)
    blocks = [_block_of(axis) for axis in axes]
    columns = _columns(axes, blocks)
    rows = np.recarray(len(counts), dtype=ROW)
    rows.count = tree.left
    runs = np.recarray(len(tree.begins), dtype=RUN)
    runs.begin, runs.end = tree.begins, tree.ends
    space = Space(
        codes=np.ascontiguousarray(tree.codes),
        rows=rows,
        columns=columns,
        cells=_cells(blocks),
        tree=runs,
        boxes=np.zeros((len(tree.begins), int(columns.n_words.sum())), dtype=np.int32),
    )
    measure_space(space)
    return OrderedSpace(space, tree.rows)


def _columns(axes: Sequence[Axis], blocks: Sequence[Block]) -> np.recarray:
    columns = np.recarray(len(axes), dtype=COLUMN)
    sizes = np.array([len(block.lows) for block in blocks], dtype=np.int64)
    columns.kind = [block.kind for block in blocks]
    columns.n_codes = [len(axis.leaves) + 1 for axis in axes]
    columns.weight = [_most(axis) for axis in axes]
    columns.step = [_most(axis) / max(len(axis.leaves) - 1, 1) for axis in axes]
    columns.begin = np.cumsum(sizes) - sizes
    n_words = [_n_words(axis, block) for axis, block in zip(axes, blocks, strict=True)]
    columns.n_words = n_words
    columns.at = np.cumsum(n_words) - n_words
    columns.hidden = [axis.first_hidden for axis in axes]
    columns.height = [_height(axis) for axis in axes]
    return columns


def _n_words(axis: Axis, block: Block) -> int:
    """Of a box: a bit for each value, or two ends."""
    return len(axis.leaves) // BITS + 1 if block.kind == SET else 2


def _cells(blocks: Sequence[Block]) -> np.recarray:
    n_cells = max(sum(len(block.lows) for block in blocks), 1)
    cells = np.zeros(n_cells, dtype=CELL).view(np.recarray)
    at = 0
    for block in blocks:
        end = at + len(block.lows)
        cells.low[at:end], cells.high[at:end] = block.lows, block.highs
        cells.cost[at : at + len(block.costs)] = block.costs
        cells.node[at : at + len(block.nodes)] = block.nodes
        at = end
    return cells


def _most(axis: Axis) -> float:
    """What a suppressed record pays for a column."""
    return float(axis.weight * axis.root_extent().share[0])


def _height(axis: Axis) -> int:
    is_node = axis.publish == "node" and axis.hierarchy is not None
    return axis.hierarchy.as_given.height if is_node and axis.hierarchy is not None else 0


def has_masks(space: Space) -> bool:
    """Whether the levels of a box fit into a word: all columns have tables of nodes."""
    columns = space.columns
    is_node = (columns.kind == TABLE) & ((columns.height > 0) | (columns.n_codes <= 2))
    return bool(is_node.all()) and int(columns.height.sum()) < MOST_LEVELS


def _block_of(axis: Axis) -> Block:
    if axis.publish == "set":
        return Block(SET, *_nothing())
    if len(axis.leaves) + 1 <= MOST_OF_A_TABLE:
        return _table_of(axis)
    return _ladder_of(axis) if axis.publish == "node" else _line_of(axis)


def _nothing() -> tuple[FloatArray, Int32Array, Int32Array, Int32Array]:
    none = np.zeros(0, dtype=np.int32)
    return np.zeros(0), none, none, none


def _table_of(axis: Axis) -> Block:
    """An entry for each pair of codes; where the first is larger there is none."""
    n = len(axis.leaves) + 1
    low, high = (side.ravel().astype(np.int32) for side in np.indices((n, n)))
    low, high = np.minimum(low, high), np.maximum(low, high)
    costs = axis.extent(low, high).share * axis.weight
    lows, highs = closed(axis, low, high)
    levels = np.zeros(0, dtype=np.int32)
    if axis.publish == "node" and axis.hierarchy is not None:
        last = len(axis.leaves) - 1
        given = axis.hierarchy.as_given
        levels = given.level_covering(np.minimum(low, last), np.minimum(high, last))
        levels[axis.mixes_missing(low, high)] = given.height
    return Block(TABLE, costs, levels, lows, highs)


def _ladder_of(axis: Axis) -> Block:
    tree = axis.hierarchy
    assert tree is not None
    given, n = tree.as_given, len(tree.leaves) + 1
    nodes = [given.nodes_at(level) for level in range(given.height + 1)]
    shares = [given.leaves_under(level) - 1.0 for level in range(given.height + 1)]
    span = max(n - 2, 1)
    costs = [np.append(share, 0.0) / span * axis.weight for share in shares]
    costs[-1][:] = _most(axis)  # the root, which missing values may be under
    lows = [np.searchsorted(node, node, side="left") for node in nodes]
    highs = [np.searchsorted(node, node, side="right") - 1 for node in nodes]
    return Block(
        LADDER,
        np.concatenate(costs),
        np.concatenate(nodes).astype(np.int32),
        np.concatenate(lows).astype(np.int32),
        np.concatenate(highs).astype(np.int32),
    )


def _line_of(axis: Axis) -> Block:
    """Where the cell of each code begins and ends; `lows` and `highs` are the codes of a bin."""
    n = len(axis.leaves) + 1
    codes = np.arange(n, dtype=np.int32)
    zero = np.zeros(n - 1, dtype=np.int32)
    own = axis.extent(codes[:-1], codes[:-1]).share * axis.weight
    ends = axis.extent(zero, codes[:-1]).share * axis.weight  # from the first cell's beginning
    nothing = np.zeros(1)
    costs = np.concatenate([ends - own, nothing, ends, nothing])
    lows, highs = closed(axis, codes, codes)
    pad = np.zeros(n, dtype=np.int32)
    return Block(
        LINE,
        costs,
        np.zeros(0, dtype=np.int32),
        np.concatenate([lows, pad]),
        np.concatenate([highs, pad]),
    )


def closed(axis: Axis, low: Int32Array, high: Int32Array) -> tuple[Int32Array, Int32Array]:
    """The codes that the cells of low..high cover as they are published."""
    missing = axis.missing_code
    is_mixed = axis.mixes_missing(low, high)
    lows, highs = low.copy(), high.copy()
    if axis.publish == "node" and axis.hierarchy is not None:
        given = axis.hierarchy.as_given
        inside, last = np.minimum(low, missing - 1), np.minimum(high, missing - 1)
        level = given.level_covering(inside, last)
        for at in range(given.height + 1):
            here = (level == at) & (high < missing)
            nodes = given.nodes[at]
            lows[here] = np.searchsorted(nodes, nodes[low[here]], side="left")
            highs[here] = np.searchsorted(nodes, nodes[low[here]], side="right") - 1
        is_mixed |= (level == given.height) & (low < high)  # the root covers missing values too
    elif axis.ranges_on_grid:
        here = high < missing
        lows[here] = np.searchsorted(axis.bins, axis.bins[low[here]], side="left")
        highs[here] = np.searchsorted(axis.bins, axis.bins[high[here]], side="right") - 1
    lows[is_mixed], highs[is_mixed] = 0, missing
    return lows.astype(np.int32), highs.astype(np.int32)
