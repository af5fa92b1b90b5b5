"""What a run needs of wherever a table lives. Nothing else knows which engine it is.

An engine counts, joins and sorts; what the groups are is decided elsewhere, from different rows
and their counts. All it does for a run happens in one snapshot of the table, and what it publishes
replaces the old release whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import polars as pl

from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.text_counts import TextCounts


class Counted(NamedTuple):
    """Different rows of some columns, and how many records have each."""

    frame: pl.DataFrame
    counts: Int64Array


class Parts(NamedTuple):
    """Records that look alike and go to several groups: a line of them, cut into parts.

    Part i has the records from `first[i]` to before `last[i]` of line `line[i]`, which go to
    `group[i]`, or nowhere if that is -1.
    """

    line: Int32Array
    first: Int64Array
    last: Int64Array
    group: Int32Array


class Shares(NamedTuple):
    """How many records of a counted row go to a group. A row that is divided has several."""

    row: Int64Array
    group: Int32Array
    n: Int64Array


class Placed(NamedTuple):
    """Which group the records of each counted row go to.

    `group` and `line` have an entry for each counted row: the group that all of its records go to,
    or the line of `parts` that they stand in, sorted by the columns that are released unchanged;
    the other is -1. Both are -1 where the records are left out. `shares` says the same in counts,
    for releases in which nothing but what was counted is left.
    """

    group: Int32Array
    line: Int32Array
    parts: Parts
    shares: Shares


Kind = Literal["text", "float", "other", "unordered"]


class Engine(Protocol):
    """A table in a database, or in files that a database reads, and where its release goes."""

    is_text: bool  # every value is the text that stood in a file
    delimiter: str

    @property
    def columns(self) -> Mapping[str, str]:
        """The columns of the table, and the type of each in the words of the engine."""

    def kind(self, name: str) -> Kind:
        """What the values of a column are; unordered ones cannot be generalised."""

    def fold(self, names: Sequence[str]) -> Counted:
        """The different rows of some columns. The engine keeps them, by their place."""

    def n_different(self, names: Sequence[str]) -> int:
        """How many different rows some columns have, where missing values are equal."""

    def n_present(self, name: str, missing: Sequence[str]) -> tuple[int, int]:
        """Different values of a column and the records that have one; some texts are missing."""

    def first_ranks(self, names: Sequence[str], most: int) -> dict[str, Int64Array]:
        """Of a few records, the rank of each value among them, -1 where it is missing."""

    def different(self, names: Sequence[str], most: int) -> Counted:
        """The different rows of some columns, ascending, and no more than so many."""

    def beginning_with(self, name: str, signs: str) -> Iterator[TextCounts]:
        """Texts of a column that begin with one of these signs, some at a time.

        Of what was built; of the table where nothing is.
        """

    def stage(
        self,
        placed: Placed,
        cells: pl.DataFrame,
        *,
        released: Sequence[str],
        unchanged: Sequence[str],
    ) -> None:
        """Build the release next to the old one.

        `cells` has a row for each group, in their order, and a column for each quasi-identifier.
        """

    @property
    def staged_columns(self) -> Mapping[str, str]:
        """The columns of what was built, with their types."""

    def count_staged(self, names: Sequence[str]) -> Counted:
        """The different rows of what was built, as whoever reads it will see them."""

    def publish(self) -> None:
        """Put what was built in the place of the old release."""
