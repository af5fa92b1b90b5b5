"""The privacy models of a policy, asked as one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.stats import GroupStats


def groups_hold(model: PrivacyModel, stats: GroupStats) -> BoolArray:
    """For each group, whether it satisfies a model.

    People may have several values, so where they are counted a group needs two things more: as many
    people as the model needs records; and to hold with any value alone that all of them have.
    """
    if not stats.counts_people:
        return model.holds(stats)
    judged, about = _judged(model, stats)
    result = np.ones(stats.n_groups, dtype=np.bool_)
    np.logical_and.at(result, about, model.holds(judged) & (judged.sizes >= model.smallest))
    return result


def achieved(model: PrivacyModel, stats: GroupStats) -> float:
    """What a model says of the worst group, values that all of its people have included."""
    return model.achieved(_judged(model, stats)[0] if stats.counts_people else stats)


def _judged(model: PrivacyModel, stats: GroupStats) -> tuple[GroupStats, Int64Array]:
    if model.about.column is None:
        return stats, np.arange(stats.n_groups)
    return stats.with_certain_values(model.about.column)


@dataclass(frozen=True)
class Privacy:
    """All models of a policy.

    `people_meet`: several entries of one person may be in a group. Then the union of two groups has
    fewer people than both together, and values may come together in it: of what models claim about
    larger groups, only that is true which follows from their size alone.
    """

    models: tuple[PrivacyModel, ...]
    people_meet: bool = False

    def __iter__(self) -> Iterator[PrivacyModel]:
        return iter(self.models)

    @property
    def smallest(self) -> int:
        return max((model.smallest for model in self.models), default=1)

    @property
    def k(self) -> int:
        """The largest k of the policy, 1 where no model has one; a k-map's is not counted."""
        own = [model.about for model in self.models if model.about.population is None]
        return max((about.k for about in own if about.k is not None), default=1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns that models are about."""
        return tuple(sorted({m.about.column for m in self.models if m.about.column is not None}))

    @property
    def populations(self) -> tuple[str, ...]:
        """The files of populations that models are about."""
        found = {model.about.population for model in self.models}
        return tuple(sorted(file for file in found if file is not None))

    @property
    def survives_merging(self) -> bool:
        return all(m.survives_merging and self._is_about_sizes(m) for m in self.models)

    @property
    def survives_growth(self) -> bool:
        return all(m.survives_growth and self._is_about_sizes(m) for m in self.models)

    def _is_about_sizes(self, model: PrivacyModel) -> bool:
        """Whether a model is about nothing but the size of a group, if that is asked for."""
        is_size = model.about.column is None and model.is_local and model.survives_growth
        return is_size or not self.people_meet

    def lasting_failures(self, stats: GroupStats) -> BoolArray:
        """Groups no part of which can hold: too small, or failing a model that survives growth."""
        result = stats.sizes < self.smallest
        for model in self.models:
            if model.survives_growth and self._is_about_sizes(model):
                result |= ~groups_hold(model, stats)
        return result

    def holds(self, stats: GroupStats) -> BoolArray:
        """For each group, whether it satisfies every model."""
        result = np.ones(stats.n_groups, dtype=np.bool_)
        for model in self.models:
            result &= groups_hold(model, stats)
        return result

    def to_suppress(self, stats: GroupStats, limit: int | None = None) -> BoolArray:
        """Groups to suppress so that all remaining groups satisfy every model.

        Suppressing a group can make others fail (models that are not local), so this iterates to a
        fixed point. It stops early once more than `limit` records fail.
        """
        fails = ~self.holds(stats)
        is_settled = all(model.is_local for model in self.models)
        while fails.any() and not fails.all() and not is_settled:
            if limit is not None and stats.entries[fails].sum() > limit:
                break
            then_fails = ~self.holds(stats.of_groups(~fails))
            fails[np.flatnonzero(~fails)[then_fails]] = True
            is_settled = not then_fails.any()
        return fails

    def failing(self, stats: GroupStats) -> tuple[str, ...]:
        """The names of the models that some group does not satisfy."""
        return tuple(name_of(m) for m in self.models if not groups_hold(m, stats).all())

    def relaxed(self, stats: GroupStats) -> tuple[str, ...]:
        """What to ask for instead of the models that fail in one group of all records."""
        return tuple(
            f"{name_of(model)}: {model.relax(_judged(model, stats)[0])}, or leave it out."
            for model in self.models
            if not groups_hold(model, stats).all()
        )
