"""Every value directly under the root."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.column import DistinctValues
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec


@dataclass(frozen=True)
class Flat(HierarchySpec):
    """Every value directly under the root.

    >>> import polars as pl, shoal
    >>> jobs = pl.DataFrame({"job": ["cook", "cook", "nurse", "driver"]})
    >>> release = shoal.anonymize(jobs, quasi={"job": shoal.flat()}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame["job"].to_list()
    ['*', '*', 'cook', 'cook']
    """

    height = 1

    def describe(self) -> str:
        return "the value, or * where it is hidden"

    def build(self, column: DistinctValues) -> Hierarchy:
        return Hierarchy.of_keys(column.labels, [], lambda level, key: "")


def flat() -> Flat:
    """Every value directly under the root.

    >>> flat().describe()
    'the value, or * where it is hidden'
    """
    return Flat()
