"""Several releases of the same people, judged as one: what is left of who a person can be.

The definition is in docs/earlier.md. In short: the candidates for a person are the records of the
table that can have a row, in every release, among the rows which match the person; those of one
value are no more than the rows that have it in any release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from shoal.errors import InputError
from shoal.together.joint_counts import CandidateCounts
from shoal.together.looks import looks_of, pairs_of
from shoal.together.placed import Placed, Rows, covering_groups
from shoal.together.sets import Sets, fold
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.column import RawColumn
from shoal.types.stats import GroupStats, Matches, Presence, Whole
from shoal.types.watch import Watch

Population = Mapping[str, RawColumn]  # its quasi-identifiers


@dataclass(frozen=True, eq=False, repr=False)
class Joint:
    """Releases of a table, the new one first.

    People who are looked for in the same groups of every release have one *view*. Views of people
    who are in no release are left out: nothing was published about them.
    """

    rows: Rows
    placed: Sequence[Placed]
    watch: Watch

    @cached_property
    def _views(self) -> tuple[Int64Array, Int64Array]:
        """The view of each row, -1 if it is in no release; and a first row of each view."""
        folded = fold([place.looked_in.numbered() for place in self.placed])
        is_out = np.ones(folded.n, dtype=np.bool_)
        for place in self.placed:
            is_out &= place.is_absent[folded.first]
        number = np.where(is_out, -1, np.cumsum(~is_out) - 1)
        return number[folded.number], folded.first[~is_out]

    @property
    def view_of_row(self) -> Int64Array:
        return self._views[0]

    @property
    def n_views(self) -> int:
        return len(self._views[1])

    @cached_property
    def looked_in(self) -> list[Sets]:
        """By view, the groups of each release that are looked in."""
        return [place.looked_in.of(self._views[1]) for place in self.placed]

    def n_behind(self, chosen: BoolArray) -> int:
        """How many records, or people if they are known, have one of these views."""
        is_row = np.append(chosen, False)[self.view_of_row]
        if self.rows.persons is None:
            return int(self.rows.weights[is_row].sum())
        return len(np.unique(self.rows.persons[is_row]))

    @cached_property
    def candidates(self) -> CandidateCounts:
        """Who each view can be: records, or people where those are known."""
        found = CandidateCounts(self.rows, self.placed, self.looked_in)
        may_have = [place.may_have for place in self.placed]
        looks = looks_of(self.looked_in, may_have, [place.absent + 1 for place in self.placed])
        self.watch.begin("people", self.n_views)
        for first, behind, pairs in pairs_of(looks, self.n_views):
            found.add(first, behind, pairs)
            self.watch.report(behind)
        return found

    def gains_nothing(self, *, trusted: Sequence[int]) -> BoolArray:
        """Views with as many candidates as rows match in one of these releases alone."""
        result = np.zeros(self.n_views, dtype=np.bool_)
        for i in trusted:
            view, group = self.looked_in[i].spread(np.arange(self.n_views))
            n_rows = np.bincount(view, self.placed[i].n_rows_of_group[group], self.n_views)
            result |= (n_rows > 0) & (self.candidates.n_records == n_rows)
        return result

    def stats(self, populations: Mapping[str, Population]) -> GroupStats:
        """What models look at: each view is a group, and all of them are some of the release."""
        sensitive = self.rows.table.sensitive
        return GroupStats(
            self.candidates.sizes,
            {name: partial(self.candidates.of_values, name) for name in sensitive},
            columns={name: coded.column for name, coded in sensitive.items()},
            matches={name: self._matching(people) for name, people in populations.items()},
            whole=self.whole,
            counts_people=self.rows.persons is not None,
        )

    @cached_property
    def whole(self) -> Whole:
        """What the new release holds."""
        is_in, rows = ~self.placed[0].is_absent, self.rows
        totals = {name: rows.totals(name, is_in) for name in rows.table.sensitive}
        n = (
            rows.weights[is_in].sum()
            if rows.persons is None
            else len(np.unique(rows.persons[is_in]))
        )
        return Whole(totals, int(n))

    def _matching(self, people: Population) -> Callable[[], Matches]:
        return lambda: MatchedByAll(self._n_matched(people))

    def _n_matched(self, people: Population) -> Int64Array:
        """By view, the people of a population whom the cells of every release cover."""
        folded = fold([column.codes for column in people.values()])
        different = {n: replace(c, codes=c.codes[folded.first]) for n, c in people.items()}
        covering = [
            covering_groups(place.release, place.groups, different, folded.n, self.watch)
            for place in self.placed
        ]
        may_be = [sets.filled(p.absent) for sets, p in zip(covering, self.placed, strict=True)]
        looks = looks_of(self.looked_in, may_be, [place.absent + 1 for place in self.placed])
        n_people = np.bincount(folded.number)
        found = np.zeros(self.n_views, dtype=np.int64)
        for _, _, pairs in pairs_of(looks, self.n_views):
            np.add.at(found, pairs.view, n_people[pairs.row])
        return found


class MatchedByAll(NamedTuple):
    """How many people of a population the cells of every release cover, by view."""

    n_people: Int64Array

    def sizes(self) -> Int64Array:
        return self.n_people

    def presence(self, counts: Int64Array) -> Presence:
        raise InputError(
            "Whether somebody is in a release cannot be judged over several releases, because the "
            "chances of each do not add up. Leave delta-presence out of the policy to judge the "
            "other models over all of them."
        )

    def of_groups(self, chosen: BoolArray) -> Matches:
        return MatchedByAll(self.n_people[chosen])
