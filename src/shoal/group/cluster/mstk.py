"""Minimum spanning tree partitioning (Venkata Ramana and Valli Kumari)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from shoal.group.cluster._clusterer import Clusterer, Members, Part, Task
from shoal.group.cluster._spanning_tree import exact_ruler, spanning_tree
from shoal.group.parts.mixed_order import mixed_order
from shoal.group.parts.threads import Spread, spread_over
from shoal.kernels import mstk_merge as kernels
from shoal.kernels.boxes import group_boxes
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.mstk_cut import cut_tree
from shoal.kernels.tree import grow_box_tree
from shoal.types.algorithm import Traits
from shoal.types.arrays import Int32Array, Int64Array, IntArray
from shoal.types.watch import Pulse

MOST_AT_ONCE = 100_000  # classes among which the closest pair is looked for
BUCKET = 25_000  # where there are more, classes that are near each other


class Vertices(NamedTuple):
    """Different rows of codes, a vertex each, in an order that no column rules."""

    codes: Int32Array
    counts: Int64Array  # equal records
    of_row: Int64Array  # the vertex of each row of the part


@dataclass(frozen=True)
class Mstk(Clusterer):
    """Cut the minimum spanning tree of the records at its long edges, then merge what is too small.

    An edge is long if it exceeds mean and deviation of its subtree together. Small classes are
    merged with each other, closest first (`merge_scope: small`), or with any class (`any`).
    Venkata Ramana and Valli Kumari, "Achieving k-anonymity using minimum spanning tree based
    partitioning".

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52, 40], "zip": ["1", "1", "2", "2", "2"]})
    >>> release = shoal.anonymize(patients, quasi=["age", "zip"], privacy=[shoal.KAnonymity(2)],
    ...                           algorithm="mstk")
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[34, 52]', '[34, 52]', '[34, 52]']
    """

    merge_scope: Literal["small", "any"] = "small"

    @property
    def traits(self) -> Traits:
        return Traits(seeded=False)

    @property
    def turns(self) -> int:
        return 3  # joined by the tree, cut off it, merged

    def cluster(self, part: Part, task: Task) -> Members:
        load_kernels()
        vertices = vertices_of(part, [axis.name for axis in task.table.axes])
        ruler = exact_ruler(task.ruler, task.table.axes)
        k = min(task.k, int(part.counts.sum()) + 1)  # a number that kernels can hold
        n_threads = task.limits.threads if self.prepartition is None else 1  # parts have their own
        with spread_over(n_threads, task.limits.watch) as spread:
            edges = spanning_tree(vertices.codes, ruler, spread)
            subtrees = cut_tree(edges, vertices.counts, k, spread.watch.pulse())
            spread.watch.check()
            classes = Classes(vertices, subtrees, ruler)
            classes.merge(k, spread, among_all=self.merge_scope == "any")
        return Members(np.arange(len(part.counts)), part.counts, classes.of_vertex[vertices.of_row])


def vertices_of(part: Part, names: list[str]) -> Vertices:
    """Fold rows that differ in sensitive values only; parts of a table are not in order.

    Edges of one length are taken by the numbers of their vertices. Were these lexicographic, as
    rows are, the first columns of the file would come out otherwise than the last.
    """
    order = np.arange(len(part.codes))
    codes = part.codes
    if not _in_order(codes):
        order = np.lexsort(codes.T[::-1])
        codes = codes[order]
    is_new = np.append(True, (codes[1:] != codes[:-1]).any(axis=1))
    of_row = np.empty(len(order), dtype=np.int64)
    of_row[order] = np.cumsum(is_new) - 1
    counts = np.add.reduceat(part.counts[order], np.flatnonzero(is_new))
    codes = codes[is_new]
    mixed = mixed_order(codes, names)
    number = np.empty_like(mixed)
    number[mixed] = np.arange(len(mixed))
    return Vertices(np.ascontiguousarray(codes[mixed]), counts[mixed], number[of_row])


def _in_order(codes: Int32Array) -> bool:
    steps = np.sign(codes[1:].astype(np.int64) - codes[:-1])
    first = np.argmax(steps != 0, axis=1)  # the column that decides
    return bool((steps[np.arange(len(steps)), first] >= 0).all())


class Classes:
    """Subtrees as classes of records, which are merged until none has fewer than k."""

    def __init__(self, vertices: Vertices, subtrees: Int64Array, ruler: CellWidths) -> None:
        self.codes, self.counts, self.ruler = vertices.codes, vertices.counts, ruler
        self._number(subtrees)

    def merge(self, k: int, spread: Spread, *, among_all: bool) -> None:
        """The closest pair of small classes first; the last one goes to the closest of all."""
        while self.n > 1 and (self.sizes < k).any():
            is_small = self.sizes < k
            among_all |= np.count_nonzero(is_small) == 1
            chosen = np.flatnonzero(is_small | among_all)
            into = np.arange(self.n)
            for bucket in self._buckets(chosen, spread.watch.pulse()):
                into[bucket] = bucket[self._merged(bucket, k, spread, among_all)]
            self._number(into[self.of_vertex])

    def _number(self, label: IntArray) -> None:
        """Number classes by their first vertex, which names them."""
        _, self.names, inverse = np.unique(label, return_index=True, return_inverse=True)
        order = np.argsort(self.names)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self.names = self.names[order]
        self.of_vertex = rank[inverse]
        self.n = len(order)
        self.sizes = np.bincount(self.of_vertex, weights=self.counts).astype(np.int64)
        rows = np.arange(len(self.codes), dtype=np.int32)
        self.low, self.high = group_boxes(self.codes, rows, self.of_vertex.astype(np.int32), self.n)

    def _buckets(self, chosen: Int64Array, pulse: Pulse) -> list[Int64Array]:
        if len(chosen) <= MOST_AT_ONCE:
            return [chosen]
        tree = grow_box_tree(
            self.low[chosen], self.high[chosen], np.ones(len(chosen), dtype=np.int64), self.ruler,
            pulse,
        )  # fmt: skip
        runs = np.array_split(tree.rows, -(-len(chosen) // BUCKET))
        return [chosen[np.sort(run)] for run in runs]

    def _merged(self, bucket: Int64Array, k: int, spread: Spread, among_all: bool) -> Int64Array:
        """For each class of a bucket the place of the one that it was merged into."""
        tree, classes, cells = kernels.lay_out(
            self.low[bucket], self.high[bucket], self.sizes[bucket], self.names[bucket],
            k, self.ruler, spread.watch.pulse(),
        )  # fmt: skip
        small = np.flatnonzero(classes.is_small)

        def look(share: Int64Array) -> None:
            kernels.look_from(tree, classes, cells, share, spread.watch.pulse())

        spread(look, small, np.full(len(small), 10))
        into = kernels.merge_small(tree, classes, cells, k, among_all, spread.watch.pulse())
        spread.watch.check()
        places = np.empty(len(bucket), dtype=np.int64)
        places[tree.rows] = tree.rows[into]
        return places


@cache
def load_kernels() -> None:
    """Compile what a warm-up does not reach: its records are on a line, and none is left over."""
    flat = CellWidths(
        nodes=np.array([0, 1, 2, 0, 0, 0], dtype=np.int32),
        widths=np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        begins=np.zeros(1, dtype=np.int64),
        n_codes=np.array([3]),
        has_levels=np.ones(1, dtype=np.bool_),
        weights=np.ones(1),
    )
    codes = np.array([[0], [1]], dtype=np.int32)
    vertices = Vertices(codes, np.ones(2, dtype=np.int64), np.arange(2))
    with spread_over(1) as spread:
        spanning_tree(codes, flat, spread)
        Classes(vertices, np.arange(2), flat).merge(2, spread, among_all=False)
