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
        # A column that is lower than it was, as in a warm-up, is generalised to its root.
        levels = [
            min(level, axis.height) for level, axis in zip(self.levels, table.axes, strict=True)
        ]
        grouping = at_levels(table, levels)
        return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)
