"""Attacks on what cells and groups tell by being as they are: downcoding and minimality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.attacks.downcoding import Downcoding, columns_of, downcoding
from shoal.attacks.known import KnownPeople
from shoal.attacks.minimality import Minimality
from shoal.attacks.released import Released
from shoal.attacks.trial import Trial
from shoal.policy.policy import Policy
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.runs.minimality import minimality_of, why_not
from shoal.types.arrays import Int64Array
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.watch import Watch


def cells_of(release: Source, policy: Policy, names: Sequence[str]) -> Released:
    """Cells are text, and only what a release writes for missing is missing."""
    return Released.of_cells(
        {
            name: read_column(release.frame[name], missing_values=policy.missing_values[:1])
            for name in names
        }
    )


@dataclass(frozen=True, eq=False, repr=False)
class CellAttacks:
    """A release and its original, as the attacks on cells need them."""

    release: Source
    original: Source
    policy: Policy
    schema: Schema  # as the algorithm publishes it
    watch: Watch

    @cached_property
    def released(self) -> Released:
        """The groups of the release, by all quasi-identifiers."""
        return cells_of(self.release, self.policy, self.schema.quasi)

    def groups_of(self, trial: Trial, known: Released) -> list[Int64Array]:
        """For each person the groups of the release that the matching rows are in."""
        if list(known.cells) == list(self.schema.quasi):
            return list(trial.groups)
        pairs = np.unique(known.group_of_row * self.released.n_groups + self.released.group_of_row)
        of_known, groups = np.divmod(pairs, self.released.n_groups)
        ends = np.searchsorted(of_known, np.arange(known.n_groups + 1))
        nothing = np.empty(0, dtype=np.int64)
        return [
            np.concatenate([nothing, *(groups[ends[g] : ends[g + 1]] for g in of_person)])
            for of_person in trial.groups
        ]

    def downcoding(
        self, people: KnownPeople, groups: Sequence[Int64Array]
    ) -> tuple[Downcoding, ...]:
        """Column by column; nothing where cells do not depend on their group, or have noise."""
        traits = self.policy.algorithm.traits
        if traits.publishes_nodes or traits.noise:
            return ()
        with self.policy.locating():
            values = read_columns(self.original, self.policy, self.schema.quasi)
            columns = columns_of(self.released, values, self.schema.columns)
        found = []
        for column in columns:
            self.watch.check()
            found.append(downcoding(column, self.released, people, groups))
        return tuple(result for result in found if result is not None)

    def minimality(
        self, people: KnownPeople, groups: Sequence[Int64Array]
    ) -> tuple[Minimality, ...]:
        if not Privacy(self.policy.privacy).columns or self._why_no_minimality:
            return ()
        found = minimality_of(self.released, self.original, self.policy, people, groups, self.watch)
        return () if found is None else (found,)

    def notes(self, found: Sequence[Minimality]) -> Iterator[str]:
        """Why minimality was not tried, where models are about values."""
        if self._why_no_minimality:
            yield f"Minimality was not tried: {self._why_no_minimality}."
        elif Privacy(self.policy.privacy).columns and not found:
            yield "Minimality was not tried: of no group is it certain that it was left whole."

    @property
    def _why_no_minimality(self) -> str | None:
        n_suppressed = self.original.n_records - self.release.n_records
        return why_not(self.policy, self.schema, n_suppressed)
