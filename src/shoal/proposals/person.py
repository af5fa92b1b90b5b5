"""Whose record it is: the identifier that tells people apart, where they have several records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.errors import counted
from shoal.policy.yaml_text import quoted
from shoal.proposals.profile import FEW, FIRST, Profile
from shoal.read.called import LIKELY, is_name, person_rank
from shoal.types.arrays import Int64Array
from shoal.types.unit import PERSON

FIXED = 2  # columns that never differ within a number, from which it may be that of a person
SELDOM_ALONE = 0.5  # different numbers by records, up to which most people have several
MANY_NAMESAKES = 0.5  # different names by records, below which they are not those of people


OF_NAMES = "Not sure: people of the same name count as one."
OF_UNSURE = "Not sure: check that it is the same in all records of a person, and only in those."


@dataclass(frozen=True, eq=False)
class Person:
    """The column that tells people apart. Reason and doubt tell counts, never a cell's value."""

    column: str
    reason: str
    doubt: str  # empty where there is none
    of_record: Int64Array  # the person of each record, as a number
    n_people: int


def person_among(identifiers: Mapping[str, Profile]) -> Person | None:
    """Of a table's identifiers, the one that tells people apart, where any of them repeats.

    What the name says decides, then an id before a name. Of two that number people, the one with
    fewer does: it is safe to take two people for one, and not to take one for two.
    """
    if not any(profile.repeats for profile in identifiers.values()):
        return None
    likely = {
        name: (rank, is_name(name), n_people_of(profile))
        for name, profile in identifiers.items()
        if (rank := rank_of(profile)) is not None
    }
    if not likely:
        return None
    name = min(likely, key=lambda name: likely[name])
    is_unsure = likely[name][0] == len(LIKELY)
    doubt = OF_NAMES if is_name(name) else OF_UNSURE if is_unsure else ""
    return person_of(identifiers[name], doubt)


def warn_of_rows(identifiers: Mapping[str, Profile]) -> str:
    """A note on identifiers that repeat, where none of them tells people apart."""
    repeating = [profile for profile in identifiers.values() if profile.repeats]
    counts = ", ".join(
        f"{quoted(profile.name)} ({len(profile.labels):,} different values)"
        for profile in repeating
    )
    return (
        f"Repeated identifiers that do not seem to number people: {counts}. If a person has "
        "several records, say whose each one is with `person: COLUMN` or a list of columns. "
        "Without it, rows are counted, not people."
    )


def warn_of_numbers(quasi: Sequence[Profile]) -> Iterator[str]:
    """Notes on quasi-identifiers that may number people, as nothing but their values shows.

    Several other columns are the same in all records of a person: year of birth, education.
    """
    for profile in quasi:
        if not _may_number_people(profile):
            continue
        fixed = [quoted(p.name) for p in quasi if p is not profile and _is_fixed(p, profile)]
        if len(fixed) >= FIXED:
            yield (
                f"{quoted(profile.name)} may number people: it has {len(profile.labels):,} "
                f"different values, and {', '.join(fixed)} never differ within one. If so, give it "
                f"the role identifier and add `person: {quoted(profile.name)}`. Without it, rows "
                "are counted, not people."
            )


def _may_number_people(profile: Profile) -> bool:
    """By a name that says nothing else, and by numbers that are repeated more often than not."""
    if profile.hint is not None and not profile.means("number"):
        return False
    is_between = FEW <= profile.n_written <= len(profile.series) * SELDOM_ALONE
    return is_between and profile.is_numbered and profile.may_be_people


def _is_fixed(values: Profile, number: Profile) -> bool:
    """Whether a column that varies is the same in all records that share a number."""
    if not 1 < values.n_written < number.n_written:
        return False
    pairs = pl.DataFrame({"number": number.series, "value": values.series})
    return all(part.n_unique() == part["number"].n_unique() for part in (pairs.head(FIRST), pairs))


def rank_of(profile: Profile) -> int | None:
    """How likely an identifier numbers people, 0 being likeliest; None where it does not."""
    rank = person_rank(profile.name)
    if rank is None or not profile.may_be_people:
        return None
    if is_name(profile.name) and profile.share < MANY_NAMESAKES:
        return None
    return rank if rank < len(LIKELY) or profile.repeats else None


def n_people_of(profile: Profile) -> int:
    """A record that does not say whose it is counts as that of a person of its own."""
    return len(profile.labels) + len(profile.series) - profile.n_present


def everyone_has_one(values: Profile, person: Person) -> bool:
    """Whether all people share a value, in any of their records: no group can then hide it."""
    assert values.column is not None
    pairs = np.unique(np.stack([values.column.codes + 1, person.of_record]), axis=1)
    return bool(np.bincount(pairs[0]).max() == person.n_people)


def person_of(profile: Profile, doubt: str = "") -> Person:
    """The people that a column tells apart."""
    assert profile.column is not None
    of_record = profile.column.codes.astype(np.int64)
    is_known = of_record >= 0
    n_known, n_people = len(profile.labels), n_people_of(profile)
    of_record[~is_known] = np.arange(n_known, n_people)
    most = int(np.bincount(of_record).max())
    reason = (
        f"{quoted(profile.name)}: {n_known:,} different values in "
        f"{counted(len(of_record), 'row')}; "
        + ("every row is another person" if most == 1 else f"people have up to {most:,} rows")
    )
    if n_unknown := n_people - n_known:
        reason += f", and {n_unknown:,} without a value count as {PERSON.counted(n_unknown)}"
    return Person(profile.name, reason, doubt, of_record, n_people)
