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
    at random from the release.
    """

    matched: Sequence[Seen]
    without_person: Sequence[Seen]
    at_random: Sequence[Seen]


class Trial(NamedTuple):
    """For each person the number of matching rows, and whether the person's can be one of them."""

    n_matched: Int64Array
    is_present: BoolArray
    groups: Sequence[Int64Array]


def match_people(
    people: KnownPeople, released: Released, schema: Schema, presence: Presence, watch: Watch
) -> Trial:
    """Find the groups that match each person."""
    watch.begin("people", people.n)
    groups = [np.zeros(0, dtype=np.int64)] * people.n
    for n_before, (person, matched) in enumerate(released.match(people, schema.columns, watch)):
        groups[person] = matched
        watch.report(n_before + 1)
    is_present = [presence.holds(person, matched) for person, matched in enumerate(groups)]
    n_matched = [int(released.sizes[matched].sum()) for matched in groups]
    return Trial(np.array(n_matched), np.array(is_present), groups)


def tell(column: Sensitive, trial: Trial, rng: np.random.Generator, watch: Watch) -> Told:
    """Look at the sensitive values of the rows that match each person."""
    matched, without_person, at_random = [], [], []
    watch.begin("people", len(trial.groups))
    for person, groups in enumerate(trial.groups):
        tally, truth = column.in_groups(groups), int(column.truth[person])
        matched.append(tally.look())
        is_present = trial.is_present[person]
        without_person.append(tally.without(truth).look() if is_present else matched[-1])
        at_random.append(column.at_random(int(trial.n_matched[person]), rng).look())
        watch.report(person + 1)
    return Told(matched, without_person, at_random)
