"""Sweep: a sweep of the lattice, made better by annealed moves."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from shoal.errors import CannotSatisfy
from shoal.group.local._asking import is_about_size
from shoal.group.local._folded import folded, unfolded
from shoal.group.local._improve import WORK_OF_A_ROW, Degree, improved
from shoal.group.local._start import swept
from shoal.group.partition.mondrian import Mondrian
from shoal.group.parts.cell_widths import ruler_of
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.repair import place_left_over, repair
from shoal.group.parts.threads import Spread, spread_over
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class Sweep(Algorithm):
    """Begin with the cheapest nodes that have enough records, then improve by annealed moves.

    Moves open a group, close one, or exchange records between groups; each is priced before it is
    made. `effort` is a number of steps for each row; with `seconds`, it searches for so long.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52, 40], "zip": ["1", "1", "2", "2", "2"]})
    >>> release = shoal.anonymize(patients, quasi=["age", "zip"], privacy=[shoal.KAnonymity(2)],
    ...                           algorithm="sweep")
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[34, 52]', '[34, 52]', '[34, 52]']
    """

    effort: Degree = "default"
    seconds: float | None = None
    aliases = ("best",)

    def __post_init__(self) -> None:
        if self.effort not in WORK_OF_A_ROW:
            raise ValueError("effort must be one of fast, default, full")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError("seconds must be a number above 0")

    @property
    def traits(self) -> Traits:
        """Whoever asks for full effort also learns how far the result is from the least loss."""
        return Traits(bounded=self.effort == "full")

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        if is_about_size(privacy) and table.people is None and len(table.sensitive_columns):
            return unfolded(self.group(folded(table), privacy, limits), table)
        start = _start(table, privacy, limits)
        return improved(start, table, privacy, limits, effort=self.effort, seconds=self.seconds)


def _start(table: Table, privacy: Privacy, limits: Limits) -> Grouping:
    """Groups that hold, from the lattice or, where that cannot be done, from Mondrian."""
    with spread_over(limits.threads, limits.watch) as spread:
        limits.watch.begin("rows", table.n_rows)
        found = spread.aside(lambda: swept(table, privacy.smallest, limits.watch.pulse()))
        limits.watch.check()
        if found is not None:
            found = joined_parts(_with_left_over(found, table, spread))
    if found is not None:
        with contextlib.suppress(CannotSatisfy):
            return repair(found, table=table, privacy=privacy, limits=limits)
    return Mondrian().group(table, privacy, limits)


def _with_left_over(found: Grouping, table: Table, spread: Spread) -> Grouping:
    return place_left_over(found, table, ruler_of(table), spread)
