"""Hierarchies that list all their leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from shoal.types.column import DistinctValues
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec

LEAF: dict[str, Any] = {"type": ["string", "number", "boolean"]}  # in the eyes of an editor


@dataclass(frozen=True)
class Listed(HierarchySpec):
    """One path per leaf, leaf first, whatever values the data have."""

    paths: tuple[tuple[str, ...], ...] = field(repr=False)  # values of the data: not for logs
    reads_text = True

    def describe(self) -> str:
        n_levels = self.height  # the leaf itself does not count
        return f"hierarchy with {n_levels} level{'' if n_levels == 1 else 's'}"

    @property
    def height(self) -> int:
        return len(self.paths[0]) - 1

    @cached_property
    def listed(self) -> Hierarchy:
        return Hierarchy.of_paths(self.paths)

    def build(self, column: DistinctValues) -> Hierarchy:
        return self.listed

    def is_leaf(self, cell: str) -> bool:
        return cell in self._leaves

    @cached_property
    def _leaves(self) -> frozenset[str]:
        return frozenset(path[0] for path in self.paths)
