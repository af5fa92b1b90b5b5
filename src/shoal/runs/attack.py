"""Trying what an adversary could try who holds the release and knows some people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np

from shoal import __version__
from shoal.attacks.confidence import CONFIDENCE
from shoal.attacks.homogeneity import Homogeneity, homogeneity
from shoal.attacks.inference import Inference, inference
from shoal.attacks.known import KnownPeople, draw_people
from shoal.attacks.linkage import Linkage, linkage
from shoal.attacks.released import Presence, Released
from shoal.attacks.same_values import SameValues, same_values
from shoal.attacks.sensitive import Sensitive
from shoal.attacks.skewness import Skewness, skewness
from shoal.attacks.trial import Trial, match_people, tell
from shoal.errors import InputError, counted, nearest
from shoal.policy.policy import Policy
from shoal.read.columns import can_be_read, read_column
from shoal.read.source import Source
from shoal.runs.inputs import fit_to, read_columns
from shoal.types.column import RawColumn
from shoal.types.schema import Schema
from shoal.types.watch import Watch
from shoal.verify.original import refuse_larger_release

SAMPLE = 1000  # people, unless said otherwise


@dataclass(frozen=True)
class Attacks:
    """What every attack gained. Column names, counts and shares; never a cell."""

    n_released: int
    n_original: int
    known: tuple[str, ...]
    seed: int
    linkage: Linkage
    homogeneity: tuple[Homogeneity, ...]
    skewness: tuple[Skewness, ...]
    inference: tuple[Inference, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_people(self) -> int:
        return self.linkage.n_people

    def as_dict(self) -> dict[str, Any]:
        """The results as `shoal attack --json` prints them."""
        return {
            "shoal": __version__,
            "released": self.n_released,
            "original": self.n_original,
            "people": self.n_people,
            "known": list(self.known),
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "linkage": self.linkage.as_dict(),
            "homogeneity": [result.as_dict() for result in self.homogeneity],
            "skewness": [result.as_dict() for result in self.skewness],
            "inference": [result.as_dict() for result in self.inference],
            "notes": list(self.notes),
        }


def attack(
    frame: Any,
    *,
    original: Any,
    policy: Policy | str | Path,
    known: Sequence[str] | None = None,
    sample: int = SAMPLE,
    seed: int | None = None,
    watch: Watch | None = None,
) -> Attacks:
    """Attack a released polars, pandas or pyarrow table with some people of the original.

    The adversary knows the true values of `known`, all quasi-identifiers unless said otherwise,
    for `sample` people drawn at random, and matches them with the cells: the true row of a
    person is never looked up. `seed` is the policy's unless said otherwise.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38, 52, 55], "job": ["cook", "cook", "cook", "nurse"]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], sensitive=["job"],
    ...                                privacy=[shoal.KAnonymity(2)])
    >>> found = attack(policy.anonymize(people).frame, original=people, policy=policy)
    >>> found.linkage.success.value, found.linkage.in_original.value
    (0.5, 1.0)
    >>> found.homogeneity[0].same.value  # the two youngest
    0.5
    """
    release, before = Source.of_frame(frame), Source.of_frame(original)
    rules = Policy.of(policy)
    return attack_release(
        release, before, rules, known=known, sample=sample, seed=seed, watch=watch
    )


def attack_release(
    release: Source,
    original: Source,
    policy: Policy,
    *,
    known: Sequence[str] | None = None,
    sample: int = SAMPLE,
    seed: int | None = None,
    watch: Watch | None = None,
) -> Attacks:
    """The same for tables as they were read."""
    if sample < 1:
        raise InputError("The sample must have at least one person.")
    schema = _fitting_schema(release, original, policy)
    names = _known_columns(known, schema)
    seed = policy.seed if seed is None else seed
    rng, watch = np.random.default_rng(seed), watch or Watch()
    with policy.locating():
        columns = read_columns(original, policy, names)
        people = draw_people(columns, n_records=original.n_records, sample=sample, rng=rng)
        released = Released.of_cells({name: _cells(release, policy, name) for name in names})
        unchanged = _unchanged(release, original, policy, people)
        presence = Presence(released, list(unchanged.values()), people.n)
        trial = match_people(people, released, schema, presence, watch)
    sensitive = [Sensitive.of_column(name, unchanged[name], released) for name in schema.sensitive]
    told = [(column, tell(column, trial, rng, watch)) for column in sensitive]
    return Attacks(
        n_released=release.n_records,
        n_original=original.n_records,
        known=names,
        seed=seed,
        linkage=linkage(trial, people, n_rows=release.n_records),
        homogeneity=tuple(starmap(homogeneity, told)),
        skewness=tuple(starmap(skewness, told)),
        inference=tuple(starmap(inference, told)),
        notes=_notes(
            trial,
            schema,
            n_suppressed=original.n_records - release.n_records,
            has_noise=policy.algorithm.traits.noise > 0,
        ),
    )


def _fitting_schema(release: Source, original: Source, policy: Policy) -> Schema:
    """The columns as they were published. Refuses what cannot be a release and its original."""
    policy.schema_for(original.frame.columns)
    schema = policy.schema_of_release(release.frame.columns)
    refuse_larger_release(release, original)
    return fit_to(policy.algorithm, schema)[0]


def _known_columns(known: Sequence[str] | None, schema: Schema) -> tuple[str, ...]:
    if known is None:
        return schema.quasi
    for name in known:
        if name not in schema.quasi:
            why = (
                "is not a quasi-identifier"
                if name in schema.columns
                else "is not a column of the release"
            )
            raise InputError(
                f"Known columns: {name!r} {why}{nearest(name, schema.quasi)} "
                f"Quasi-identifiers are {', '.join(schema.quasi)}."
            )
    if not known:
        raise InputError("Name at least one column that the adversary knows.")
    return tuple(name for name in schema.quasi if name in known)


def _cells(release: Source, policy: Policy, name: str) -> RawColumn:
    """Cells are text, and only what a release writes for missing is missing."""
    return read_column(release.frame[name], missing_values=policy.missing_values[:1])


def _unchanged(
    release: Source, original: Source, policy: Policy, people: KnownPeople
) -> dict[str, SameValues]:
    """The sensitive and kept columns of the release and of the people.

    Kept columns that cannot be compared, such as lists, are left out.
    """
    found = {}
    for name in Schema(policy.columns).names("sensitive", "keep"):
        before, after = original.frame[name], release.frame[name]
        is_sensitive = policy.columns[name].role == "sensitive"
        if is_sensitive or (can_be_read(before) and can_be_read(after)):
            known = before.gather(people.records)
            found[name] = same_values(after, known, policy.missing_values)
    return found


def _notes(trial: Trial, schema: Schema, *, n_suppressed: int, has_noise: bool) -> tuple[str, ...]:
    notes = []
    n_absent = int(np.count_nonzero(~trial.is_present))
    if has_noise:
        notes.append(
            "The policy asks for noise: cells need not cover the true values, and an adversary who "
            "knows its bound does better than this one. Read the figures as lower bounds."
        )
    elif n_absent > n_suppressed:
        notes.append(
            f"{counted(n_absent, 'known person')} cannot be in the release, but only "
            f"{counted(n_suppressed, 'record')} of the original were left out. The release seems "
            "to come from another table or policy, or was changed afterwards."
        )
    elif n_suppressed:
        notes.append(
            f"{counted(n_suppressed, 'record')} of the original were left out of the release. Who "
            "was cannot always be told from it; a person whose row could be there counts as "
            "present, so that no attack is taken to be weaker than it is."
        )
    if not schema.sensitive:
        notes.append("The policy has no sensitive column, so only linkage was tried.")
    return tuple(notes)
