"""What measures look at: a finished grouping, or a node that a search considers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from shoal.types.arrays import SUPPRESSED, BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.extent import Extent
from shoal.types.grouping import Grouping
from shoal.types.people import NO_PERSON
from shoal.types.stats import GroupStats
from shoal.types.table import Table

if TYPE_CHECKING:
    from shoal.utility.beside import Beside

Cost = Callable[[Extent], FloatArray]  # of cells, by what they cover


class Judged(Protocol):
    """Something that measures can judge. Arrays may be of many nodes at once: [..., columns]."""

    @property
    def n_records(self) -> int: ...
    @property
    def n_suppressed(self) -> int: ...
    @property
    def sizes(self) -> Int64Array:
        """Of the groups that are released."""

    @property
    def weights(self) -> FloatArray:
        """Of the columns: what a search shall spare most. Finished releases weigh all alike."""

    def totals(self, cost: Cost) -> FloatArray:
        """For each column the cost of its cells, suppressed records having the root."""


class JudgedNode(Judged, Protocol):
    """A level for every column, and what becomes of the records at these levels."""

    @property
    def levels(self) -> Int64Array: ...
    @property
    def all_sizes(self) -> Int64Array:
        """Of all groups, those that will be suppressed too."""

    def entropies(self) -> FloatArray:
        """For each column, the bits that its generalisation hides, over all records."""

    def suppressed_values(self) -> Sequence[Int64Array]:
        """For each column, how many suppressed records have each of its generalised values."""


class Shown(NamedTuple):
    """The different cells of a column: which of them each group has, and what they may stand for.

    Ranges have `low` and `high`, both included, which are not numbers where the cell is missing.
    Other cells have `leaves`, the codes that each may stand for, missing being the last.
    """

    of_group: Int32Array
    low: FloatArray
    high: FloatArray
    leaves: Sequence[Int64Array] | None = None

    @property
    def n(self) -> int:
        return len(self.low) if self.leaves is None else len(self.leaves)


NO_ENDS = np.empty(0)


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """Groups, their counts, and how many records were suppressed, before grouping or by it."""

    table: Table
    grouping: Grouping
    stats: GroupStats
    n_suppressed: int
    k: int = 1  # the largest of the policy
    smallest: int = 1  # people who must have a value, for a set to list it
    beside: Beside | None = None  # the records of the release and of the original

    @property
    def sizes(self) -> Int64Array:
        """In records or, where people are known, in entries: what is released costs by these."""
        return self.stats.entries

    @property
    def n_released(self) -> int:
        return int(self.sizes.sum())

    @property
    def n_records(self) -> int:
        return self.n_released + self.n_suppressed

    @property
    def weights(self) -> FloatArray:
        return np.ones(len(self.table.axes))

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        """For each quasi-identifier, what the cells of the groups cover."""
        levels = self.grouping.levels
        return tuple(
            axis.extent(
                self.grouping.low[:, i],
                self.grouping.high[:, i],
                n_distinct=self._n_distinct(i),
                level=None if levels is None else levels[i],
            )
            for i, axis in enumerate(self.table.axes)
        )

    def totals(self, cost: Cost) -> FloatArray:
        # Not as a dot product: that sums on as many threads as there are, in an order of its own.
        return np.array(
            [
                (self.sizes * cost(extent)).sum() + self.n_suppressed * cost(axis.root_extent())[0]
                for axis, extent in zip(self.table.axes, self.extents, strict=True)
            ]
        )

    def _n_distinct(self, i: int) -> np.ndarray | None:
        """How many values a set tells of: all of the column where it hides one."""
        axis = self.table.axes[i]
        if axis.publish != "set":
            return None
        counts = self.stats.counts(axis.name)
        return np.where(self.hides_rare(i), len(axis.leaves), counts.n_distinct)

    def hides_rare(self, i: int) -> BoolArray:
        """Of each group, whether its set would list a value that too few released people have."""
        axis = self.table.axes[i]
        counts = self.stats.counts(axis.name)
        if axis.lists_rare or self.smallest <= 1:
            return np.zeros(len(counts.starts) - 1, dtype=np.bool_)
        is_rare = self._people_by_value(i) < self.smallest
        is_rare[axis.missing_code] = False
        found = np.add.reduceat(is_rare[counts.values], counts.starts[:-1], dtype=np.int64)
        return np.asarray((found > 0) & (counts.n_distinct > 1))

    def _people_by_value(self, i: int) -> Int64Array:
        """How many released people have each value of a column, whatever groups they are in."""
        is_released = self.grouping.labels != SUPPRESSED
        rows, counts = self.grouping.rows[is_released], self.grouping.counts[is_released]
        codes, n_codes = self.table.codes[rows, i], self.table.axes[i].missing_code + 1
        people = self.table.people
        if people is None:
            return np.bincount(codes, counts, minlength=n_codes).astype(np.int64)
        person = people.person[rows]
        is_alone = person == NO_PERSON
        alone = np.bincount(codes[is_alone], counts[is_alone], minlength=n_codes)
        pairs = np.unique(np.stack([codes[~is_alone], person[~is_alone]]), axis=1)
        return (alone + np.bincount(pairs[0], minlength=n_codes)).astype(np.int64)

    def shown(self, i: int) -> Shown:
        """The cells of a quasi-identifier, and what whoever sees them can take them for."""
        axis, low, high = self.table.axes[i], self.grouping.low[:, i], self.grouping.high[:, i]
        levels = self.grouping.levels
        if axis.publish == "set" and levels is None:  # they differ even where their ends do not
            return Shown(
                np.arange(len(low), dtype=np.int32), NO_ENDS, NO_ENDS, self._leaves_of_sets(i)
            )
        keys = low.astype(np.int64) * (axis.missing_code + 1) + high
        _, first, of_group = np.unique(keys, return_index=True, return_inverse=True)
        of_group, low, high = of_group.astype(np.int32), low[first], high[first]
        if axis.on_a_line and levels is None:
            return Shown(of_group, *_ends(axis, low, high))
        level = None if levels is None else levels[i]
        return Shown(of_group, NO_ENDS, NO_ENDS, _leaves_of_nodes(axis, low, high, level))

    def _leaves_of_sets(self, i: int) -> list[Int64Array]:
        axis = self.table.axes[i]
        counts = self.stats.counts(axis.name)
        is_root = self.hides_rare(i) | axis.mixes_missing(
            self.grouping.low[:, i], self.grouping.high[:, i]
        )
        ends = zip(counts.starts, counts.starts[1:], is_root, strict=False)
        whole = np.arange(axis.n_codes)
        return [whole if root else counts.values[a:b].astype(np.int64) for a, b, root in ends]


def _ends(axis: Axis, low: Int32Array, high: Int32Array) -> tuple[FloatArray, FloatArray]:
    """Where ranges begin and end. One that mixes missing with numbers tells only the domain."""
    last = len(axis.leaves) - 1
    first_end, last_end = axis.ends(np.minimum(low, last), np.minimum(high, last))
    is_root, is_missing = axis.mixes_missing(low, high), low == axis.missing_code
    return (
        np.where(is_missing, np.nan, np.where(is_root, axis.domain[0], first_end)),
        np.where(is_missing, np.nan, np.where(is_root, axis.domain[1], last_end)),
    )


def _leaves_of_nodes(
    axis: Axis, low: Int32Array, high: Int32Array, level: int | None
) -> list[Int64Array]:
    """The leaves under the nodes of boxes, at one level where it is given."""
    tree, last, whole = axis.hierarchy, len(axis.leaves) - 1, np.arange(axis.n_codes)
    assert tree is not None
    inside, start = np.minimum(high, last), np.minimum(low, last)
    levels = np.full(len(low), level) if level is not None else tree.level_covering(start, inside)
    is_root = axis.mixes_missing(low, high) | (levels == tree.height)
    runs = []
    for cell, (leaf, at) in enumerate(zip(start, levels, strict=True)):
        if is_root[cell]:
            runs.append(whole)
        elif low[cell] == axis.missing_code:
            runs.append(np.array([axis.missing_code]))
        else:
            runs.append(np.flatnonzero(tree.nodes[at] == tree.nodes[at, leaf]))
    return runs
