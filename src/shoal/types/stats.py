"""What privacy models look at: sizes of groups and how often each value occurs in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import Int32Array, Int64Array


class ValueCounts(NamedTuple):
    """How often each value occurs in each group, listing only values that occur.

    Group g has the values `values[starts[g]:starts[g + 1]]`, ascending, with `counts` alike.
    """

    starts: Int64Array
    values: Int32Array
    counts: Int64Array

    @property
    def n_distinct(self) -> Int64Array:
        return np.diff(self.starts)

    @property
    def groups(self) -> Int64Array:
        """The group of each entry, for models that add up over groups."""
        return np.repeat(np.arange(len(self.starts) - 1), self.n_distinct)


class GroupStats:
    """Sizes of groups and, counted when first asked for, their values in each column."""

    def __init__(
        self, sizes: Int64Array, count_values: Mapping[str, Callable[[], ValueCounts]]
    ) -> None:
        self.sizes = sizes
        self._count_values = count_values
        self._counted: dict[str, ValueCounts] = {}

    @property
    def n_groups(self) -> int:
        return len(self.sizes)

    def counts(self, column: str) -> ValueCounts:
        if column not in self._counted:
            self._counted[column] = self._count_values[column]()
        return self._counted[column]
