"""`refine: true`: the groups of any algorithm, improved by the moves of Sweep."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shoal.group.local._improve import improved
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.grouping import Grouping
from shoal.types.named import Improving
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class Refined(Improving, Algorithm):
    """Group the records with another algorithm, then improve its groups by local search.

    Cells are then those of each group on its own, even where the algorithm chose one level for each
    column: there are no neighbours, and what it reported of its search is no longer true.
    """

    refines: Algorithm

    @property
    def traits(self) -> Traits:
        return replace(self.refines.traits, metric=None, seeded=True)

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        start = self.refines.group(table, privacy, limits)
        found = improved(start, table, privacy, limits)
        return replace(found, notes=start.notes)
