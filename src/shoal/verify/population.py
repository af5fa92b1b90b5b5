"""The people of a population that the published cells match, by their text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.stats import Presence
from shoal.types.watch import Watch
from shoal.verify.matching import Matching

Cells = Mapping[str, Sequence[str | None]]  # of every group, by column


@dataclass(frozen=True, eq=False, repr=False)
class MatchedPeople:
    """The people whose values the cells of groups cover."""

    cells: Cells
    people: Mapping[str, RawColumn]
    specs: Mapping[str, ColumnSpec]
    watch: Watch | None = None

    @cached_property
    def _matching(self) -> Matching:
        return Matching.of_cells(self.cells, self.people, self.specs, self.watch)

    @cached_property
    def _sizes(self) -> Int64Array:
        return self._matching.sizes()

    def sizes(self) -> Int64Array:
        return self._sizes

    def presence(self, counts: Int64Array) -> Presence:
        """The chances of whoever is matched by several groups add up."""
        shares = counts / np.maximum(self._sizes, 1)
        chance = np.zeros(self._matching.n_records)
        for group, matched in self._matching:
            chance[matched] += shares[group]
        lowest, highest = np.zeros(len(shares)), np.zeros(len(shares))
        for group, matched in self._matching:
            lowest[group] = chance[matched].min(initial=np.inf)
            highest[group] = chance[matched].max(initial=0.0)
        return Presence(lowest, highest, int((chance == 0).sum()))

    def of_groups(self, chosen: BoolArray) -> MatchedPeople:
        kept = np.flatnonzero(chosen).tolist()
        cells = {name: [texts[i] for i in kept] for name, texts in self.cells.items()}
        return MatchedPeople(cells, self.people, self.specs, self.watch)
