"""The release as an adversary sees it: groups of rows whose known cells are equal."""

from __future__ import annotations

from collections import defaultdict
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
        """Each record of the people, and the groups whose cells cover its known values."""
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
    """Which records of a person can be in the release: some matched row has all that is unchanged.

    Who was suppressed is not known from the release. Every record that is in it counts as present.
    """

    def __init__(self, released: Released, unchanged: Sequence[SameValues], n_records: int) -> None:
        rows = [values.of_rows for values in unchanged]
        records = [values.of_people for values in unchanged]
        both = [np.concatenate(pair) for pair in zip(rows, records, strict=True)]
        key = fold(both) if both else np.zeros(released.n_rows + n_records, dtype=np.int64)
        key = np.unique(key, return_inverse=True)[1]
        self._n_groups, self._of_records = released.n_groups, key[released.n_rows :]
        self._pairs, self._n_rows = np.unique(
            key[: released.n_rows] * self._n_groups + released.group_of_row, return_counts=True
        )

    def held(self, matches: Mapping[int, Int64Array]) -> Int64Array:
        """Those of a person's records that can have a row in the groups given for each.

        Records with the same unchanged values need a row each: no more of them are held than
        there are such rows.
        """
        able, places = defaultdict(list), defaultdict(list)
        for record, groups in matches.items():
            key = int(self._of_records[record])
            found = self._places(key, groups)
            if len(found):
                able[key].append(record)
                places[key].append(found)
        n_rows = {key: self._n_rows[_union(found)].sum() for key, found in places.items()}
        held = [record for key, records in able.items() for record in records[: n_rows[key]]]
        return np.array(held, dtype=np.int64)

    def _places(self, key: int, groups: Int64Array) -> Int64Array:
        """Where the groups that have rows with these unchanged values are in the list of pairs."""
        wanted = key * self._n_groups + groups
        place = np.minimum(np.searchsorted(self._pairs, wanted), len(self._pairs) - 1)
        found: Int64Array = place[self._pairs[place] == wanted]
        return found


def _union(places: Sequence[Int64Array]) -> Int64Array:
    return places[0] if len(places) == 1 else np.unique(np.concatenate(places))
