"""Trying what an adversary could try who holds the release and knows some people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from shoal import __version__
from shoal.attacks.confidence import CONFIDENCE
from shoal.attacks.downcoding import Downcoding
from shoal.attacks.homogeneity import Homogeneity, homogeneity
from shoal.attacks.inference import Inference, inference
from shoal.attacks.intersection import Intersection
from shoal.attacks.known import KnownPeople, KnownRecords, draw_people
from shoal.attacks.linkage import Linkage, linkage
from shoal.attacks.minimality import Minimality
from shoal.attacks.released import Presence
from shoal.attacks.same_values import SameValues, same_values
from shoal.attacks.sensitive import Sensitive
from shoal.attacks.skewness import Skewness, skewness
from shoal.attacks.trial import match_people, tell
from shoal.encode.people import People, people_of
from shoal.errors import InputError, counted, nearest
from shoal.policy.policy import Policy
from shoal.read.columns import can_be_read
from shoal.read.given import source_of
from shoal.read.source import Source
from shoal.runs.attack_cells import CellAttacks, cells_of
from shoal.runs.attack_together import attack_together
from shoal.runs.inputs import fit_to, read_columns
from shoal.runs.together import earlier_of
from shoal.runs.together_columns import Earlier
from shoal.types.frames import File, Given
from shoal.types.schema import Schema
from shoal.types.showable import Showable
from shoal.types.unit import PERSON, RECORD, Unit
from shoal.types.watch import Watch
from shoal.verify.original import refuse_larger_release

if TYPE_CHECKING:
    from rich.console import Console

SAMPLE = 1000  # people, unless said otherwise


@dataclass(frozen=True, repr=False)
class Attacks(Showable):
    """What every attack gained. Column names, counts and shares; never a cell.

    `known_records`: how many records of a person the adversary knows. None: the policy does not
    say whose records they are; then each is taken for that of another person.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38, 52, 55]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> shoal.attack(policy.anonymize(people).frame, original=people, policy=policy)
    <Attacks: 4 of 4 records tried>
    """

    n_released: int
    n_original: int
    known: tuple[str, ...]
    seed: int
    linkage: Linkage
    homogeneity: tuple[Homogeneity, ...]
    skewness: tuple[Skewness, ...]
    inference: tuple[Inference, ...]
    downcoding: tuple[Downcoding, ...] = ()
    minimality: tuple[Minimality, ...] = ()
    notes: tuple[str, ...] = ()
    known_records: KnownRecords | None = None
    intersection: tuple[Intersection, ...] | None = None  # None: no earlier release was given

    def __repr__(self) -> str:
        return f"<Attacks: {self.n_people:,} of {self.unit.counted(self.n_original)} tried>"

    def print_to(self, console: Console) -> None:
        from shoal.report.attack import print_attacks

        print_attacks(self, console)

    @property
    def unit(self) -> Unit:
        return RECORD if self.known_records is None else PERSON

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
            **self._about_records(),
            "known": list(self.known),
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "linkage": self.linkage.as_dict(),
            "homogeneity": [result.as_dict() for result in self.homogeneity],
            "skewness": [result.as_dict() for result in self.skewness],
            "inference": [result.as_dict() for result in self.inference],
            "downcoding": [result.as_dict() for result in self.downcoding],
            "minimality": [result.as_dict() for result in self.minimality],
            **self._about_earlier(),
            "notes": list(self.notes),
        }

    def _about_earlier(self) -> dict[str, Any]:
        if self.intersection is None:
            return {}
        return {"intersection": [result.as_dict() for result in self.intersection]}

    def _about_records(self) -> dict[str, str]:
        if self.known_records is None:
            return {}
        return {"counted": self.unit.many, "known_records": self.known_records}


def attack(
    frame: Given,
    *,
    original: Given,
    policy: Policy | Mapping[str, Any] | File,
    earlier: Given | Sequence[Given] = (),
    known: Sequence[str] | None = None,
    known_records: KnownRecords = "one",
    sample: int = SAMPLE,
    seed: int | None = None,
    watch: Watch | None = None,
) -> Attacks:
    """Attack a released polars, pandas or pyarrow table, or that of a file, with people it is of.

    The adversary knows the true values of `known`, all quasi-identifiers unless said otherwise,
    for `sample` records drawn at random, and matches them with the cells: the true row of a
    record is never looked up. Where the policy names `person`, people are drawn, and the
    adversary knows one record of each, drawn at random, or all (`known_records`). `seed` is the
    policy's unless said otherwise. `earlier` releases of the original, frames or names of files,
    are attacked together with this one.

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
    release, before = source_of(frame), source_of(original)
    rules = Policy.of(policy)
    return attack_release(
        release,
        before,
        rules,
        earlier=earlier_of(earlier),
        known=known,
        known_records=known_records,
        sample=sample,
        seed=seed,
        watch=watch,
    )


