"""Which groups belong to which row, as lists one after another, and what hangs together by them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import BoolArray, Int64Array, IntArray

LARGEST_KEY = 2**62


class Sets(NamedTuple):
    """Sets of numbers: set s is `members[starts[s]:starts[s + 1]]`, ascending."""

    starts: Int64Array
    members: Int64Array

    @classmethod
    def of_pairs(cls, sets: Int64Array, members: Int64Array, n_sets: int) -> Sets:
        """
        >>> Sets.of_pairs(np.array([1, 0, 1]), np.array([7, 4, 5]), 3)
        Sets(starts=array([0, 1, 3, 3]), members=array([4, 5, 7]))
        """
        order = np.lexsort((members, sets))
        starts = np.searchsorted(sets[order], np.arange(n_sets + 1))
        return cls(starts.astype(np.int64), members[order].astype(np.int64))

    @property
    def sizes(self) -> Int64Array:
        return np.diff(self.starts)

    @property
    def are_single(self) -> bool:
        """Whether every set has exactly one member."""
        return bool((self.sizes == 1).all())

    def spread(self, sets: IntArray) -> tuple[Int64Array, Int64Array]:
        """The members of some sets, one after another, and for each the place of its set.

        >>> places, members = Sets(np.array([0, 1, 3]), np.array([4, 5, 7])).spread(np.array([1]))
        >>> places.tolist(), members.tolist()
        ([0, 0], [5, 7])
        """
        sizes = self.sizes[sets]
        places = np.repeat(np.arange(len(sets)), sizes)
        within = np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places, self.members[self.starts[sets][places] + within]

    def members_of(self, one: int) -> Int64Array:
        return self.members[self.starts[one] : self.starts[one + 1]]

    def of(self, sets: IntArray) -> Sets:
        """Some of the sets, in this order, also several times."""
        _, members = self.spread(sets)
        return Sets(np.append(0, np.cumsum(self.sizes[sets])), members)

    def without(self, is_left_out: BoolArray) -> Sets:
        """The same without some of the places of `members`."""
        n_before = np.append(0, np.cumsum(~is_left_out))
        return Sets(n_before[self.starts], self.members[~is_left_out])

    def filled(self, member: int) -> Sets:
        """The same with one member in every set that has none."""
        empty = np.flatnonzero(self.sizes == 0)
        members = np.insert(self.members, self.starts[empty], member)
        sizes = np.maximum(self.sizes, 1)
        return Sets(np.append(0, np.cumsum(sizes)), members)

    def inverse(self, n_members: int) -> Sets:
        """By member, the sets that it is in."""
        sets = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return Sets.of_pairs(self.members, sets, n_members)

    def numbered(self) -> Int64Array:
        """One number for each set, equal where the sets are."""
        if self.are_single:
            return self.members
        number: dict[bytes, int] = {}
        starts = self.starts.tolist()
        return np.array(
            [
                number.setdefault(self.members[first:behind].tobytes(), len(number))
                for first, behind in pairwise(starts)
            ],
            dtype=np.int64,
        )


class Folded(NamedTuple):
    """One number for each row, equal where all codes are, and a first row of each number."""

    number: Int64Array
    first: Int64Array

    @property
    def n(self) -> int:
        return len(self.first)


def fold(columns: Sequence[IntArray]) -> Folded:
    """Number equal combinations of codes, which may be negative.

    >>> fold([np.array([2, -1, 2]), np.array([0, 5, 0])])
    Folded(number=array([1, 0, 1]), first=array([1, 0]))
    """
    keys, n_keys = np.zeros(len(columns[0]), dtype=np.int64), 1
    for codes in columns:
        lowest = int(codes.min(initial=0))
        n_codes = int(codes.max(initial=0)) - lowest + 1
        if n_keys > LARGEST_KEY // n_codes:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            n_keys = int(keys.max(initial=0)) + 1
        keys = keys * n_codes + (codes.astype(np.int64) - lowest)
        n_keys *= n_codes
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return Folded(number.astype(np.int64), first.astype(np.int64))


def components(left: Int64Array, right: Int64Array, n_left: int, n_right: int) -> Int64Array:
    """The component of each number on the right, in a graph of pairs (left, right).

    >>> components(np.array([0, 0, 1]), np.array([0, 2, 1]), 2, 3).tolist()
    [0, 1, 0]
    """
    label = np.arange(n_right)
    while True:  # the smallest label travels on, twice as far each time
        lowest = np.full(n_left, n_right)
        np.minimum.at(lowest, left, label[right])
        found = label.copy()
        np.minimum.at(found, right, lowest[left])
        found = np.minimum(found, found[found])
        if (found == label).all():
            return label
        label = found


class Counts:
    """How many records each pair of a group and a key has, and nothing for other pairs."""

    def __init__(self, groups: Int64Array, keys: Int64Array, counts: Int64Array, n_keys: int):
        self._n_keys = n_keys
        self._pairs, place = np.unique(groups * n_keys + keys, return_inverse=True)
        self.counts = np.bincount(place, counts, len(self._pairs)).astype(np.int64)

    @property
    def groups(self) -> Int64Array:
        return np.asarray(self._pairs // self._n_keys)

    @property
    def keys(self) -> Int64Array:
        return np.asarray(self._pairs % self._n_keys)

    def of(self, groups: Int64Array, keys: Int64Array) -> Int64Array:
        """
        >>> counts = Counts(np.array([0, 0, 1]), np.array([3, 3, 2]), np.ones(3, np.int64), 4)
        >>> counts.of(np.array([0, 1]), np.array([3, 3])).tolist()
        [2, 0]
        """
        if not len(self._pairs):
            return np.zeros(len(groups), dtype=np.int64)
        wanted = groups * self._n_keys + keys
        place = np.minimum(np.searchsorted(self._pairs, wanted), len(self._pairs) - 1)
        return np.where(self._pairs[place] == wanted, self.counts[place], 0)
