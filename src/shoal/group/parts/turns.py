"""Which of equally wide columns is cut: they take turns, or come in order."""

from __future__ import annotations

import heapq

import numpy as np

from shoal.kernels.cuts import Turns
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.table import Table

LARGEST_KEY = 2**62
MANY = 16  # cuts of a depth for each column, from which on halving a share changes little
GOLDEN = 0.6180339887498949  # multiples of it are spread evenly between 0 and 1


class TakingTurns:
    """Of equal columns the one whose cut gains most, then for every segment another one.

    By their place in the file, the first would always be cut and the last never, and keep nothing.
    So columns stand in the order of their names. The first cut goes through all records, one of its
    halves through half of them, and so on. Equal columns come out alike if each is cut for as many
    records in the end; so the cuts of a depth are dealt to the columns that were cut for fewest
    records at the depths above it.
    """

    def __init__(self, table: Table) -> None:
        self._order = order_by_name([axis.name for axis in table.axes])
        n_columns = len(self._order)
        self._dealt = [np.zeros(1, dtype=np.int32)]  # by depth, the places in turn
        self._had = [np.zeros(n_columns), shares(self._dealt[0], n_columns)]  # before each depth
        self._depth = np.zeros(1, dtype=np.int32)
        self._place = np.zeros(1)  # where a segment lies between 0 and 1 among those of its depth
        self._first = np.zeros(1, dtype=np.int32)

    @property
    def turns(self) -> Turns:
        return Turns(True, self._order, self._first, self._depth, np.stack(self._had))

    def halve(self, accepted: Int64Array) -> None:
        """The halves of some segments: the left one keeps the number, right ones are added."""
        self._depth[accepted] += 1
        depth, left = self._depth[accepted], self._place[accepted]
        right = left + 0.5 ** depth.astype(np.float64)
        self._first[accepted] = self._first_of(depth, left)
        self._depth = np.concatenate([self._depth, depth])
        self._place = np.concatenate([self._place, right])
        self._first = np.concatenate([self._first, self._first_of(depth, right)])

    def _first_of(self, depth: Int32Array, place: FloatArray) -> Int32Array:
        while len(self._dealt) <= depth.max(initial=0):
            dealt = deal(self._had[-1], min(2 ** len(self._dealt), MANY * len(self._order)))
            self._dealt.append(dealt)
            self._had.append(self._had[-1] + shares(dealt, len(self._order)))
        first = np.zeros(len(depth), dtype=np.int32)
        for of_depth in np.unique(depth).tolist():
            chosen, dealt = depth == of_depth, self._dealt[of_depth]
            turned = (place[chosen] + of_depth * GOLDEN) % 1.0
            first[chosen] = dealt[(turned * len(dealt)).astype(np.int64)]
        return first


class InOrder:
    """Of equal columns the first in the file, in every segment.

    That is how the vectors of the papers were computed, and enough where the order does not matter.
    """

    def __init__(self, table: Table, n_segments: int = 1) -> None:
        self._n_columns, self._n_segments = len(table.axes), n_segments

    @property
    def turns(self) -> Turns:
        none = np.zeros(self._n_segments, dtype=np.int32)
        order = np.arange(self._n_columns, dtype=np.int32)
        return Turns(False, order, none, none, np.zeros((1, self._n_columns)))

    def halve(self, accepted: Int64Array) -> None:
        self._n_segments += len(accepted)


def order_by_name(names: list[str]) -> Int32Array:
    """The place of each column in the order of their names, whatever their order in the file."""
    in_order = sorted(range(len(names)), key=lambda i: (names[i], i))
    places = np.empty(len(names), dtype=np.int32)
    places[in_order] = np.arange(len(names))
    return places


def few_values_first(codes: Int32Array, names: list[str]) -> Int64Array:
    """Rows in lexicographic order, columns of few values counting first, then by name.

    A cut through equal values divides them in this order. Where a column of few values came last,
    both halves would have all of its values. It is the same whatever the order of the file.

    >>> few_values_first(np.array([[0, 1], [1, 0], [2, 1]], np.int32), ["a", "b"]).tolist()
    [1, 0, 2]
    """
    n_values = [int(np.count_nonzero(np.bincount(column))) for column in codes.T]
    keys = [np.zeros(len(codes), dtype=np.int64)]
    n_keys = 1
    for i in sorted(range(len(names)), key=lambda i: (n_values[i], names[i], i)):
        n_codes = int(codes[:, i].max(initial=0)) + 1
        if n_keys > LARGEST_KEY // n_codes:
            keys.append(np.zeros(len(codes), dtype=np.int64))
            n_keys = 1
        keys[-1] = keys[-1] * n_codes + codes[:, i]
        n_keys *= n_codes
    return np.lexsort(keys[::-1])


def deal(had: FloatArray, n_cuts: int) -> Int32Array:
    """So many cuts, each of the same share of the records, dealt one by one to who had least.

    >>> deal(np.array([1.0, 0.0, 0.5]), 4).tolist()
    [1, 1, 1, 2]
    """
    waiting = [(share, place) for place, share in enumerate(had.tolist())]
    heapq.heapify(waiting)
    dealt = []
    for _ in range(n_cuts):
        share, place = waiting[0]
        dealt.append(place)
        heapq.heapreplace(waiting, (share + 1 / n_cuts, place))
    return np.array(dealt, dtype=np.int32)


def shares(dealt: Int32Array, n_columns: int) -> FloatArray:
    return np.asarray(np.bincount(dealt, minlength=n_columns) / len(dealt))
