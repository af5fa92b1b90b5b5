"""`shoal measure`: what a release is still good for, and what it tells, in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shoal.policy.measures import chosen_measures
from shoal.policy.policy import Policy
from shoal.read.given import source_of
from shoal.read.source import Source
from shoal.runs.read_release import read_release
from shoal.runs.stages import Stages
from shoal.types.frames import File, Given
from shoal.types.measurement import Measurement
from shoal.types.metric import AnyMetric
from shoal.types.showable import Showable
from shoal.types.watch import Watch

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class Measures(Showable):
    """What was measured of a release, in order; by name it gives the value.

    >>> import polars as pl, shoal
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> ages = pl.DataFrame({"age": [31, 38]})
    >>> found = shoal.measure(policy.anonymize(ages).frame, original=ages, policy=policy)
    >>> found["loss"], found.as_dict()["released"]
    (1.0, 2)
    """

    n_released: int
    n_original: int
    found: tuple[Measurement, ...]

    def __getitem__(self, name: str) -> float:
        return next(one.value for one in self.found if one.measure == name)

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.n_original,
            "released": self.n_released,
            "measures": [one.as_dict() for one in self.found],
        }

    def print_to(self, console: Console) -> None:
        from shoal.report.measured import print_measures

        print_measures(self, console)


def measure(
    frame: Given,
    *,
    original: Given,
    policy: Policy | Mapping[str, Any] | File,
    measures: str | Sequence[str | AnyMetric] | None = None,
    watch: Watch | None = None,
) -> Measures:
    """Measure a released polars, pandas or pyarrow table, or that of a file, with its original.

    `measures` are those that `shoal metrics` lists, by name, such as `"dm"` or
    `"query-error:columns=age+sex"`; without them, all that the table can have and that are quick.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [20, 25, 50, 60]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> released = pl.DataFrame({"age": ["[20, 25]", "[20, 25]", "[50, 60]", "[50, 60]"]})
    >>> shoal.measure(released, original=people, policy=policy, measures="loss,dm")["loss"]
    0.1875
    """
    rules = Policy.of(policy)
    return measure_release(
        source_of(frame), source_of(original), rules, measures, stages=Stages(watch=watch)
    )


def measure_release(
    release: Source,
    original: Source,
    policy: Policy,
    measures: str | Sequence[str | AnyMetric] | None = None,
    *,
    stages: Stages | None = None,
) -> Measures:
    """The same for tables as they were read."""
    stages = stages or Stages()
    chosen = chosen_measures(measures, policy.columns)
    outcome = read_release(release, original, policy, stages=stages)
    found = []
    with stages("measure"):
        stages.watch.begin("measures", len(chosen))
        for metric in chosen:
            found.append(Measurement.of(metric, outcome))
            stages.watch.report(len(found))
    return Measures(release.n_records, original.n_records, tuple(found))
