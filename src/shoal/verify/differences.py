"""Who is in one release and not in another, told by how many rows both have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal.types.arrays import Int64Array
from shoal.types.stats import ValueCounts
from shoal.verify.joint_counts import SameKeys, keys_alike, space_of
from shoal.verify.placed import Placed, Rows
from shoal.verify.sets import Counts, components


class Difference(NamedTuple):
    """Records that one release has and another has not, by the groups that hang together.

    They are seen by subtracting the rows of one from those of the other. `counts` are those of
    values, by column, of the columns that both releases have.
    """

    sizes: Int64Array
    counts: dict[str, ValueCounts]


def differences(rows: Rows, new: Placed, earlier: Placed) -> Iterator[Difference]:
    """What the new release has and the earlier one has not, and the other way round."""
    placed = (new, earlier)
    keys = keys_alike(rows, placed, space_of(placed, (0, 1)))
    component = _together(rows, new, earlier)
    held = [
        Counts(component[i][place.group_of_row], keys.by_release[i], place.release.counts, keys.n)
        for i, place in enumerate(placed)
    ]
    for one, other in ((held[0], held[1]), (held[1], held[0])):
        more = one.counts - other.of(one.groups, one.keys)
        if (more > 0).any():
            is_more = more > 0
            yield _of_groups(rows, keys, one.groups[is_more], one.keys[is_more], more[is_more])


def _together(rows: Rows, new: Placed, earlier: Placed) -> tuple[Int64Array, Int64Array]:
    """The component of each group, where groups of both hang together by whom they cover."""
    left, right = [], []
    for place, offset in ((new, 0), (earlier, new.absent)):
        quasi = np.repeat(np.arange(rows.quasi.n), place.covering.sizes)
        is_group = place.covering.members != place.absent
        left.append(quasi[is_group])
        right.append(place.covering.members[is_group] + offset)
    n_groups = new.absent + earlier.absent
    found = components(np.concatenate(left), np.concatenate(right), rows.quasi.n, n_groups)
    return found[: new.absent], found[new.absent :]


def _of_groups(
    rows: Rows, keys: SameKeys, component: Int64Array, key: Int64Array, more: Int64Array
) -> Difference:
    """Records as groups of those that cannot be told apart, or people: at least so many."""
    _, group = np.unique(component, return_inverse=True)
    n_groups, most = int(group.max()) + 1, rows.most_of_a_person
    sizes = _people(np.bincount(group, more, n_groups), most)
    counts = {}
    for name in rows.table.sensitive:
        if name in keys.values:
            codes, n_codes = keys.codes(name, rows)[key], rows.n_codes(name)
            pairs, place = np.unique(group * n_codes + codes, return_inverse=True)
            starts = np.searchsorted(pairs // n_codes, np.arange(n_groups + 1)).astype(np.int64)
            values = (pairs % n_codes).astype(np.int32)
            counts[name] = ValueCounts(starts, values, _people(np.bincount(place, more), most))
    return Difference(sizes, counts)


def _people(n_records: Int64Array, most: int) -> Int64Array:
    """At least so many people have so many records, if each has at most some of them."""
    return np.ceil(n_records / most).astype(np.int64)
