"""Every value directly under the root."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.column import DistinctValues
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec


@dataclass(frozen=True)
class Flat(HierarchySpec):
    """Every value directly under the root."""

    height = 1

    def describe(self) -> str:
        return "the value, or * where it is hidden"

    def build(self, column: DistinctValues) -> Hierarchy:
        return Hierarchy.of_keys(column.labels, [], lambda level, key: "")


def flat() -> Flat:
    """Every value directly under the root."""
    return Flat()
