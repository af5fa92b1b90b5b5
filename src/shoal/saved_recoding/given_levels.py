"""Every quasi-identifier at a level that is given."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.group.parts.at_levels import at_levels
from shoal.group.parts.suppress import suppress_failing
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class GivenLevels(Algorithm):
    """Generalise every column to the level that an earlier search has found."""

    levels: tuple[int, ...]
    traits = Traits(publishes_nodes=True)

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        grouping = at_levels(table, self.levels)
        return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)
