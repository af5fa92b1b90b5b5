"""What a dossier shows besides the release itself: risks, attacks, and what still holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from shoal.errors import Cancelled, ShoalError
from shoal.policy.policy import Policy
from shoal.read.files import read_either
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.risks.figures import Risk
from shoal.runs.attack import Attacks, attack_release
from shoal.runs.beside import beside_of
from shoal.runs.explain import explain_in_short
from shoal.runs.risk import THRESHOLD, risk_of, warm_up
from shoal.runs.stages import Stages
from shoal.types.explanation import Explanation
from shoal.types.named import settings_of
from shoal.types.privacy import Privacy
from shoal.utility.associations import Association, associations
from shoal.utility.distributions import Distribution, distribution
from shoal.utility.means import Mean, mean


class Threshold(NamedTuple):
    """The highest risk of a record that is accepted, and who says so."""

    value: float
    given_by: Literal["context", "model", "k", "default"]


@dataclass(frozen=True)
class Evidence:
    """Figures of the whole table; values only where at least `least` people have them."""

    least: int
    risk: Risk
    attacks: Attacks | None  # None: no cell tells which values it covers
    distributions: tuple[Distribution, ...]
    means: tuple[Mean, ...]
    associations: tuple[Association, ...]
    explanation: Explanation | None = None  # None: trying would take long


def gather(
    source: Source, release: Release, *, threads: int | None = None, stages: Stages | None = None
) -> Evidence:
    """Compare a release with the table that it was made of; `stages` hears how far it is."""
    stages, policy = stages or Stages(), release.policy
    with stages("compile"):
        warm_up()
    released = Source(release.records(), is_text=source.is_text)
    populations = Privacy(policy.privacy).populations
    risk = risk_of(
        source,
        policy,
        release=released,
        population=read_either(Path(populations[0]), encoding=source.encoding)
        if populations
        else None,
        threshold=threshold_of(policy).value,
        threads=threads,
        stages=stages,
    )
    with stages("attack"):
        attacks = _attacked(source, released, release, stages)
    with stages("compare"):
        beside = beside_of(source, released, policy, release.schema)
        columns = beside.columns
        return Evidence(
            least=beside.least,
            risk=risk,
            attacks=attacks,
            distributions=tuple(map(distribution, columns)),
            means=tuple(found for found in map(mean, columns) if found is not None),
            associations=associations(beside.paired(columns)),
            explanation=_explained(source, policy, stages),
        )


def gather_frame(frame: Any, release: Release) -> Evidence:
    """The same for a polars, pandas or pyarrow table."""
    return gather(Source.of_frame(frame), release)


def threshold_of(policy: Policy) -> Threshold:
    """The threshold that the context gives, or a model; else what k promises, if any does.

    >>> rules = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 5}]}
    >>> threshold_of(Policy.of_mapping(rules))
    Threshold(value=0.2, given_by='k')
    """
    if policy.context.threshold is not None:
        return Threshold(policy.context.threshold, "context")
    required = [settings_of(model).get("highest") for model in policy.privacy]
    if limits := [limit for limit in required if limit is not None]:
        return Threshold(min(limits), "model")
    k = Privacy(policy.privacy).k
    return Threshold(1 / k, "k") if k > 1 else Threshold(THRESHOLD, "default")


def _explained(source: Source, policy: Policy, stages: Stages) -> Explanation | None:
    """What would save detail. It is an offer: what cannot be tried is left out."""
    try:
        return explain_in_short(source, policy, stages=Stages(watch=stages.watch))
    except Cancelled:
        raise
    except ShoalError:
        return None


def _attacked(source: Source, released: Source, release: Release, stages: Stages) -> Attacks | None:
    """Attacks by an adversary who knows every quasi-identifier whose cells can be read."""
    known = [axis.name for axis in release.axes if axis.publish not in ("mean", "median")]
    if not known:
        return None
    return attack_release(released, source, release.policy, known=known, watch=stages.watch)
