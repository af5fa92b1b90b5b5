"""What a group's cell in one column is called."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.encode.fold import Fold, fold_equal_rows
from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.grid import Grid, fitting_grid
from shoal.types.hierarchy import ROOT
from shoal.types.outcome import Outcome
from shoal.types.stats import ValueCounts

NEEDS_QUOTES = frozenset(',{}"[]\\')


class Cells(NamedTuple):
    """The different cells of a column, in text order, and which of them each group has.

    A missing cell is None, and comes first.
    """

    texts: Sequence[str | None]
    of_group: Int32Array


def cells_of_groups(outcome: Outcome) -> tuple[Cells, ...]:
    """For each quasi-identifier, the cell of every group."""
    return tuple(_cells_of_column(outcome, i) for i in range(len(outcome.table.axes)))


def _cells_of_column(outcome: Outcome, i: int) -> Cells:
    axis, grouping = outcome.table.axes[i], outcome.grouping
    low, high = grouping.low[:, i], grouping.high[:, i]
    if axis.hierarchy is not None and grouping.levels is not None:
        return _cells_of_nodes(axis, low, high, np.full_like(low, grouping.levels[i]))
    match axis.publish:
        case "node":
            return _cells_of_nodes(axis, low, high, None)
        case "range":
            return _cells_of_ranges(axis, low, high)
        case "set":
            return _cells_of_sets(axis, outcome.stats.counts(axis.name), outcome.hides_rare(i))
        case _:
            return _cells_of_centres(axis, outcome.stats.counts(axis.name))


def _cells_of_nodes(
    axis: Axis, low: Int32Array, high: Int32Array, level: Int32Array | None
) -> Cells:
    """The label of the node at the given level, or of the lowest one that covers low..high."""
    tree = axis.hierarchy
    assert tree is not None
    last = len(tree.leaves) - 1
    leaf = np.minimum(low, last)
    if level is None:
        level = tree.level_covering(leaf, np.minimum(high, last))
    level = np.where(axis.mixes_missing(low, high), tree.height, level)
    above_all = tree.height + 1  # stands for a missing cell, unless all cells are the root
    level = np.where((low == axis.missing_code) & (level < tree.height), above_all, level)
    node = tree.nodes[np.minimum(level, tree.height), leaf]
    of_group, first = fold_equal_rows([level, node], [above_all + 1, last + 1])
    texts = [
        None if level[group] == above_all else tree.labels[level[group]][node[group]]
        for group in first
    ]
    return _in_text_order(texts, of_group)


def _cells_of_ranges(axis: Axis, low: Int32Array, high: Int32Array) -> Cells:
    if axis.ranges_on_grid:  # each code becomes the first one of its bin
        first_of_bin = np.append(np.searchsorted(axis.bins, axis.bins), axis.missing_code)
        low, high = first_of_bin[low].astype(np.int32), first_of_bin[high].astype(np.int32)
    of_group, first = fold_equal_rows([low, high], [axis.missing_code + 1] * 2)
    return _in_text_order([_range_text(axis, low[group], high[group]) for group in first], of_group)


def _range_text(axis: Axis, low: int, high: int) -> str | None:
    if low == axis.missing_code:
        return None
    if high == axis.missing_code:
        return ROOT
    if axis.grid is not None:
        return axis.grid.text(int(axis.bins[low]), int(axis.bins[high]))
    if low == high:
        return axis.leaves[low]
    return f"[{axis.leaves[low]}, {axis.leaves[high]}]"


def _cells_of_sets(axis: Axis, counts: ValueCounts, hides_rare: BoolArray) -> Cells:
    """Sets of values; the root where one of them is of too few people to be listed."""
    of_group, first = _number_sets(counts, axis.missing_code + 1)
    leaves = [_quoted(leaf) for leaf in axis.leaves]
    texts = [
        ROOT
        if hides_rare[group]
        else _set_text(axis, leaves, counts.values[counts.starts[group] : counts.starts[group + 1]])
        for group in first
    ]
    return _in_text_order(texts, of_group)


def _number_sets(counts: ValueCounts, n_codes: int) -> Fold:
    """Number the different sets of values: as bits where they fit into a word."""
    if n_codes <= 62:
        bits = np.left_shift(np.int64(1), counts.values.astype(np.int64))
        keys = np.bitwise_or.reduceat(bits, counts.starts[:-1])
        _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
        return Fold(numbers.astype(np.int32), first)
    number: dict[bytes, int] = {}
    ends = zip(counts.starts, counts.starts[1:], strict=False)
    sets = [counts.values[start:end].tobytes() for start, end in ends]
    of_group = np.array([number.setdefault(values, len(number)) for values in sets], dtype=np.int32)
    return Fold(of_group, np.unique(of_group, return_index=True)[1])


def _set_text(axis: Axis, quoted: Sequence[str], values: Int32Array) -> str | None:
    if values[0] == axis.missing_code:
        return None
    if values[-1] == axis.missing_code:
        return ROOT
    if len(values) == 1:
        return axis.leaves[int(values[0])]
    return "{" + ", ".join(quoted[value] for value in values) + "}"


def _quoted(text: str) -> str:
    """As it is, or in JSON quotes where it could be misread inside a set."""
    if NEEDS_QUOTES.isdisjoint(text) and text.strip() == text and text:
        return text
    return json.dumps(text, ensure_ascii=False)


def _cells_of_centres(axis: Axis, counts: ValueCounts) -> Cells:
    assert axis.numbers is not None
    is_missing = counts.values == axis.missing_code
    sizes = np.where(is_missing, 0, counts.counts)
    numbers = np.append(axis.numbers, 0)[counts.values].astype(np.float64)
    centre = _mean if axis.publish == "mean" else _median
    has_missing = np.add.reduceat(is_missing, counts.starts[:-1], dtype=np.int64) > 0
    is_mixed = has_missing & (counts.n_distinct > 1)
    firsts, lasts = counts.starts[:-1], counts.starts[1:] - 1 - has_missing
    spread = numbers[np.maximum(lasts, firsts)] / 2 - numbers[firsts] / 2
    sizes_of_groups = np.add.reduceat(sizes, counts.starts[:-1])
    steps = spread / np.maximum(sizes_of_groups, 1) * 2
    labels = _centre_labels(axis, centre(counts.starts, numbers, sizes), steps)
    texts = [
        ROOT if mixed else None if missing else label
        for label, mixed, missing in zip(labels, is_mixed, has_missing, strict=True)
    ]
    return _in_text_order(texts, np.arange(len(texts)))


def _mean(starts: Int64Array, numbers: FloatArray, sizes: Int64Array) -> FloatArray:
    """As an offset from the first number of each group, which keeps large numbers exact."""
    first = numbers[starts[:-1]]
    n_values = np.diff(starts)
    share = sizes / np.maximum(np.repeat(np.add.reduceat(sizes, starts[:-1]), n_values), 1)
    offset = np.add.reduceat((numbers / 2 - np.repeat(first / 2, n_values)) * share, starts[:-1])
    return np.asarray(first + offset + offset)


def _median(starts: Int64Array, numbers: FloatArray, sizes: Int64Array) -> FloatArray:
    """Halfway between the two middle records; numbers ascend within a group."""
    ends = np.cumsum(sizes)
    before = ends[starts[:-1]] - sizes[starts[:-1]]
    total = np.add.reduceat(sizes, starts[:-1])
    lower = np.searchsorted(ends, before + (np.maximum(total, 1) - 1) // 2, side="right")
    upper = np.searchsorted(ends, before + np.maximum(total, 1) // 2, side="right")
    last = len(numbers) - 1
    return np.asarray(numbers[np.minimum(lower, last)] / 2 + numbers[np.minimum(upper, last)] / 2)


def _centre_labels(axis: Axis, centres: FloatArray, steps: FloatArray) -> list[str]:
    """Means and medians, rounded to the grid or, where `steps` ask for it, to a coarser one.

    The size of a group times the step is what the rounding leaves open of its sum, and so of the
    last member to who knows the others. It is no less than what the values of the group spread
    over, unless the policy names the step.
    """
    assert axis.grid is not None
    assert axis.numbers is not None
    grids: dict[Grid, list[int]] = {}
    for group, step in enumerate(steps.tolist()):
        is_fine = axis.grid.is_given or step <= axis.grid.width
        grid = axis.grid if is_fine else fitting_grid(axis.kind, step, axis.numbers)
        grids.setdefault(grid, []).append(group)
    labels = [""] * len(centres)
    for grid, groups in grids.items():
        for group, label in zip(groups, grid.nearest(centres[groups]), strict=True):
            labels[group] = label
    return labels


def _in_text_order(texts: Sequence[str | None], of_group: Int64Array | Int32Array) -> Cells:
    """Sort the cells and let equal ones be one."""
    ordered = sorted(set(texts), key=lambda text: (text is not None, text or ""))
    place = {text: i for i, text in enumerate(ordered)}
    new = np.array([place[text] for text in texts], dtype=np.int32)
    return Cells(ordered, new[of_group])
