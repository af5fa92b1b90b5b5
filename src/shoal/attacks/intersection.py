"""Learning a sensitive value from several releases of the same people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from shoal.attacks.confidence import Estimate, difference, share
from shoal.attacks.known import KnownPeople, fold
from shoal.attacks.released import Released
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch


class AttackedRelease(NamedTuple):
    """A release, how its cells are read, and codes of its unchanged values, by column.

    The codes are equal where values are, in all releases and for the records of the people.
    """

    released: Released
    specs: Mapping[str, ColumnSpec]
    unchanged: Mapping[str, Int32Array]


@dataclass(frozen=True)
class Intersection:
    """The share of people whose value is certain from all releases, and from each of them alone.

    Certain: all candidates left have one value, and the person has it. `alone` has the figure of
    each release, the new one first; `excess` is how much more often it is certain from all than
    from any one of them. `smallest` and `median` are numbers of candidates left.
    """

    column: str
    certain: Estimate
    alone: tuple[Estimate, ...]
    excess: Estimate
    smallest: int | None
    median: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "certain": self.certain.as_dict(),
            "certain_alone": [figure.as_dict() for figure in self.alone],
            "excess": self.excess.as_dict(),
            "fewest_candidates": self.smallest,
            "median_candidates": self.median,
        }


def intersection(
    people: KnownPeople,
    releases: Sequence[AttackedRelease],
    truth: Mapping[str, Int32Array],
    sensitive: Sequence[str],
    watch: Watch,
) -> tuple[Intersection, ...]:
    """Look people up in every release, and keep what all of them can be.

    Rows with the same unchanged values, in the columns that all releases have, are candidates as
    often as they occur in the release that has fewest. A release in which no row matches tells
    nothing. `truth` are the codes of the people's records.
    """
    common = [name for name in truth if all(name in one.unchanged for one in releases)]
    keys = _keys(releases, common)
    matches = [
        _matching_keys(people, one, key, watch) for one, key in zip(releases, keys, strict=True)
    ]
    found = []
    for name in sensitive:
        if name in common:
            value_of_key = _value_of_key(releases, keys, name)
            found.append(_of_column(name, people, matches, value_of_key, truth[name]))
    return tuple(found)


def _keys(releases: Sequence[AttackedRelease], common: Sequence[str]) -> list[Int64Array]:
    """One number for the common values of each row."""
    lengths = [one.released.n_rows for one in releases]
    if not common:
        return [np.zeros(n, dtype=np.int64) for n in lengths]
    codes = [np.concatenate([one.unchanged[name] for one in releases]) for name in common]
    return np.split(fold(codes).astype(np.int64), np.cumsum(lengths)[:-1])


def _matching_keys(
    people: KnownPeople, one: AttackedRelease, key: Int64Array, watch: Watch
) -> list[Counter[int]]:
    """For each record of the people, how often each key occurs in the rows that match."""
    of_group: list[Counter[int]] = [Counter() for _ in range(one.released.n_groups)]
    for group, number in zip(one.released.group_of_row.tolist(), key.tolist(), strict=True):
        of_group[group][number] += 1
    found: list[Counter[int]] = [Counter() for _ in range(len(people.records))]
    for record, groups in one.released.match(people, one.specs, watch):
        for group in groups.tolist():
            found[record].update(of_group[group])
    return found


def _value_of_key(
    releases: Sequence[AttackedRelease], keys: Sequence[Int64Array], name: str
) -> dict[int, int]:
    found: dict[int, int] = {}
    for one, key in zip(releases, keys, strict=True):
        found |= dict(zip(key.tolist(), one.unchanged[name].tolist(), strict=True))
    return found


def _of_column(
    name: str,
    people: KnownPeople,
    matches: Sequence[Sequence[Counter[int]]],
    value_of_key: Mapping[int, int],
    truth: Int32Array,
) -> Intersection:
    left = [_left([of_release[record] for of_release in matches]) for record in range(len(truth))]
    n_left = np.array([counts.total() for counts in left])
    picked = people.easiest(n_left)
    certain = _are_certain(left, picked, people, value_of_key, truth)
    alone = [_are_certain(one, picked, people, value_of_key, truth) for one in matches]
    counts = n_left[picked][n_left[picked] > 0]
    return Intersection(
        name,
        certain=share(int(certain.sum()), people.n),
        alone=tuple(share(int(one.sum()), people.n) for one in alone),
        excess=difference(certain, np.logical_or.reduce(alone)),
        smallest=int(counts.min()) if len(counts) else None,
        median=float(np.median(counts)) if len(counts) else None,
    )


def _left(matches: Sequence[Counter[int]]) -> Counter[int]:
    """The keys that all releases with a matching row have, as often as the one with fewest."""
    some = [counts for counts in matches if counts]
    left = Counter(some[0]) if some else Counter[int]()
    for counts in some[1:]:
        left &= counts
    return left


def _are_certain(
    left: Sequence[Counter[int]],
    picked: Int64Array,
    people: KnownPeople,
    value_of_key: Mapping[int, int],
    truth: Int32Array,
) -> BoolArray:
    """Whether the candidates of each person have one value, and the person has it."""
    values = [{value_of_key[key] for key in left[record]} for record in picked.tolist()]
    guess = np.array([next(iter(found)) if len(found) == 1 else -2 for found in values])
    return people.have(truth.astype(np.int64), guess)
