"""Who is in one release and not in another, told by how many rows both have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal.together.joint_counts import SameKeys, keys_alike, space_of
from shoal.together.placed import Placed, Rows
from shoal.together.sets import Counts, components
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.stats import ValueCounts


class Difference(NamedTuple):
    """Records that one release has and another has not, by the groups that hang together.

    They are seen by subtracting the rows of one from those of the other. `is_clear`: they are in
    one group. In several, it cannot be said how many are in each, and somebody may be alone there.
    `counts` are those of values, by column, of the columns that both releases have.
    """

    sizes: Int64Array
    is_clear: BoolArray
    counts: dict[str, ValueCounts]


def differences(rows: Rows, new: Placed, earlier: Placed) -> Iterator[Difference]:
    """What the new release has and the earlier one has not, and the other way round.

    People whom no cell of a release covers are certainly not in it; they are left out here.
    """
    placed = (new, earlier)
    keys = keys_alike(rows, placed, space_of(placed, (0, 1)))
    together = _Together(rows, new, earlier)
    held = [together.held(i, keys) for i in (0, 1)]
    for i, (one, other) in enumerate(((held[0], held[1]), (held[1], held[0]))):
        more = one.counts - other.of(one.groups, one.keys)
        if (more > 0).any():
            chosen = Chosen(one.groups[more > 0], one.keys[more > 0], more[more > 0])
            yield _of_components(rows, keys, chosen, together.n_groups(i))


class Chosen(NamedTuple):
    """Some records, by component and key."""

    component: Int64Array
    key: Int64Array
    n: Int64Array


class _Together:
    """Two releases whose groups hang together by whom they cover."""

    def __init__(self, rows: Rows, new: Placed, earlier: Placed) -> None:
        self._rows, self._placed = rows, (new, earlier)
        left, right = [], []
        for place, offset in ((new, 0), (earlier, new.absent)):
            quasi = np.repeat(np.arange(rows.quasi.n), place.covering.sizes)
            is_group = place.covering.members != place.absent
            left.append(quasi[is_group])
            right.append(place.covering.members[is_group] + offset)
        self._n_all = new.absent + earlier.absent
        found = components(np.concatenate(left), np.concatenate(right), rows.quasi.n, self._n_all)
        self._of_group = (found[: new.absent], found[new.absent :])
        self._of_quasi = np.full(rows.quasi.n, -1)
        for quasi, group in zip(left, right, strict=True):
            self._of_quasi[quasi] = found[group]

    def n_groups(self, i: int) -> Int64Array:
        """By component, how many groups of a release it has."""
        return np.bincount(self._of_group[i], minlength=self._n_all)

    def held(self, i: int, keys: SameKeys) -> Counts:
        """The records of a release by component and key, but those the other cannot have."""
        place, other, rows = self._placed[i], self._placed[1 - i], self._rows
        is_left_out = (other.covering.members == other.absent)[other.covering.starts[:-1]]
        is_row = is_left_out[rows.quasi_of_row] & ~place.is_absent
        of_release = self._of_group[i][place.group_of_row]
        return Counts(
            np.append(of_release, self._of_quasi[rows.quasi_of_row[is_row]]),
            np.append(keys.by_release[i], keys.of_rows[is_row]),
            np.append(place.release.counts, -rows.weights[is_row]),
            keys.n,
        )


def _of_components(rows: Rows, keys: SameKeys, chosen: Chosen, n_groups: Int64Array) -> Difference:
    """Records as groups of those that cannot be told apart, or people: at least so many."""
    component, group = np.unique(chosen.component, return_inverse=True)
    most = rows.most_of_a_person
    counts = {}
    for name in rows.table.sensitive:
        if name in keys.values:
            codes, n_codes = keys.codes(name, rows)[chosen.key], rows.n_codes(name)
            pairs, place = np.unique(group * n_codes + codes, return_inverse=True)
            starts = np.searchsorted(pairs // n_codes, np.arange(len(component) + 1))
            n_people = _people(np.bincount(place, chosen.n), most)
            values = (pairs % n_codes).astype(np.int32)
            counts[name] = ValueCounts(starts.astype(np.int64), values, n_people)
    sizes = _people(np.bincount(group, chosen.n, len(component)), most)
    return Difference(sizes, n_groups[component] == 1, counts)


def _people(n_records: Int64Array, most: int) -> Int64Array:
    """At least so many people have so many records, if each has at most some of them."""
    return np.ceil(n_records / most).astype(np.int64)
