"""`shoal.anonymize`, and the same of a policy."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from shoal.api.progress import stages_shown
from shoal.errors import BadOption, PolicyError
from shoal.policy.policy import DEFAULT_ALGORITHM, Columns, Policy, Sensitive
from shoal.read.given import source_of
from shoal.read.key import key_of
from shoal.release.release import Release
from shoal.runs.anonymize import anonymize as run
from shoal.runs.inputs import refuse_threads
from shoal.runs.registry import remembered
from shoal.runs.together import earlier_of
from shoal.types.algorithm import Algorithm
from shoal.types.frames import File, FrameT, InPolars
from shoal.types.model import PrivacyModel
from shoal.types.population import Population
from shoal.types.run_keywords import Run
from shoal.types.schema import Missing, Order, Unknown
from shoal.types.watch import Watch

if TYPE_CHECKING:
    import polars as pl

    from shoal.proposals.proposal import Proposal


class Settings(Run, total=False):
    """The keywords of `anonymize`, for type checkers: it has two forms with the same ones."""

    policy: Policy | Proposal | Mapping[str, Any] | File | None
    quasi: Columns
    privacy: Sequence[PrivacyModel | Mapping[str, Any]]
    identifiers: Sequence[str]
    pseudonyms: Sequence[str]
    sensitive: Sensitive
    keep: Sequence[str]
    drop: Sequence[str]
    weight: str | None
    algorithm: str | Mapping[str, Any] | Algorithm
    suppression: float
    missing: Missing
    missing_values: Sequence[str]
    unknown: Unknown
    order: Order
    decimal: str
    thousands: str
    seed: int
    person: str | Sequence[str]
    population: Population | Mapping[str, Any] | None


@overload
def anonymize(frame: InPolars, **settings: Unpack[Settings]) -> Release[pl.DataFrame]: ...
@overload
def anonymize(frame: FrameT, **settings: Unpack[Settings]) -> Release[FrameT]: ...
def anonymize(
    frame: Any,
    *,
    policy: Policy | Proposal | Mapping[str, Any] | File | None = None,
    quasi: Columns = (),
    privacy: Sequence[PrivacyModel | Mapping[str, Any]] = (),
    identifiers: Sequence[str] = (),
    pseudonyms: Sequence[str] = (),
    sensitive: Sensitive = (),
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    weight: str | None = None,
    algorithm: str | Mapping[str, Any] | Algorithm = DEFAULT_ALGORITHM,
    suppression: float = 0.0,
    missing: Missing = "category",
    missing_values: Sequence[str] = ("",),
    unknown: Unknown = "error",
    order: Order = "published",
    decimal: str = "",
    thousands: str = "",
    seed: int = 0,
    person: str | Sequence[str] = (),
    population: Population | Mapping[str, Any] | None = None,
    key: File | bytes | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
    progress: bool | None = None,
    earlier: Any = (),
    registry: File | None = None,
    **misspelt: Any,
) -> Release[Any]:
    """Anonymize a polars, pandas or pyarrow table; the same kind comes back, verified.

    A path of a file or a polars LazyFrame may be given too; the release is then a polars table.
    What is wanted stands in a `policy`, a `Policy` or the path of a policy file, or in the
    keywords, not in both.

    Every column needs a role: `identifiers` and `drop` are left out, `quasi` are generalised,
    `sensitive` are released and protected by models, `keep` are released as they are. `quasi` and
    `sensitive` are lists of names, or map names to hierarchies (`shoal.intervals`, `prefix`,
    `dates`, `levels`, `tree`, `library`, `flat`). `privacy` lists models. `person` names the
    column, or the columns, that say whose record it is, where people have several: then people are
    counted, not rows. One such column may be in `pseudonyms`: it is released as a stand-in for the
    person, made with a `key` (the name of its file, or the key itself as bytes), or at random. At
    most the share `suppression` of the records is left out. `decimal` and `thousands` are the signs
    in numbers that are text. A table that is a sample of a `population` may say so, and have a
    column with the survey `weight` of each record, which is not released. The result is the same
    for any number of `threads`. A `watch` hears how far it is, and can cancel it from another
    thread. `progress` says whether a
    line on stderr tells what is done: by default only at a prompt, as in a notebook. `earlier`
    releases of the same table, frames or names of files, must keep the models together with this
    one. A `registry`, the name of a file, remembers the release, so that a later one is noticed.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"name": ["Ann", "Bob", "Cem", "Dee"], "age": [31, 38, 52, 55],
    ...                        "illness": ["flu", "gout", "flu", "cold"]})
    >>> release = shoal.anonymize(people, identifiers=["name"], sensitive=["illness"],
    ...                           quasi={"age": shoal.intervals(10)}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame.rows()
    [('[30, 39]', 'flu'), ('[30, 39]', 'gout'), ('[50, 59]', 'cold'), ('[50, 59]', 'flu')]
    >>> release.verdict.holds, f"{release.measures['loss']:.2f}"
    (True, '0.33')
    """
    given = {
        "quasi": quasi,
        "privacy": privacy,
        "identifiers": identifiers,
        "pseudonyms": pseudonyms,
        "sensitive": sensitive,
        "keep": keep,
        "drop": drop,
        "weight": weight,
        "algorithm": algorithm,
        "suppression": suppression,
        "missing": missing,
        "missing_values": missing_values,
        "unknown": unknown,
        "order": order,
        "decimal": decimal,
        "thousands": thousands,
        "seed": seed,
        "person": person,
        "population": population,
        **misspelt,  # refused with the nearest name
    }
    return anonymize_by(
        Policy.of_roles(**given) if policy is None else _alone(policy, given),
        frame,
        key=key,
        threads=threads,
        watch=watch,
        progress=progress,
        earlier=earlier,
        registry=registry,
    )


def anonymize_by(
    policy: Policy,
    frame: Any,
    *,
    key: File | bytes | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
    progress: bool | None = None,
    earlier: Any = (),
    registry: File | None = None,
) -> Release[Any]:
    refuse_threads(threads)
    if registry is not None and not isinstance(registry, str | os.PathLike):
        raise BadOption("registry must be the name of a file")
    with stages_shown(progress, watch) as stages:
        with stages("read"):
            source, others = source_of(frame), earlier_of(earlier)
        release = run(
            source,
            policy,
            key=None if key is None else key_of(key),
            threads=threads,
            stages=stages,
            earlier=others,
        )
    if registry is None:
        return release
    return remembered(release, source, Path(registry), earlier=others)


def _alone(
    policy: Policy | Proposal | Mapping[str, Any] | File, given: Mapping[str, Any]
) -> Policy:
    """A policy, if nothing is said besides it that is its own to say."""
    defaults = anonymize.__kwdefaults__ or {}
    besides = [
        name
        for name, value in given.items()
        if name not in defaults or not _is_same(value, defaults[name])
    ]
    if besides:
        raise PolicyError(
            f"{', '.join(besides)} {'was' if len(besides) == 1 else 'were'} given besides "
            "`policy`. Say it in the policy, or leave the policy out"
        )
    return Policy.of(policy)


def _is_same(value: Any, default: Any) -> bool:
    """Without asking a frame or an array whether it equals something."""
    return value is default or (isinstance(value, type(default)) and bool(value == default))
