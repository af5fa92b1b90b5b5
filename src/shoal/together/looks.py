"""Whom a person can be: rows that share a group with them in every release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.together.sets import Sets, fold
from shoal.types.arrays import Int64Array

MOST_PAIRS = 2_000_000  # handed on together
SPARSE = 16  # a list of less than one row in so many is sorted


class Pairs(NamedTuple):
    """Views, and the rows that people of this view can be."""

    view: Int64Array
    row: Int64Array


class Look:
    """One release: the groups that each view is looked for in, and those each row can be in.

    Views with the same groups should follow one another: they share the work.
    """

    def __init__(self, looked_in: Sets, may_have: Sets, n_groups: int) -> None:
        self._looked_in, self._may_have = looked_in, may_have
        self._rows_of_group = may_have.inverse(n_groups)
        self._number = looked_in.numbered()
        self._last = -1
        self._marked = np.zeros(0, dtype=np.int64)
        self._is_marked = np.zeros(len(may_have.sizes), dtype=np.bool_)

    @cached_property
    def n_pairs(self) -> int:
        """No more pairs than this are there."""
        return int(self._rows_of_group.sizes[self._looked_in.members].sum())

    def rows(self, view: int) -> Int64Array:
        """The rows that can be in a group which this view is looked for in."""
        groups = self._looked_in.members_of(view)
        if len(groups) == 1:
            return self._rows_of_group.members_of(int(groups[0]))
        self._mark(view)
        if len(self._marked) * SPARSE > len(self._is_marked):
            return np.flatnonzero(self._is_marked)
        rows = np.sort(self._marked)
        return np.asarray(rows[np.append(True, rows[1:] != rows[:-1])])

    def narrow(self, view: int, rows: Int64Array) -> Int64Array:
        """Those of some rows that can be in a group which this view is looked for in."""
        self._mark(view)
        return rows[self._is_marked[rows]]

    def _mark(self, view: int) -> None:
        if self._number[view] == self._last:
            return
        self._last = int(self._number[view])
        self._is_marked[self._marked] = False
        groups = self._looked_in.members_of(view).tolist()
        found = [self._rows_of_group.members_of(group) for group in groups]
        self._marked = found[0] if len(found) == 1 else np.concatenate(found)
        self._is_marked[self._marked] = True


def looks_of(
    looked_in: Sequence[Sets], may_have: Sequence[Sets], n_groups: Sequence[int]
) -> list[Look]:
    """One look for each release; those whose cells do not overlap are put together to one."""
    looks, single = [], []
    for views, rows, n in zip(looked_in, may_have, n_groups, strict=True):
        if views.are_single and rows.are_single:
            single.append(np.concatenate([views.members, rows.members]))
        else:
            looks.append(Look(views, rows, n))
    if single:
        folded, n_views = fold(single), len(looked_in[0].sizes)
        views, rows = (_single(n) for n in np.split(folded.number, [n_views]))
        looks.append(Look(views, rows, folded.n))
    return looks


def _single(members: Int64Array) -> Sets:
    return Sets(np.arange(len(members) + 1), members)


def pairs_of(looks: Sequence[Look], n_views: int) -> Iterator[tuple[int, int, Pairs]]:
    """First view, view behind the last, and the rows that people of these views can be."""
    lead, *others = sorted(looks, key=lambda look: look.n_pairs)
    found: list[Int64Array] = []
    first = n_found = 0
    for view in range(n_views):
        rows = lead.rows(view)
        for look in others:
            rows = look.narrow(view, rows)
        found.append(rows)
        n_found += len(rows)
        if n_found >= MOST_PAIRS:
            yield first, view + 1, _pairs(first, found)
            first, n_found, found = view + 1, 0, []
    if found:
        yield first, n_views, _pairs(first, found)


def _pairs(first: int, found: Sequence[Int64Array]) -> Pairs:
    sizes = [len(rows) for rows in found]
    return Pairs(np.repeat(np.arange(first, first + len(found)), sizes), np.concatenate(found))
