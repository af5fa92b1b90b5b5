"""The release as an adversary sees it: groups of rows whose known cells are equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.attacks.known import KnownPeople, fold
from shoal.attacks.same_values import SameValues
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from shoal.verify.covers import covers
from shoal.verify.matching import Matching


@dataclass(frozen=True, eq=False, repr=False)
class Released:
    """Groups of rows with equal cells in the columns that the adversary knows.

    `cells` are these columns, with cells for values; `first_row` is a row of each group.
    """

    cells: Mapping[str, RawColumn]
    group_of_row: Int64Array
    first_row: Int64Array
    sizes: Int64Array

    @classmethod
    def of_cells(cls, cells: Mapping[str, RawColumn]) -> Released:
        key = fold([column.codes for column in cells.values()])
        _, first, group, sizes = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        return cls(cells, group, first, sizes)

    @property
    def n_rows(self) -> int:
        return len(self.group_of_row)

    @property
    def n_groups(self) -> int:
        return len(self.sizes)

    def match(
        self, people: KnownPeople, specs: Mapping[str, ColumnSpec], watch: Watch
    ) -> Iterator[tuple[int, Int64Array]]:
        """Each person, and the groups whose cells cover all that is known of the person."""
        covering, codes, known = [], [], []
        for name, column in self.cells.items():
            values = people.columns[name]
            table = covers([*column.labels, None], values, specs[name])
            covering.append(np.ascontiguousarray(table.T).__getitem__)  # by value, not by cell
            codes.append(column.codes[self.first_row])
            known.append(np.where(values.codes < 0, len(values.labels), values.codes))
        # A matching the other way round: people for groups, and groups for records.
        return iter(Matching(np.stack(known, axis=1), covering, codes, watch))


class Presence:
    """Whether a person can be in the release: some matched row has all that left unchanged.

    Who was suppressed is not known from the release. Everyone who is in it counts as present.
    """

    def __init__(self, released: Released, unchanged: Sequence[SameValues], n_people: int) -> None:
        rows = [values.of_rows for values in unchanged]
        people = [values.of_people for values in unchanged]
        both = [np.concatenate(pair) for pair in zip(rows, people, strict=True)]
        key = fold(both) if both else np.zeros(released.n_rows + n_people, dtype=np.int64)
        key = np.unique(key, return_inverse=True)[1]
        self._n_groups, self._of_people = released.n_groups, key[released.n_rows :]
        self._pairs = np.unique(key[: released.n_rows] * self._n_groups + released.group_of_row)

    def holds(self, person: int, groups: Int64Array) -> bool:
        """Whether one of the groups has a row that can be the person's."""
        wanted = self._of_people[person] * self._n_groups + groups
        place = np.searchsorted(self._pairs, wanted)
        return bool((self._pairs[np.minimum(place, len(self._pairs) - 1)] == wanted).any())
