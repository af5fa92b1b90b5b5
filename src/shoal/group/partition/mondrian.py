"""Mondrian multidimensional partitioning (LeFevre, DeWitt and Ramakrishnan, ICDE 2006)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import CannotSatisfy
from shoal.group.parts.repair import repair
from shoal.group.parts.segments import Segments
from shoal.group.parts.suppress import suppress_failing
from shoal.group.parts.threads import spread_over
from shoal.group.parts.turns import TakingTurns
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class Mondrian(Algorithm):
    """Cut the records at the median of the widest column while both halves stay private.

    `strict=True` keeps equal values on one side. `strict=False` halves every group exactly, which
    may separate equal values; where one value dominates a column, both boxes then stay wide.
    `suppression` is used only where a group cannot be made to hold. Time O(q n log n). LeFevre
    et al., ICDE 2006.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52, 40], "zip": ["1", "1", "2", "2", "2"]})
    >>> release = shoal.anonymize(patients, quasi=["age", "zip"], privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Mondrian(strict=True))
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[34, 52]', '[34, 52]', '[34, 52]']
    """

    strict: bool = True

    @property
    def traits(self) -> Traits:
        return Traits(seeded=False)

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        segments = Segments(table, privacy, TakingTurns(table))
        with spread_over(limits.threads, limits.watch) as spread:
            segments.cut_all(self.strict, spread)
        grouping = segments.grouping()
        try:
            return suppress_failing(grouping, table=table, privacy=privacy, limits=limits)
        except CannotSatisfy as error:
            if error.is_hopeless:
                raise
            # A model about the release as a whole, which no half could be asked about alone.
            return repair(grouping, table=table, privacy=privacy, limits=limits)
