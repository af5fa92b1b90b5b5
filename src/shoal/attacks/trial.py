"""What the rows of a release tell about each of the known people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.attacks.known import KnownPeople
from shoal.attacks.released import Presence, Released
from shoal.attacks.sensitive import Seen, Sensitive
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.schema import Schema
from shoal.types.watch import Watch


class Told(NamedTuple):
    """What is told of a sensitive column, for each person.

    By the matching rows, by those without the person's own, and by as many rows as match, drawn
    at random from the release. `truth` are the values of all records of the people.
    """

    matched: Sequence[Seen]
    without_person: Sequence[Seen]
    at_random: Sequence[Seen]
    people: KnownPeople
    truth: Int64Array

    def is_right(self, values: Int64Array) -> BoolArray:
        """Whether each person has the value that is guessed."""
        return self.people.have(self.truth, values)


class Trial(NamedTuple):
    """For each person the rows that match the known record for which fewest do.

    `own`: those of the person's records whose rows can be among them. `n_released`: how many can
    be anywhere in the release.
    """

    n_matched: Int64Array
    groups: Sequence[Int64Array]
    own: Sequence[Int64Array]
    n_released: Int64Array

    @property
    def n_own(self) -> Int64Array:
        return np.array([len(records) for records in self.own])

    @property
    def is_present(self) -> BoolArray:
        return self.n_own > 0


def match_people(
    people: KnownPeople, released: Released, schema: Schema, presence: Presence, watch: Watch
) -> Trial:
    """Find the groups that match each person."""
    watch.begin("records", len(people.records))
    matched = [np.zeros(0, dtype=np.int64)] * len(people.records)
    for n_before, (record, groups) in enumerate(released.match(people, schema.columns, watch)):
        matched[record] = groups
        watch.report(n_before + 1)
    n_matched = np.array([int(released.sizes[groups].sum()) for groups in matched])
    picked = people.easiest(n_matched)
    of_picked = [matched[record] for record in picked]
    own, n_released = [], []
    for person, among in enumerate(of_picked):
        of_person = {place: matched[place] for place in people.places(person).tolist()}
        own.append(presence.held({p: _common(g, among) for p, g in of_person.items()}))
        n_released.append(len(presence.held(of_person)))
    return Trial(n_matched[picked], of_picked, own, np.array(n_released))


def _common(first: Int64Array, second: Int64Array) -> Int64Array:
    """Groups that are in both; records with equal values share one list."""
    return first if first is second else np.intersect1d(first, second, assume_unique=True)


def tell(
    column: Sensitive, people: KnownPeople, trial: Trial, rng: np.random.Generator, watch: Watch
) -> Told:
    """Look at the sensitive values of the rows that match each person."""
    matched, without_person, at_random = [], [], []
    watch.begin("guesses", people.n)
    for person, groups in enumerate(trial.groups):
        tally, own = column.in_groups(groups), trial.own[person]
        matched.append(tally.look())
        others = tally.without(column.truth[own]).look() if len(own) else matched[-1]
        without_person.append(others)
        at_random.append(column.at_random(int(trial.n_matched[person]), rng).look())
        watch.report(person + 1)
    return Told(matched, without_person, at_random, people, column.truth)
