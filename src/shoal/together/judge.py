"""Asking every model about several releases of the same people, as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from shoal.together.differences import Difference, differences
from shoal.together.joint import Joint
from shoal.together.linked_releases import SideBySide
from shoal.together.placed import Placed, ReadRelease, ReadTable, Rows
from shoal.types.arrays import BoolArray
from shoal.types.column import RawColumn
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.privacy import Privacy, achieved, groups_hold
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.unit import PERSON, RECORD
from shoal.types.verdict import Finding
from shoal.types.watch import Watch
from shoal.verify.verify import WORST, required_of, verify


class Together(NamedTuple):
    """What was found over all releases; how many records of each fit no record of the table."""

    findings: tuple[Finding, ...]
    n_alone: tuple[int, ...]

    @property
    def holds(self) -> bool:
        return all(finding.holds for finding in self.findings)


def verify_together(
    table: ReadTable,
    releases: Sequence[ReadRelease],
    privacy: Privacy,
    *,
    trusted: Sequence[int],
    populations: Mapping[str, Mapping[str, RawColumn]] | None = None,
    watch: Watch | None = None,
) -> Together:
    """Whether all releases together, the new one first, keep every model for everybody.

    `trusted` are the releases that keep the models by themselves: whoever has as many candidates
    as one of them has matching rows is protected as that release protects.
    """
    watch = watch or Watch()
    rows = Rows.of_table(table)
    placed = [Placed.of_release(release, rows, watch) for release in releases]
    joint = Joint(rows, placed, watch)
    found = [d for earlier in placed[1:] for d in differences(rows, placed[0], earlier)]
    judge = _Judge(joint, found, joint.stats(populations or {}), trusted)
    return Together(
        tuple(judge.find(model, len(releases)) for model in privacy),
        tuple(place.n_alone for place in placed),
    )


class _Judge:
    def __init__(
        self,
        joint: Joint,
        found: Sequence[Difference],
        stats: GroupStats,
        trusted: Sequence[int],
    ) -> None:
        self._joint, self._differences, self._stats = joint, found, stats
        self._is_as_before = joint.gains_nothing(trusted=trusted)
        self._is_empty = stats.sizes == 0

    def find(self, model: PrivacyModel, n_releases: int) -> Finding:
        """What a model says of the candidates of everybody, and of those in one release only."""
        fails = self._failing_views(model)
        others = [self._of_difference(d) for d in self._differences if _has(d, model)]
        are_clear = [d.is_clear for d in self._differences if _has(d, model)]
        fail_there = [
            ~groups_hold(model, stats) | ~is_clear
            for stats, is_clear in zip(others, are_clear, strict=True)
        ]
        sizes = [self._stats.sizes[fails]]
        sizes += [stats.sizes[bad] for stats, bad in zip(others, fail_there, strict=True)]
        n_there = sum(int(n.sum()) for n in sizes[1:])
        unit = PERSON if self._stats.counts_people else RECORD
        worst = achieved(model, self._judged(~self._is_empty))
        failing = np.sort(np.concatenate(sizes))
        finding = Finding(
            model=name_of(model),
            column=model.about.column,
            required=required_of(model),
            achieved=worst,
            holds=not len(failing),
            n_failing_groups=len(failing),
            n_failing_records=self._joint.n_behind(fails) + n_there,
            failing_sizes=tuple(failing[:WORST].tolist()),
            demand=model.demand(unit),
            found=model.found(worst, unit),
        )
        return _over(finding, n_releases)

    def _failing_views(self, model: PrivacyModel) -> BoolArray:
        fails: BoolArray = self._is_empty.copy()
        asked = ~self._is_empty
        if model.is_local or model.about.column is not None:  # else groups stand in for each other
            asked &= ~self._is_as_before
        if asked.any():
            fails[np.flatnonzero(asked)] = ~groups_hold(model, self._judged(asked))
        return fails

    def _judged(self, chosen: BoolArray) -> GroupStats:
        return self._stats if chosen.all() else self._stats.of_groups(chosen)

    def _of_difference(self, found: Difference) -> GroupStats:
        sensitive = self._joint.rows.table.sensitive
        return GroupStats(
            found.sizes,
            {name: _given(counts) for name, counts in found.counts.items()},
            columns={name: sensitive[name].column for name in found.counts},
            whole=self._joint.whole,
            counts_people=self._stats.counts_people,
        )


def _has(found: Difference, model: PrivacyModel) -> bool:
    """Whether a model can be asked about records that only one release has."""
    about = model.about
    return about.population is None and (about.column is None or about.column in found.counts)


def _given(counts: ValueCounts) -> Callable[[], ValueCounts]:
    return lambda: counts


def _within(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def findings_side_by_side(
    joined: SideBySide, privacy: Privacy, n_releases: int
) -> tuple[Finding, ...]:
    """What models say of groups of people whose cells are equal in every release."""
    verdict = verify(
        joined.groups,
        quasi=joined.groups.columns,
        sensitive=joined.sensitive,
        privacy=privacy,
        persons=joined.persons,
    )
    return tuple(_over(finding, n_releases) for finding in verdict.findings)


def _over(finding: Finding, n_releases: int) -> Finding:
    return replace(
        finding,
        demand=f"Over {n_releases} releases together: {_within(finding.demand)}",
        found=f"Over all of them: {_within(finding.found)}",
        n_releases=n_releases,
    )
