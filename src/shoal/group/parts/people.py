"""Different people in groups, and the values that they have there."""

from __future__ import annotations

from typing import NamedTuple

from shoal.kernels.people import count_people, count_values_of_people
from shoal.kernels.value_counts import count_values
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.people import PeopleOfRows
from shoal.types.stats import ValueCounts


class PeopleOfParts(NamedTuple):
    """Entries of people in groups: `labels` gives the group of each part, -1 if it is in none."""

    people: PeopleOfRows  # of the parts
    counts: Int64Array
    labels: Int32Array
    n_groups: int

    def sizes(self) -> Int64Array:
        """How many different people have an entry in each group."""
        sizes: Int64Array = count_people(
            self.labels, self.people.person, self.counts, self.n_groups, self.people.n_repeated
        )
        return sizes

    def values(self, place: int, n_codes: int) -> ValueCounts:
        """How many people of each group have each value of a sensitive column there."""
        parts, values = self.people.values[place].spread(self.people.sets[:, place])
        labels, counts = self.labels[parts], self.counts[parts]
        if not self.people.may_meet:
            return ValueCounts(*count_values(labels, values, counts, self.n_groups, n_codes))
        persons = self.people.person[parts]
        return ValueCounts(
            *count_values_of_people(
                labels, values, counts, persons, self.n_groups, n_codes, self.people.n_repeated
            )
        )
