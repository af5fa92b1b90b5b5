"""Learning from the fact that a group was not divided (Wong et al., VLDB 2007)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np

from shoal.attacks.confidence import Estimate, difference, share
from shoal.types.arrays import BoolArray, FloatArray, Int64Array

MOST_TABLES = 2000  # ways to divide the values of a group, beyond which they are not counted
CLOSE = 1e-9  # shares that differ by less are equal
MANY = 1_000_000  # records of a group that has the shares of a belief

Counts = tuple[int, ...]  # of each value
Holds = Callable[[Int64Array], BoolArray]  # whether groups with these counts of values hold


@dataclass(frozen=True)
class Minimality:
    """What the adversary believes of people in groups that were not divided.

    The adversary knows the algorithm and everybody's quasi-identifiers. A group stands whole
    because every cut that the algorithm tried left a half which fails; only such assignments of its
    values to its people are possible, each equally likely. `changed`: people of whom the belief is
    then another than the shares of the group. `broken`: people of whom it is one that the models
    would refuse as a group. `right` is guessing the most likely value, `by_group` the most frequent
    one of the group. `n_uncounted`: people whose groups cannot be counted.
    """

    column: str
    n_people: int
    n_uncounted: int
    n_certain: int
    changed: Estimate
    broken: Estimate
    right: Estimate
    by_group: Estimate
    gain: Estimate
    largest: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "people": self.n_people,
            "uncounted": self.n_uncounted,
            "certain": self.n_certain,
            "changed": self.changed.as_dict(),
            "broken": self.broken.as_dict(),
            "accuracy": self.right.as_dict(),
            "accuracy_by_group": self.by_group.as_dict(),
            "gain": self.gain.as_dict(),
            "largest_belief": round(self.largest, 6),
        }


class Undivided(NamedTuple):
    """A group, its people by class: those of a class are on the same side of every cut.

    `values` are the codes of the values that occur and `counts` how often; `sizes` are those of the
    classes, `cuts` says which of these each cut leaves on the left.
    """

    values: Int64Array
    counts: Counts
    sizes: Counts
    cuts: BoolArray  # [cuts, classes]


class Belief(NamedTuple):
    """For each class of a group, how likely each of the group's values is for one of its people."""

    values: Int64Array
    of_class: FloatArray  # [classes, values]
    shares: FloatArray  # of the group, which is all that the release says by itself
    is_broken: BoolArray  # [classes]


def believe(group: Undivided, holds: Holds) -> Belief | None:
    """The belief of each class, None if there are too many assignments to count."""
    shares = np.array(group.counts) / sum(group.counts)
    tables = _tables_of(group)
    if tables is None:
        return None
    is_possible = np.ones(len(tables), dtype=np.bool_)
    whole = np.array(group.counts)
    for is_left in group.cuts:
        left = tables[:, is_left].sum(axis=1)
        different, place = np.unique(left, axis=0, return_inverse=True)
        both = holds(different) & holds(whole - different)
        is_possible &= ~both[place.ravel()]
    if not is_possible.any():
        return None
    weights = [_n_assignments(table, group.sizes) for table in tables[is_possible].tolist()]
    total = sum(weights)
    likely = np.array([weight / total for weight in weights])
    expected = np.tensordot(likely, tables[is_possible], axes=1)
    of_class = expected / np.array(group.sizes)[:, np.newaxis]
    return Belief(group.values, of_class, shares, ~holds(_as_groups(of_class)))


def _tables_of(group: Undivided) -> Int64Array | None:
    """All ways to divide the values among the classes: int[ways, classes, values]."""
    found: list[list[Counts]] = []
    for table in _tables(group.sizes, group.counts):
        found.append(table)
        if len(found) > MOST_TABLES:
            return None
    return np.array(found, dtype=np.int64)


def _tables(sizes: Counts, counts: Counts) -> Iterator[list[Counts]]:
    if len(sizes) == 1:
        yield [counts]
        return
    for row in _rows(sizes[0], counts):
        left = tuple(have - taken for have, taken in zip(counts, row, strict=True))
        for others in _tables(sizes[1:], left):
            yield [row, *others]


def _rows(size: int, counts: Counts) -> Iterator[Counts]:
    """All choices of so many records from these.

    >>> list(_rows(2, (1, 2)))
    [(0, 2), (1, 1)]
    """
    if len(counts) == 1:
        if size <= counts[0]:
            yield (size,)
        return
    for taken in range(max(0, size - sum(counts[1:])), min(size, counts[0]) + 1):
        for others in _rows(size - taken, counts[1:]):
            yield (taken, *others)


def _n_assignments(table: Sequence[Sequence[int]], sizes: Counts) -> int:
    """In how many ways the people of each class can have the values that a table gives it."""
    ways = (
        factorial(size) // prod(factorial(n) for n in row)
        for size, row in zip(sizes, table, strict=True)
    )
    return prod(ways)


def _as_groups(belief: FloatArray) -> Int64Array:
    """Groups of many records with these shares; a value that is possible at all stays in."""
    return np.ceil(np.round(belief * MANY, 6)).astype(np.int64)


class Known(NamedTuple):
    """A person of a group that was counted: the class, and the true value."""

    belief: Belief
    class_: int
    truth: int


def minimality(column: str, known: Sequence[Known], n_uncounted: int) -> Minimality | None:
    """From what is believed of each person; None if no group could be counted."""
    n = len(known)
    if not n:
        return None
    beliefs = [person.belief.of_class[person.class_] for person in known]
    shares = [person.belief.shares for person in known]
    values, truth = [person.belief.values for person in known], [person.truth for person in known]
    is_right = np.array(
        [v[b.argmax()] == t for v, b, t in zip(values, beliefs, truth, strict=True)]
    )
    by_group = np.array([v[s.argmax()] == t for v, s, t in zip(values, shares, truth, strict=True)])
    is_changed = [bool(np.abs(b - s).max() > CLOSE) for b, s in zip(beliefs, shares, strict=True)]
    return Minimality(
        column=column,
        n_people=n,
        n_uncounted=n_uncounted,
        n_certain=sum(bool(belief.max() > 1 - CLOSE) for belief in beliefs),
        changed=share(sum(is_changed), n),
        broken=share(sum(bool(p.belief.is_broken[p.class_]) for p in known), n),
        right=share(int(is_right.sum()), n),
        by_group=share(int(by_group.sum()), n),
        gain=difference(is_right, by_group),
        largest=max(float(belief.max()) for belief in beliefs),
    )
