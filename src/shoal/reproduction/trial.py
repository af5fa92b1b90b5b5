"""One trial: a method on a table, and the figures that its verified release has."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from shoal.comparison.measures import Measure, measure_of
from shoal.comparison.run import Run
from shoal.comparison.variants import Variant, policy_digest, variant_of
from shoal.policy.keys import algorithm_of
from shoal.policy.policy import Policy
from shoal.reproduction.figures import Row
from shoal.reproduction.tables import TableOf

OUTCOME = "failed"  # the measure of a trial without a release
STAND_IN = "stand-in"  # the measure of one whose table could not be fetched
COUNTED = (
    "checks", "level", "evaluations", "growing", "delta", "split_pairs", "split_when_assigned",
    "group_seconds", "worst_phi",
)  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """What is run, as a claim will look for it: experiment, table, method, k, value and seed."""

    experiment: str
    table: TableOf
    method: str
    algorithm: Any = field(repr=False)
    k: int
    seed: int = 0
    varied: str = ""  # what is on the axis besides k
    value: float = 0.0
    suppression: float = 0.0
    measures: Mapping[str, Any] = field(default_factory=dict, repr=False)  # by their short names

    @cached_property
    def policy(self) -> Policy:
        roles = self.table.roles.policy(
            algorithm=algorithm_of(self.algorithm), suppression=self.suppression
        )
        return replace(roles.with_k(self.k), seed=self.seed)

    @cached_property
    def id(self) -> str:
        """The same for the same trial, whatever else is run."""
        about = (self.experiment, self.table.name, self.method, self.varied, f"{self.value:g}",
                 policy_digest(self.policy), sorted(self.measures))  # fmt: skip
        return hashlib.sha256(repr(about).encode()).hexdigest()[:10]

    @cached_property
    def variant(self) -> Variant:
        said = [] if not self.varied else [self.varied]
        variant = variant_of(self.policy, self.method, [])
        return replace(variant, options=tuple((name, f"{self.value:g}") for name in said))

    @cached_property
    def asked(self) -> dict[str, Measure]:
        return {short: measure_of(given) for short, given in self.measures.items()}

    def rows(self, run: Run) -> list[Row]:
        """The figures of a run of this trial, a row for each."""
        found: dict[str, float | None] = {OUTCOME: 1.0}
        if run.is_verified:
            found = {short: run.measures.get(one.label) for short, one in self.asked.items()}
            found |= {"groups": float(run.groups or 0)} | dict(_counted(run.trace))
            if run.suppressed:
                found["suppressed"] = float(run.suppressed)
            if self.table.is_stand_in():
                found[STAND_IN] = 1.0
        return [
            Row(self.id, self.experiment, self.table.name, self.method, self.k, self.varied,
                self.value, self.seed, measure, figure)
            for measure, figure in found.items()
            if figure is not None
        ]  # fmt: skip


def _counted(trace: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """What claims look at; of several columns each by its name."""
    for path, figure in trace.items():
        *above, name = path.split(".")
        if name in COUNTED:
            yield (f"{name}:{above[-1]}" if len(above) > 1 else name), figure


@dataclass(frozen=True)
class Session:
    """Trials on one table that ask for the same measures: it is read and encoded once."""

    table: TableOf
    trials: tuple[Trial, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(self.trials[0].asked.values())


def sessions(trials: Sequence[Trial]) -> list[Session]:
    """Trials by table and measures, in the order in which they were listed."""
    found: dict[tuple[str, ...], list[Trial]] = {}
    for trial in trials:
        found.setdefault((trial.table.name, *trial.measures), []).append(trial)
    return [Session(group[0].table, tuple(group)) for group in found.values()]
