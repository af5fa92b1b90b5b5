"""The minimum spanning tree of different rows, unique by the order of weight, row and row."""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

import numpy as np

from shoal.group.parts.threads import Spread
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.mstk_levels import HALF, join_components, meet_at_level
from shoal.kernels.mstk_nearest import Edges, join_nearest
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.axis import Axis

MOST_VECTORS = 50_000  # beyond, a search for neighbours is faster than a visit to every one
MOST_STORED = 100_000_000  # rows of sets that are kept: 400 MB
EXACT = 2.0**40  # whole numbers below stay whole when they are multiplied by numbers of records


class _Ladder(NamedTuple):
    """The levels of a column at which some of its values fall together."""

    begins: Int64Array  # of each level in the ruler's nodes
    costs: FloatArray


def exact_ruler(ruler: CellWidths, axes: tuple[Axis, ...]) -> CellWidths:
    """The same costs times one number that makes all of them whole, so that equal sums are equal.

    A third and a third and a third are not always one where they are added up as floats. Lengths on
    a line, and weights with many digits, cannot be made whole: there the ruler stays as it is.
    """
    if not ruler.has_levels.all():
        return ruler
    n_levels = _sizes_of_blocks(ruler) // ruler.n_codes
    steps = [
        Fraction(repr(axis.weight)) / int(n - 1) for axis, n in zip(axes, n_levels, strict=True)
    ]
    scale = lcm(*(step.denominator for step in steps))
    units = [int(step * scale) for step in steps]
    total = sum(unit * int(n - 1) for unit, n in zip(units, n_levels, strict=True))
    if total >= EXACT:
        return ruler
    # Kernels hold widths to be at most 1: a power of two above the total divides without rounding.
    power = 2.0 ** total.bit_length()
    widths = [
        np.repeat(np.arange(n) * (unit / power), n_codes)
        for unit, n, n_codes in zip(units, n_levels, ruler.n_codes, strict=True)
    ]
    return ruler._replace(widths=np.concatenate(widths), weights=np.ones(len(units)))


def spanning_tree(codes: Int32Array, ruler: CellWidths, spread: Spread) -> Edges:
    """The tree of rows that are all different; Kruskal's and Borůvka's algorithms give the same."""
    if ruler.has_levels.all():
        ladders = [_ladder_of(codes[:, i], ruler, i) for i in range(codes.shape[1])]
        if prod(len(ladder.costs) for ladder in ladders) <= MOST_VECTORS:
            weights = _weights_of_vectors(ladders)
            if _every_step_costs(weights):
                return _Visit(codes, ruler, ladders, spread).edges(weights)
    found: Edges = join_nearest(codes, ruler, spread.watch.pulse())
    spread.watch.check()
    return found


def _sizes_of_blocks(ruler: CellWidths) -> Int64Array:
    return np.diff(np.append(ruler.begins, len(ruler.nodes)))


