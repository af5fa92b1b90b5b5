"""How often each sensitive value occurs: in the release, and in the rows that match a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shoal.attacks.released import Released
from shoal.attacks.same_values import SameValues
from shoal.types.arrays import Int64Array

NOTHING = -1  # the value where there is no row
MOST_VALUES = 1000  # of which a random number of each is drawn, rather than rows


class Seen(NamedTuple):
    """What some rows tell: the most frequent value, how often it occurs, and of how many rows.

    Of values that are equally frequent, the one which is more frequent in the release is meant.
    """

    value: int
    n_value: int
    n_rows: int
    n_values: int


@dataclass(frozen=True, eq=False, repr=False)
class Sensitive:
    """A sensitive column. Its values are numbered from the most frequent of the release on.

    `truth` are the values of the people's records, NOTHING where it does not occur in the release.
    """

    name: str
    counts: Int64Array
    truth: Int64Array
    value_of_row: Int64Array
    starts: Int64Array  # where the entries of each group begin
    values: Int64Array
    n_rows: Int64Array

    @classmethod
    def of_column(cls, name: str, column: SameValues, released: Released) -> Sensitive:
        codes, counts = np.unique(column.of_rows, return_counts=True)  # missing is a value
        order = np.lexsort((codes, -counts))
        rank = np.full(int(max(column.of_rows.max(), column.of_people.max())) + 2, NOTHING)
        rank[codes[order] + 1] = np.arange(len(order))
        value_of_row = rank[column.of_rows + 1]
        key = released.group_of_row * len(order) + value_of_row
        entries, n_rows = np.unique(key, return_counts=True)
        groups, values = np.divmod(entries, len(order))
        starts = np.searchsorted(groups, np.arange(released.n_groups + 1))
        truth = rank[column.of_people + 1]
        return cls(name, counts[order], truth, value_of_row, starts, values, n_rows)

    def in_groups(self, groups: Int64Array) -> Tally:
        """How often each value occurs in some groups."""
        lengths = self.starts[groups + 1] - self.starts[groups]
        before = np.cumsum(lengths) - lengths
        entries = np.arange(lengths.sum()) + np.repeat(self.starts[groups] - before, lengths)
        return self._tally(self.values[entries], self.n_rows[entries])

    def at_random(self, n_rows: int, rng: np.random.Generator) -> Tally:
        """How often each value occurs in so many rows drawn at random from the release."""
        if len(self.counts) <= MOST_VALUES:
            counts = rng.multivariate_hypergeometric(self.counts, n_rows, method="marginals")
            return Tally(np.arange(len(counts)), counts)
        rows = rng.choice(len(self.value_of_row), n_rows, replace=False)
        return self._tally(self.value_of_row[rows], np.ones(n_rows, dtype=np.int64))

    def _tally(self, values: Int64Array, counts: Int64Array) -> Tally:
        if 8 * len(values) > len(self.counts) or len(self.counts) <= MOST_VALUES:
            summed = np.bincount(values, weights=counts, minlength=len(self.counts))
            return Tally(np.arange(len(summed)), summed.astype(np.int64))
        order = np.argsort(values, kind="stable")
        different, first = np.unique(values[order], return_index=True)
        summed = np.add.reduceat(counts[order], first) if len(first) else counts
        return Tally(different, summed)


class Tally(NamedTuple):
    """Values, ascending, and in how many rows each occurs; some may occur in none."""

    values: Int64Array
    counts: Int64Array

    def without(self, values: Int64Array) -> Tally:
        """The same after a row with each of these values has been taken away."""
        counts = self.counts.copy()
        np.subtract.at(counts, np.searchsorted(self.values, values), 1)
        return Tally(self.values, counts)

    def look(self) -> Seen:
        """What the rows tell.

        >>> Tally(np.array([0, 3, 7]), np.array([2, 0, 2])).look()
        Seen(value=0, n_value=2, n_rows=4, n_values=2)
        """
        n_rows = int(self.counts.sum())
        if n_rows == 0:
            return Seen(NOTHING, 0, 0, 0)
        first = int(self.counts.argmax())  # of equals: the more frequent of the release
        n_values = int(np.count_nonzero(self.counts))
        return Seen(int(self.values[first]), int(self.counts[first]), n_rows, n_values)