def attack_release(
    release: Source,
    original: Source,
    policy: Policy,
    *,
    earlier: Sequence[Earlier] = (),
    known: Sequence[str] | None = None,
    known_records: KnownRecords = "one",
    sample: int = SAMPLE,
    seed: int | None = None,
    watch: Watch | None = None,
) -> Attacks:
    """The same for tables as they were read."""
    _refuse_settings(sample, known_records, policy)
    schema = _fitting_schema(release, original, policy)
    names = _known_columns(known, schema)
    seed = policy.seed if seed is None else seed
    rng, watch = np.random.default_rng(seed), watch or Watch()
    with policy.locating():
        everyone = _people_in(original, policy)
        people = draw_people(
            read_columns(original, policy, names),
            everyone.of_record,
            sample=sample,
            known_records=known_records,
            rng=rng,
        )
        released = cells_of(release, policy, names)
        unchanged = _unchanged(release, original, policy, people)
        presence = Presence(released, list(unchanged.values()), len(people.records))
        trial = match_people(people, released, schema, presence, watch)
    sensitive = [Sensitive.of_column(name, unchanged[name], released) for name in schema.sensitive]
    told = [(column, tell(column, people, trial, rng, watch)) for column in sensitive]
    found = Attacks(
        n_released=release.n_records,
        n_original=original.n_records,
        known=names,
        seed=seed,
        linkage=linkage(trial, people, n_rows=release.n_records),
        homogeneity=tuple(starmap(homogeneity, told)),
        skewness=tuple(starmap(skewness, told)),
        inference=tuple(starmap(inference, told)),
        known_records=known_records if policy.person else None,
        intersection=attack_together(release, original, policy, earlier, names, people, watch)
        if earlier
        else None,
    )
    cells = CellAttacks(release, original, policy, schema, watch)
    groups = cells.groups_of(trial, released)
    found = replace(
        found,
        downcoding=cells.downcoding(people, groups),
        minimality=cells.minimality(people, groups),
    )
    notes = (*everyone.notes, *_notes(found, policy), *cells.notes(found.minimality))
    return replace(found, notes=notes)


def _refuse_settings(sample: int, known_records: str, policy: Policy) -> None:
    if not isinstance(sample, int) or sample < 1:
        raise InputError("The sample must be at least 1.")
    if known_records not in get_args(KnownRecords):
        raise InputError("The known records of a person must be `one` or `all`.")
    if known_records == "all" and not policy.person:
        raise InputError(
            "All records of a person cannot be known: the policy does not say whose they are. Name "
            "the column that does under `person`."
        )


def _people_in(original: Source, policy: Policy) -> People:
    """Whose records these are; each is that of another person if the policy does not say it."""
    if policy.person:
        return people_of(original, policy.person, missing_values=policy.missing_values)
    n = original.n_records
    return People(np.arange(n, dtype=np.int32), n, np.zeros(n, dtype=np.bool_))


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


def _notes(found: Attacks, policy: Policy) -> tuple[str, ...]:
    notes = []
    one, many = found.unit.one, found.unit.many
    n_absent = found.linkage.n_unmatched + found.linkage.n_only_wrong
    n_suppressed = found.n_original - found.n_released
    if policy.algorithm.traits.noise > 0:
        notes.append(
            "The policy asks for noise: cells need not cover the true values, and an adversary who "
            "knows its bound does better than this one. Read the figures as lower bounds."
        )
    elif n_absent > n_suppressed:
        notes.append(
            f"{n_absent:,} known {one if n_absent == 1 else many} cannot be in the release, but "
            f"only {counted(n_suppressed, 'record')} of the original were left out. The release "
            "seems to come from another table or policy, or was changed afterwards."
        )
    elif n_suppressed:
        notes.append(
            f"{counted(n_suppressed, 'record')} of the original were left out of the release. "
            f"Which ones cannot always be told from it; a {one} whose row could be there counts as "
            "present, so that no attack is taken to be weaker than it is."
        )
    if not found.inference:
        notes.append("The policy has no sensitive column, so only linkage was tried.")
    return tuple(notes)
