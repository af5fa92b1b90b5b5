"""What a privacy model is, and several of them asked as one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from shoal.types.arrays import BoolArray
from shoal.types.stats import GroupStats


@runtime_checkable
class PrivacyModel(Protocol):
    """A promise about every group of a release.

    `survives_merging`: the union of groups that hold, holds. `survives_growth`: a group that holds
    still holds with any records added. `is_local`: whether a group holds depends on its own
    records alone; otherwise it may fail once other groups are suppressed. `smallest`: no group
    with fewer records can hold, so that searches need not ask. `demand` and `found` say in a
    sentence what is required and what an achieved value means.

    A model about a sensitive column has a field `column`, and may say what that `needs`: a
    hierarchy, severities. One about a population has a field `population`, the path of its file.
    A method `relax(stats)` may say what to ask for instead, where one group of all records fails.
    """

    @property
    def survives_merging(self) -> bool: ...
    @property
    def survives_growth(self) -> bool: ...
    @property
    def is_local(self) -> bool: ...
    @property
    def smallest(self) -> int: ...
    def holds(self, stats: GroupStats) -> BoolArray: ...
    def achieved(self, stats: GroupStats) -> float: ...
    def demand(self) -> str: ...
    def found(self, achieved: float) -> str: ...


@dataclass(frozen=True)
class Privacy:
    """All models of a policy."""

    models: tuple[PrivacyModel, ...]

    def __iter__(self) -> Iterator[PrivacyModel]:
        return iter(self.models)

    @property
    def smallest(self) -> int:
        return max((model.smallest for model in self.models), default=1)

    @property
    def k(self) -> int:
        """The largest k of the policy, 1 where no model has one; that of a k-map counts others."""
        own = [model for model in self.models if not hasattr(model, "population")]
        return max((getattr(model, "k", 1) for model in own), default=1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns that models are about."""
        return tuple(sorted({m.column for m in self.models if hasattr(m, "column")}))

    @property
    def populations(self) -> tuple[str, ...]:
        """The files of populations that models are about."""
        return tuple(sorted({m.population for m in self.models if hasattr(m, "population")}))

    @property
    def survives_merging(self) -> bool:
        return all(model.survives_merging for model in self.models)

    @property
    def survives_growth(self) -> bool:
        return all(model.survives_growth for model in self.models)

    def lasting_failures(self, stats: GroupStats) -> BoolArray:
        """Groups no part of which can hold: too small, or failing a model that survives growth."""
        result = stats.sizes < self.smallest
        for model in self.models:
            if model.survives_growth:
                result |= ~model.holds(stats)
        return result

    def holds(self, stats: GroupStats) -> BoolArray:
        """For each group, whether it satisfies every model."""
        result = np.ones(stats.n_groups, dtype=np.bool_)
        for model in self.models:
            result &= model.holds(stats)
        return result

    def to_suppress(self, stats: GroupStats, limit: int | None = None) -> BoolArray:
        """The groups without which all others hold: those that fail, and those that then fail.

        Where the records of the first exceed a limit, nobody asks for the others.
        """
        fails = ~self.holds(stats)
        is_settled = all(model.is_local for model in self.models)
        while fails.any() and not fails.all() and not is_settled:
            if limit is not None and stats.sizes[fails].sum() > limit:
                break
            then_fails = ~self.holds(stats.of_groups(~fails))
            fails[np.flatnonzero(~fails)[then_fails]] = True
            is_settled = not then_fails.any()
        return fails

    def failing(self, stats: GroupStats) -> tuple[str, ...]:
        """The names of the models that some group does not satisfy."""
        return tuple(name_of(m) for m in self.models if not m.holds(stats).all())

    def relaxed(self, stats: GroupStats) -> tuple[str, ...]:
        """What to ask for instead of the models that fail in one group of all records."""
        return tuple(
            f"{name_of(model)}: {_relax(model, stats)}, or leave it out."
            for model in self.models
            if not model.holds(stats).all()
        )


def _relax(model: Any, stats: GroupStats) -> str:
    return str(model.relax(stats)) if hasattr(model, "relax") else "ask for less"


def name_of(thing: object) -> str:
    """The public name of a model or algorithm: `KAnonymity(5)` -> `k-anonymity`.

    >>> from shoal.privacy.distinct_l_diversity import DistinctLDiversity
    >>> name_of(DistinctLDiversity("disease", 2))
    'distinct-l-diversity'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(thing).__name__).lower()


def settings_of(thing: object) -> dict[str, Any]:
    """The options of a model or algorithm, by the names that users write."""
    if not is_dataclass(thing) or isinstance(thing, type):
        return {}
    values = {f.name.replace("_", "-"): getattr(thing, f.name) for f in fields(thing)}
    return {name: settings_of(v) if is_dataclass(v) else v for name, v in values.items()}


@dataclass(frozen=True)
class Finding:
    """What the verifier found about one model."""

    model: str
    column: str | None
    required: Mapping[str, Any]
    achieved: float | None
    holds: bool
    n_failing_groups: int = 0
    n_failing_records: int = 0
    failing_sizes: tuple[int, ...] = ()  # of the smallest groups that fail
    demand: str = field(default="", compare=False)  # required and achieved, in words
    found: str = field(default="", compare=False)

    def as_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "column": self.column,
            "required": dict(self.required),
            "achieved": self.achieved if self.achieved != math.inf else None,  # not in JSON
            "holds": self.holds,
            **({} if self.holds else {"failing": self._failing()}),
        }

    def _failing(self) -> dict[str, Any]:
        """How many groups fail, and the sizes of the smallest: nothing else of them is told."""
        return {
            "groups": self.n_failing_groups,
            "records": self.n_failing_records,
            "smallest": list(self.failing_sizes),
        }


@dataclass(frozen=True)
class Leak:
    """Something in a release that should not be there: what, in which column, how often."""

    kind: str
    column: str | None
    count: int

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "column": self.column, "count": self.count}


@dataclass(frozen=True)
class Verdict:
    """Whether published cells keep a policy, model by model."""

    n_records: int
    n_groups: int
    group_sizes: Mapping[int, int]  # size -> number of groups
    findings: tuple[Finding, ...]
    leaks: tuple[Leak, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.leaks and all(finding.holds for finding in self.findings)

    def __bool__(self) -> bool:
        return self.holds

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.n_records,
            "groups": self.n_groups,
            "holds": self.holds,
            "privacy": [finding.as_dict() for finding in self.findings],
            "leaks": [leak.as_dict() for leak in self.leaks],
            "notes": list(self.notes),
        }
