"""The people of a population that groups match, while searching."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from shoal.kernels import matched_boxes as kernels
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.hierarchy import Hierarchy
from shoal.types.stats import GroupStats, Presence, ValueCounts
from shoal.types.table import Population


@dataclass(frozen=True, eq=False, repr=False)
class MatchedBoxes:
    """The people whose values lie in the published cells of boxes.

    From `low` to `high` in every column, by the population's codes; in columns published as sets
    only the values that `listed` counts.
    """

    population: Population
    low: Int32Array
    high: Int32Array
    listed: Mapping[int, ValueCounts]

    @property
    def people(self) -> kernels.People:
        return _ordered(self.population)

    @cached_property
    def boxes(self) -> kernels.Boxes:
        n_boxes, n_columns = self.low.shape
        lists = np.full(n_columns, -1, dtype=np.int64)
        starts = np.zeros((len(self.listed), n_boxes + 1), dtype=np.int64)
        values = [np.empty(0, dtype=np.int32)]
        n_values = 0
        for place, (column, found) in enumerate(self.listed.items()):
            lists[column] = place
            starts[place] = found.starts + n_values
            values.append(found.values)
            n_values += len(found.values)
        return kernels.Boxes(self.low, self.high, lists, starts, np.concatenate(values))

    @cached_property
    def _sizes(self) -> Int64Array:
        sizes = np.zeros(len(self.low), dtype=np.int64)
        kernels.count_matches(self.people, self.boxes, sizes)
        return sizes

    def sizes(self) -> Int64Array:
        return self._sizes

    def presence(self, counts: Int64Array) -> Presence:
        """Where boxes overlap, a person may be in each of them: the chances add up."""
        shares = counts / np.maximum(self._sizes, 1)
        of_row = np.zeros(len(self.population.weights))
        kernels.add_presence(self.people, self.boxes, shares, of_row)
        lowest, highest = np.zeros(len(shares)), np.zeros(len(shares))
        kernels.range_of_presence(self.people, self.boxes, of_row, lowest, highest)
        n_outside = int(self.people.weights[of_row == 0].sum())
        return Presence(lowest, highest, n_outside)

    def of_groups(self, chosen: BoolArray) -> MatchedBoxes:
        listed = {column: found.of_groups(chosen) for column, found in self.listed.items()}
        return MatchedBoxes(self.population, self.low[chosen], self.high[chosen], listed)


@lru_cache(maxsize=4)
def _ordered(population: Population) -> kernels.People:
    people: kernels.People = kernels.order_people(population.codes, population.weights)
    return people


def match_boxes(
    population: Population,
    stats: GroupStats,
    low: Int32Array,
    high: Int32Array,
    levels: tuple[int, ...] | None = None,
) -> MatchedBoxes:
    """The people that groups match: their boxes, widened to what their cells will cover."""
    widened_low, widened_high = np.empty_like(low), np.empty_like(high)
    listed = {}
    for i, (axis, place) in enumerate(zip(population.axes, population.places, strict=True)):
        level = None if levels is None else levels[i]
        first, last = place[low[:, i]], place[high[:, i]]
        widened_low[:, i], widened_high[:, i] = _covered(axis, first, last, level)
        if axis.publish == "set" and level is None:
            found = stats.counts(axis.name)
            listed[i] = found._replace(values=place[found.values])
            hides = _hides_rare(axis, found, missing=len(place) - 1)
            widened_low[hides, i], widened_high[hides, i] = 0, kernels.ANY
    return MatchedBoxes(population, widened_low, widened_high, listed)


def _hides_rare(axis: Axis, found: ValueCounts, missing: int) -> BoolArray:
    """Whether a set has a rare value among others, by codes of the table: then it is the root."""
    if axis.first_rare is None:
        return np.zeros(len(found.starts) - 1, dtype=np.bool_)
    is_rare = (found.values >= axis.first_rare) & (found.values < missing)
    n_rare = np.add.reduceat(is_rare, found.starts[:-1], dtype=np.int64)
    return np.asarray((n_rare > 0) & (found.n_distinct > 1))


def _covered(
    axis: Axis, low: Int32Array, high: Int32Array, level: int | None
) -> tuple[Int32Array, Int32Array]:
    """The codes that the cells of low..high cover; a root also covers values without a leaf."""
    is_missing = low == axis.missing_code
    is_root = axis.mixes_missing(low, high)
    tree = axis.hierarchy
    if tree is not None and (axis.publish == "node" or level is not None):
        last = len(tree.leaves) - 1
        inside = np.minimum(low, last), np.minimum(high, last)
        given = tree.as_given
        heights = (
            given.level_covering(*inside)
            if level is None
            else tree.heights[level][tree.nodes[level][inside[0]]]
        )
        is_root |= (heights == given.height) & (~is_missing | (level == tree.height))
        first, last_leaf = _run_of_leaves(given, inside[0], heights)
        low, high = np.where(is_missing, low, first), np.where(is_missing, high, last_leaf)
    elif axis.ranges_on_grid:
        low, high = _run_of_bins(axis, low, high)
    everything = np.int32(kernels.ANY)
    return (
        np.where(is_root, np.int32(0), low).astype(np.int32),
        np.where(is_root, everything, high).astype(np.int32),
    )


def _run_of_bins(axis: Axis, low: Int32Array, high: Int32Array) -> tuple[Int32Array, Int32Array]:
    """First and last leaf between the ends of ranges on a grid; missing stays."""
    grid, numbers, missing = axis.grid, axis.numbers, axis.missing_code
    assert grid is not None
    assert numbers is not None
    firsts = np.array([grid.edge(b) for b in axis.bins.tolist()])
    lasts = np.array([grid.last(b) for b in axis.bins.tolist()])
    first = np.append(np.searchsorted(numbers, firsts), missing)
    side = "right" if grid.has_last else "left"
    last = np.append(np.searchsorted(numbers, lasts, side=side) - 1, missing)  # type: ignore[call-overload]
    return first[low].astype(np.int32), last[high].astype(np.int32)


def _run_of_leaves(
    tree: Hierarchy, leaf: Int32Array, levels: Int32Array
) -> tuple[Int32Array, Int32Array]:
    """First and last leaf below the node that is above each leaf at its level."""
    first, last = leaf.copy(), leaf.copy()
    for level, nodes in enumerate(tree.nodes):
        here = levels == level
        wanted = nodes[leaf[here]]
        first[here] = np.searchsorted(nodes, wanted, side="left")
        last[here] = np.searchsorted(nodes, wanted, side="right") - 1
    return first, last
