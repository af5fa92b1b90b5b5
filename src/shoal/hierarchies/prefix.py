"""Codes such as postcodes: the last characters go first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.errors import HierarchyError
from shoal.types.column import DistinctValues
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.sql_cell import SqlCell, SqlColumn, literal


@dataclass(frozen=True)
class Prefix(HierarchySpec):
    """Codes such as postcodes: the last characters go first.

    `length` is the number of characters of a whole code.

    >>> import polars as pl, shoal
    >>> places = pl.DataFrame({"zip": ["13053", "13068", "14850", "14853"]})
    >>> release = shoal.anonymize(places, quasi={"zip": shoal.prefix(5)},
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.frame["zip"].to_list()
    ['130**', '130**', '1485*', '1485*']
    """

    length: int
    reads_text = True

    def __post_init__(self) -> None:
        if not isinstance(self.length, int) or self.length < 1:
            raise HierarchyError("A prefix needs the number of characters, such as 5.")

    def describe(self) -> str:
        return f"code of {self.length} characters, shortened from its end"

    @property
    def height(self) -> int:
        return self.length

    def build(self, column: DistinctValues) -> Hierarchy:
        labels = tuple(sorted(column.labels))
        kept = range(self.length - 1, 0, -1)
        return Hierarchy.of_keys(
            labels,
            [np.array([label[:n] for label in labels], dtype=object) for n in kept],
            lambda level, key: str(key) + ROOT * (self.length - kept[level]),
        )

    def is_leaf(self, cell: str) -> bool:
        return not cell.endswith(ROOT)

    def sql(self, level: int, column: SqlColumn) -> SqlCell:
        kept = f"substr({column.value}, 1, {self.length - level})"
        return SqlCell(column.label, f"{kept} || {literal(ROOT * level)}")


def prefix(length: int) -> Prefix:
    """Codes of `length` characters, shortened from the end: 13053, 1305*, 130**, ..., `*`.

    >>> prefix(5).describe()
    'code of 5 characters, shortened from its end'
    """
    return Prefix(length)
