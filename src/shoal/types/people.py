"""Whose entries the rows of a table are, and which values these people have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import Int32Array, Int64Array, IntArray

NO_PERSON = -1  # the entries of a row are of people who have no other


class ValueSets(NamedTuple):
    """Sets of values, by number: set s is `values[starts[s]:starts[s + 1]]`, ascending."""

    starts: Int64Array
    values: Int32Array

    @property
    def n_sets(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Int64Array:
        return np.diff(self.starts)

    def spread(self, sets: IntArray) -> tuple[Int64Array, Int32Array]:
        """The values of many sets, one after another, and for each the place of its set.

        >>> sets = ValueSets(np.array([0, 1, 3]), np.array([5, 5, 7], np.int32))
        >>> places, values = sets.spread(np.array([1, 0]))
        >>> places.tolist(), values.tolist()
        ([0, 0, 1], [5, 7, 5])
        """
        sizes = self.sizes[sets]
        places = np.repeat(np.arange(len(sets)), sizes)
        within = np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places, self.values[self.starts[sets][places] + within]


@dataclass(frozen=True, eq=False, repr=False)
class PeopleOfRows:
    """Where a policy says whose record each one is, the rows of a table count entries.

    An *entry* is a person at one combination of quasi-identifiers: all records of the person that
    have it. Quasi-identifiers that do not vary within people make entry and person the same. Else
    somebody has several entries, which must count once wherever they meet: such an entry is a row
    of its own, with its `person`. Equal entries of people who have only one are folded to a row.

    A person may have several values of a sensitive column, so a row has a set of them.
    """

    person: Int32Array  # [rows] a number, or NO_PERSON
    sets: Int32Array  # [rows, sensitive columns]
    values: tuple[ValueSets, ...]  # of each sensitive column
    n_repeated: int  # people who have several entries: numbers of persons end here

    @property
    def may_meet(self) -> bool:
        """Whether several entries of one person can be in a group."""
        return self.n_repeated > 0

    def of_rows(self, rows: IntArray) -> PeopleOfRows:
        return replace(self, person=self.person[rows], sets=self.sets[rows])
