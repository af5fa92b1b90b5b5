"""What a dossier shows besides the release itself: risks, attacks, and what still holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from shoal.encode.people import people_of
from shoal.policy.policy import Policy
from shoal.read.columns import can_be_read, read_column
from shoal.read.files import read_either
from shoal.read.said import read_as_said
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.risks.figures import Risk
from shoal.runs.attack import Attacks, attack_release
from shoal.runs.risk import THRESHOLD, risk_of, warm_up
from shoal.runs.stages import Stages
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.named import settings_of
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec
from shoal.utility.associations import Association, associations
from shoal.utility.compared import Compared, compared
from shoal.utility.distributions import Distribution, distribution
from shoal.utility.means import Mean, mean

FEWEST = 3  # people: a count below is not shown, however small the k of the policy
MOST_COLUMNS = 12  # of which every two are compared


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
        least = least_people(policy)
        columns = _compared(source, released, release, least)
        paired = [c for c in columns if policy.columns[c.name].handled_as != "keep"][:MOST_COLUMNS]
        return Evidence(
            least=least,
            risk=risk,
            attacks=attacks,
            distributions=tuple(map(distribution, columns)),
            means=tuple(found for found in map(mean, columns) if found is not None),
            associations=associations(paired),
        )


def gather_frame(frame: Any, release: Release) -> Evidence:
    """The same for a polars, pandas or pyarrow table."""
    return gather(Source.of_frame(frame), release)


def least_people(policy: Policy) -> int:
    """How many people a figure must be about, to be shown."""
    privacy = Privacy(policy.privacy)
    return max(privacy.smallest, privacy.k, FEWEST)


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


def _attacked(source: Source, released: Source, release: Release, stages: Stages) -> Attacks | None:
    """Attacks by an adversary who knows every quasi-identifier whose cells can be read."""
    known = [axis.name for axis in release.axes if axis.publish not in ("mean", "median")]
    if not known:
        return None
    return attack_release(released, source, release.policy, known=known, watch=stages.watch)


def _compared(source: Source, released: Source, release: Release, least: int) -> list[Compared]:
    """The released columns that can be read, before and after."""
    policy, people = release.policy, _people(source, release.policy)
    found = []
    for name, spec in release.schema.columns.items():
        if name not in released.frame.columns or spec.role == "pseudonym":
            continue
        if not (can_be_read(source.frame[name]) and can_be_read(released.frame[name])):
            continue
        before = _before(source, name, spec, policy)
        after = _cells(released, name, policy)
        found.append(compared(before, after, spec, people, least=least))
    return found


def _before(source: Source, name: str, spec: ColumnSpec, policy: Policy) -> RawColumn:
    series, missing = source.frame[name], policy.missing_values
    if spec.role == "quasi":
        return read_as_said(series, spec, is_text=source.is_text, missing_values=missing)
    return read_column(series, is_text=source.is_text, missing_values=missing)


def _cells(released: Source, name: str, policy: Policy) -> RawColumn:
    """Published cells are text, and only what a release writes for missing is missing."""
    return read_column(released.frame[name], missing_values=policy.missing_values[:1])


def _people(source: Source, policy: Policy) -> Int64Array:
    """The person of each record; each is that of another person if the policy does not say it."""
    if not policy.person:
        return np.arange(source.n_records, dtype=np.int64)
    people = people_of(source, policy.person, missing_values=policy.missing_values)
    return people.of_record.astype(np.int64)
