"""What the cells of a release tell besides what they cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Disclosed:
    """What the cells of one column tell, by their text and the sizes of their groups.

    `cells` are those of records, and only generalised ones: ranges, sets, means. A cell is
    `known_exactly` if its group has just the values that are known to occur in it. `range_ends` and
    `listed_values` are values that somebody in a group has, `means` are groups with a mean or a
    median.
    """

    column: str
    cells: int
    known_exactly: int
    range_ends: int
    listed_values: int
    means: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def disclosed_facts(columns: Sequence[Disclosed]) -> dict[str, Any]:
    """All columns together, and each of them, as JSON has it.

    >>> disclosed_facts([Disclosed("age", 4, 2, 4, 0, 0)])["known_exactly"]
    2
    """
    figures = ("cells", "known_exactly", "range_ends", "listed_values", "means")
    entries = [column.as_dict() for column in columns]
    return {
        **{figure: sum(entry[figure] for entry in entries) for figure in figures},
        "columns": entries,
    }
