"""For each column, sets of values with a price that no cell which fits into them undercuts.

A *cover* is a list of layers, and a layer divides codes into blocks. Every cell that can be
published lies in a block that costs no more than the cell. So a bound over all nodes, a block of
each column, holds for all groups. Hierarchies are their own covers. Ranges and sets are too many:
blocks of theirs are wider than the cells that they stand for. Covers come finest first; the last
one has a single block that costs nothing, as if the column were not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import FloatArray, Int32Array, Int64Array, IntArray
from shoal.types.axis import Axis

ONE = 1 << 26  # what a cell costs that tells nothing: costs are whole numbers
SAFE = 1 - 2.0**-40  # shares are floating-point numbers, rounded by less than this
MOST_PAIRED = 24  # values of a set whose pairs are told apart
LADDERS = ((10, 3), (8, 2), (6, 2), (6, 1), (4, 1), (2, 1), (0, 1))  # widths of ranges, shifts
RATIO = 1.6  # of a width to the next narrower one


class Layer(NamedTuple):
    blocks: Int32Array  # of each code, missing being the last; -1: in none
    costs: Int64Array  # of each block


Cover = tuple[Layer, ...]


def covers_of(axis: Axis, codes: Int32Array) -> tuple[Cover, ...]:
    """Covers of a column with these codes, from the finest to the one that says nothing."""
    present = np.unique(codes)
    if axis.n_codes <= 1:
        return (_nothing(axis),)
    if axis.publish == "node" and axis.hierarchy is not None:
        found = _of_nodes(axis)
    elif axis.on_a_line:
        found = _of_ranges(axis, present)
    else:
        found = _of_sets(axis, present)
    covers = [_without_repeats(cover, present) for cover in found]
    return (*covers, _nothing(axis))


def whole_cost(axis: Axis) -> int:
    """What a suppressed record costs in a column."""
    return 0 if axis.n_codes <= 1 else ONE


def _nothing(axis: Axis) -> Cover:
    return (_layer(np.zeros(axis.missing_code + 1), [0]),)


def _layer(blocks: IntArray | FloatArray, costs: Int64Array | list[int]) -> Layer:
    return Layer(blocks.astype(np.int32), np.asarray(costs, dtype=np.int64))


def _without_repeats(cover: Cover, present: Int32Array) -> Cover:
    """Without layers that are as the one before for all codes that occur."""
    kept: list[Layer] = []
    for layer in cover:
        if kept and np.array_equal(_paid(kept[-1], present), _paid(layer, present)):
            continue
        kept.append(layer)
    return tuple(kept)


def _paid(layer: Layer, present: Int32Array) -> Int64Array:
    """Which codes share a block, and at which cost."""
    blocks = layer.blocks[present]
    _, numbers = np.unique(blocks, return_inverse=True)
    return np.stack([numbers, np.append(layer.costs, -1)[blocks]])


def _of_nodes(axis: Axis) -> Iterator[Cover]:
    """The levels of a hierarchy; then the leaves and the root, at the cost of a cheapest node."""
    assert axis.hierarchy is not None
    tree = axis.hierarchy.as_given
    n_others = max(len(tree.leaves) - 1, 1)
    layers = []
    for level in range(tree.height + 1):
        covered = tree.leaf_counts[level].astype(np.int64) - 1
        alone = [] if level == tree.height else [0]  # missing, below the root
        layers.append(_layer(tree.nodes_at(level), np.append(covered * ONE // n_others, alone)))
    yield tuple(layers)
    general = np.concatenate([layer.costs for layer in layers[1:]])
    least = int(general[general > 0].min()) if (general > 0).any() else 0
    if tree.height > 1:
        yield layers[0], _layer(np.zeros(axis.missing_code + 1), [least])


def _of_sets(axis: Axis, present: Int32Array) -> Iterator[Cover]:
    """Values alone, pairs of them, and all; rare and missing ones mixed with others cost all."""
    listed = present[present < axis.first_hidden].astype(np.int64)
    n_others = max(len(axis.leaves) - 1, 1)
    values = _layer(np.arange(axis.missing_code + 1), np.zeros(axis.missing_code + 1, np.int64))
    all_of_it = _layer(np.zeros(axis.missing_code + 1), [ONE])
    hides_some = (all_of_it,) if len(listed) < len(present) else ()

    def some(least: int) -> Layer:
        blocks = np.full(axis.missing_code + 1, -1)
        blocks[listed] = 0
        return _layer(blocks, [least * ONE // n_others])

    if 2 < len(listed) <= MOST_PAIRED:
        pairs = [_matching(axis, listed, turn) for turn in range(_n_turns(len(listed)))]
        yield (values, *pairs, some(2), *hides_some)
    yield (values, some(1), *hides_some)


def _n_turns(n: int) -> int:
    return n - 1 + n % 2


def _matching(axis: Axis, listed: Int64Array, turn: int) -> Layer:
    """One turn of a tournament: after all turns, each value was paired with each other once."""
    n = _n_turns(len(listed))
    blocks = np.full(axis.missing_code + 1, -1)
    for first in range(n):
        second = (turn - first) % n
        if second == first:  # meets the one more if their number is even, else nobody
            second = n
        if second < len(listed):
            blocks[listed[[first, second]]] = min(first, second)
    costs = np.full(len(listed), ONE // max(len(axis.leaves) - 1, 1))
    return _layer(blocks, costs)


def _of_ranges(axis: Axis, present: Int32Array) -> Iterator[Cover]:
    """Values alone, windows of some widths, and all; with missing among them a cell costs all."""
    numbers = present[present < axis.missing_code]
    has_missing = len(numbers) < len(present)
    cost = _cost_of_ranges(axis)
    alone = np.append(cost(np.arange(axis.missing_code), np.arange(axis.missing_code)), 0)
    values = _layer(np.arange(axis.missing_code + 1), alone)
    mixed = _layer(np.zeros(axis.missing_code + 1), [ONE])
    for n_widths, n_shifts in LADDERS:
        layers = [values]
        bins = np.arange(len(numbers))  # a range of one bin is covered so far
        reach = 0
        for exponent in range(n_widths, 0, -1):
            finer = (bins, reach)
            bins, reach = _bins(axis, numbers, n_shifts * RATIO**exponent), n_shifts
            windows = (_windows(bins, reach, shift) for shift in range(reach + 1))
            layers += [_priced(axis, numbers, blocks, finer, cost) for blocks in windows]
        layers.append(_priced(axis, numbers, np.zeros(len(numbers), int), (bins, reach), cost))
        yield tuple(layers) + ((mixed,) if has_missing else ())


def _cost_of_ranges(axis: Axis) -> Callable[[Int64Array, Int64Array], Int64Array]:
    def cost(low: Int64Array, high: Int64Array) -> Int64Array:
        share = axis.extent(low.astype(np.int32), high.astype(np.int32)).share
        return np.floor(share * SAFE * ONE).astype(np.int64)

    return cost


def _bins(axis: Axis, numbers: Int32Array, n_bins: float) -> Int64Array:
    """Where each number lies if the domain is cut into so many equal bins."""
    return np.floor(axis.positions[numbers] * n_bins).astype(np.int64)


def _windows(bins: Int64Array, reach: int, shift: int) -> Int64Array:
    """Windows of `reach` + 1 bins: over all shifts, any so many bins lie in one of them."""
    return np.asarray((bins + shift) // (reach + 1))


def _priced(
    axis: Axis,
    numbers: Int32Array,
    windows: Int64Array,
    finer: tuple[Int64Array, int],
    cost: Callable[[Int64Array, Int64Array], Int64Array],
) -> Layer:
    """A layer of windows. Each costs what the narrowest range in it costs that no finer one has.

    Finer windows have all ranges of up to `reach` + 1 of their bins.
    """
    bins, reach = finer
    names, of_number = np.unique(windows, return_inverse=True)
    first = np.arange(len(numbers))
    next_one = np.searchsorted(bins, bins + reach + 1)  # the first number that is further away
    is_inside = next_one < len(numbers)
    first, next_one = first[is_inside], next_one[is_inside]
    is_inside = windows[first] == windows[next_one]
    first, next_one = first[is_inside], next_one[is_inside]
    found = cost(numbers[first].astype(np.int64), numbers[next_one].astype(np.int64))
    highest = np.iinfo(np.int64).max
    least = np.full(len(names), highest)
    np.minimum.at(least, of_number[first], found)
    costs = np.where(least == highest, 0, least)
    blocks = np.full(axis.missing_code + 1, -1, dtype=np.int64)
    blocks[numbers] = np.where((least == highest)[of_number], -1, of_number)
    return _layer(blocks, costs)
