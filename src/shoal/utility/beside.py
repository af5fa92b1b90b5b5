"""A release beside the table that it was made of: columns of both, and where their records are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.utility.bins import MOST
from shoal.utility.compared import Compared, compared

Reads = Callable[[str], RawColumn]
MOST_COLUMNS = 12  # of which every two are compared


def _nowhere() -> Int32Array:
    return np.empty(0, dtype=np.int32)


@dataclass(frozen=True, eq=False, repr=False)
class Beside:
    """Nothing is read before it is asked for.

    `specs` are the released columns that can be compared. `before` and `after` read one of them,
    in the original and in the release. `rows` has the row of the encoded table that each record of
    the original is, `groups` the group of each released record; -1 is none. `origins` finds the
    record of the original that each released record is of. `find_people` numbers who is behind
    the original's records; a figure about fewer than `least` of them is not shown.
    """

    specs: Mapping[str, ColumnSpec]
    before: Reads
    after: Reads
    find_people: Callable[[], Int64Array]
    least: int
    rows: Int32Array = field(default_factory=_nowhere)
    groups: Int32Array = field(default_factory=_nowhere)
    origins: Callable[[], Int64Array] | None = None

    @cached_property
    def people(self) -> Int64Array:
        return self.find_people()

    def compared(self, name: str, *, least: int | None = None, most: int = MOST) -> Compared:
        """A column before and after, in at most about so many categories."""
        return compared(
            self.before(name),
            self.after(name),
            self.specs[name],
            self.people,
            least=self.least if least is None else least,
            most=most,
        )

    @cached_property
    def columns(self) -> tuple[Compared, ...]:
        """All columns before and after, in categories that enough people are in."""
        return tuple(self.compared(name) for name in self.specs)

    @cached_property
    def measured(self) -> tuple[Compared, ...]:
        """The same for measures, which show no category: one person may be alone in it."""
        return tuple(self.compared(name, least=1).spread_out() for name in self.specs)

    def paired(self, columns: Sequence[Compared]) -> tuple[Compared, ...]:
        """The columns of which every two are compared; those that are only kept are not."""
        found = (column for column in columns if self.specs[column.name].handled_as != "keep")
        return tuple(found)[:MOST_COLUMNS]
