"""Measuring boxes inside kernels: the axes of a table as flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.cell_widths import CellWidths
from shoal.types.arrays import FloatArray, Int32Array
from shoal.types.axis import BEYOND, Axis
from shoal.types.table import Table


class _Block(NamedTuple):
    """[levels, codes], missing being the last code."""

    nodes: Int32Array
    widths: FloatArray


def ruler_of(table: Table) -> CellWidths:
    """How much of its domain a published cell covers, as kernels can look it up."""
    return _ruler(table, [_block_of(axis) for axis in table.axes])


def diameter_ruler_of(table: Table) -> CellWidths:
    """The same as clustering papers and `il` measure it: a node by its height, not its leaves."""
    return _ruler(table, [_diameter_block_of(axis) for axis in table.axes])


def _ruler(table: Table, blocks: list[_Block]) -> CellWidths:
    sizes = [block.nodes.size for block in blocks]
    return CellWidths(
        nodes=np.concatenate([block.nodes.ravel() for block in blocks]),
        widths=np.concatenate([block.widths.ravel() for block in blocks]),
        begins=np.cumsum([0, *sizes[:-1]], dtype=np.int64),
        n_codes=np.array([block.nodes.shape[1] for block in blocks], dtype=np.int64),
        has_levels=np.array([len(block.nodes) > 1 for block in blocks]),
        weights=np.array([axis.weight for axis in table.axes], dtype=np.float64),
    )


def _diameter_block_of(axis: Axis) -> _Block:
    if axis.on_a_line:
        return _block_of(axis)
    if axis.publish == "node":
        block = _block_of(axis)
        levels = np.arange(len(block.nodes)) / max(len(block.nodes) - 1, 1)
        return block._replace(widths=np.repeat(levels[:, np.newaxis], block.nodes.shape[1], axis=1))
    codes = np.arange(len(axis.leaves) + 1, dtype=np.int32)  # a set of values: as in a flat tree
    return _Block(
        nodes=np.stack([codes, np.zeros_like(codes)]),
        widths=np.stack([np.zeros(len(codes)), np.ones(len(codes))]),
    )


def _block_of(axis: Axis) -> _Block:
    if axis.hierarchy is None or axis.publish != "node":
        codes = np.arange(len(axis.leaves) + 1, dtype=np.int32)
        return _Block(codes[np.newaxis], axis.positions[np.newaxis])
    tree = axis.hierarchy.as_given
    levels, n_others = range(tree.height + 1), max(len(tree.leaves) - 1, 1)
    shares = [(tree.leaves_under(level) - 1) / n_others for level in levels]
    return _Block(
        nodes=np.stack([tree.nodes_at(level) for level in levels]),
        widths=np.stack([np.append(share, BEYOND) for share in shares]),
    )