def _ladder_of(column: Int32Array, ruler: CellWidths, i: int) -> _Ladder:
    n_codes, begin = int(ruler.n_codes[i]), int(ruler.begins[i])
    used = np.unique(column)
    begins, costs, n_before = [begin], [0.0], len(used)
    for level in range(1, int(_sizes_of_blocks(ruler)[i]) // n_codes):
        at = begin + level * n_codes
        n_nodes = len(np.unique(ruler.nodes[at + used]))
        if n_nodes < n_before:
            begins.append(at)
            costs.append(float(ruler.weights[i] * min(1.0, ruler.widths[at])))
            n_before = n_nodes
    return _Ladder(np.array(begins), np.array(costs))


def _weights_of_vectors(ladders: list[_Ladder]) -> FloatArray:
    """How far rows are apart that meet at each level vector, added up as kernels do."""
    weights = np.zeros([len(ladder.costs) for ladder in ladders])
    for i, ladder in enumerate(ladders):
        weights += ladder.costs.reshape([-1 if j == i else 1 for j in range(len(ladders))])
    return weights


def _every_step_costs(weights: FloatArray) -> bool:
    """Whether level vectors below one are lighter; a tiny weight may vanish in a sum."""
    return all(bool((np.diff(weights, axis=i) > 0).all()) for i in range(weights.ndim))


class _Visit:
    """A visit to all level vectors, the lightest first, and those of one weight together.

    What falls together at a vector is found from the sets of a vector one step below, and from the
    first row of each set only: it is the row that edges from the set begin at.
    """

    def __init__(
        self, codes: Int32Array, ruler: CellWidths, ladders: list[_Ladder], spread: Spread
    ) -> None:
        self.codes, self.ruler, self.ladders, self.spread = codes, ruler, ladders, spread
        self.shape = tuple(len(ladder.costs) for ladder in ladders)
        self.steps = np.cumprod([1, *self.shape[:0:-1]])[::-1]  # to the next level, in a flat array
        self.firsts: dict[int, Int32Array] = {0: np.arange(len(codes), dtype=np.int32)}
        self.n_stored = 0
        self.n_waiting: dict[int, int] = {}  # vectors one step above that were not visited yet
        self.component = np.arange(len(codes), dtype=np.int32)
        self._pack(ruler.n_codes)

    def edges(self, weights: FloatArray) -> Edges:
        flat = weights.ravel()
        order = np.argsort(flat, kind="stable")
        batches = np.split(order, np.flatnonzero(np.diff(flat[order])) + 1)
        n_missing = len(self.codes) - 1
        taken: list[Int64Array] = []
        lengths: list[FloatArray] = []
        for batch in batches[1:]:
            if n_missing == 0:
                break
            edges = join_components(np.sort(self._meet(batch)), self.component)
            n_missing -= len(edges)
            self.spread.watch.pulse().done[0] += len(edges)
            taken.append(edges)
            lengths.append(np.full(len(edges), flat[batch[0]]))
        all_taken = np.concatenate([*taken, np.empty(0, dtype=np.int64)])
        return Edges(
            all_taken >> HALF,
            all_taken & ((1 << HALF) - 1),
            np.concatenate([*lengths, np.empty(0)]),
        )

    def _meet(self, batch: Int64Array) -> Int64Array:
        """Candidates of all level vectors of one weight."""
        below = [self._smallest_below(int(vector)) for vector in batch]
        found: list[Int64Array] = [np.empty(0, dtype=np.int64)] * len(batch)
        firsts: list[Int32Array] = [np.empty(0, dtype=np.int32)] * len(batch)

        def work(share: Int64Array) -> None:
            for i in share:
                firsts[i], found[i] = meet_at_level(
                    self.codes, self.firsts[below[i]], self.ruler.nodes, self._begins(batch[i]),
                    self.words, self.shifts, self.n_words, self.component,
                )  # fmt: skip

        sizes = np.array([len(self.firsts[vector]) for vector in below])
        self.spread(work, np.arange(len(batch)), sizes)
        for vector, of_sets in zip(batch.tolist(), firsts, strict=True):
            self._keep(vector, of_sets)
        return np.concatenate(found)

    def _keep(self, vector: int, firsts: Int32Array) -> None:
        """Keep the sets of a vector until all above were visited; the zero vector's stay."""
        levels = self._levels(vector)
        if self.n_stored + len(firsts) <= MOST_STORED:
            self.firsts[vector] = firsts
            self.n_stored += len(firsts)
            self.n_waiting[vector] = int((levels < np.array(self.shape) - 1).sum())
        for below in (vector - self.steps[levels > 0]).tolist():
            if below in self.n_waiting:
                self.n_waiting[below] -= 1
                if self.n_waiting[below] == 0:
                    self.n_stored -= len(self.firsts.pop(below))

    def _levels(self, vector: int) -> Int64Array:
        return np.array(np.unravel_index(vector, self.shape), dtype=np.int64)

    def _begins(self, vector: int) -> Int64Array:
        levels = self._levels(vector)
        return np.array(
            [ladder.begins[at] for ladder, at in zip(self.ladders, levels, strict=True)]
        )

    def _smallest_below(self, vector: int) -> int:
        """The vector one step below with the fewest sets, or zero if none of them was kept."""
        below = (vector - self.steps[self._levels(vector) > 0]).tolist()
        kept = (v for v in below if v in self.firsts)
        return min(kept, key=lambda v: len(self.firsts[v]), default=0)

    def _pack(self, n_codes: Int64Array) -> None:
        """A field of bits for each column, in as many words as they need."""
        words, shifts = [], []
        word, shift = 0, 0
        for n in n_codes:
            bits = int(n).bit_length()
            if shift + bits > 64:
                word, shift = word + 1, 0
            words.append(word)
            shifts.append(shift)
            shift += bits
        self.words = np.array(words, dtype=np.int64)
        self.shifts = np.array(shifts, dtype=np.uint64)
        self.n_words = word + 1
