"""Trees: nodes nested in nodes, a list of leaves at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.hierarchies._listed import LEAF, Listed
from shoal.read.level_table import paths_of_tree
from shoal.types.hierarchy import Hierarchy


@dataclass(frozen=True)
class Tree(Listed):
    """A nested tree: `{Higher: [BA, MA], School: [9th]}`.

    >>> import polars as pl, shoal
    >>> degrees = shoal.tree({"Higher": ["BA", "MA"], "School": ["9th", "10th"]})
    >>> release = shoal.anonymize(pl.DataFrame({"degree": ["BA", "MA", "9th", "10th"]}),
    ...                           quasi={"degree": degrees}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame["degree"].to_list()
    ['Higher', 'Higher', 'School', 'School']
    """

    @classmethod
    def of_value(cls, value: Any, folder: Path | None) -> Tree:
        return tree(value)

    @classmethod
    def value_schema(cls) -> dict[str, Any]:
        inner = {"$ref": "#/definitions/hierarchy-tree"}
        leaves = {"type": "array", "items": {"anyOf": [LEAF, inner]}}
        nodes = {"type": "object", "additionalProperties": {"anyOf": [inner, {"type": "null"}]}}
        return {"anyOf": [leaves, nodes]}

    def keys(self, folder: Path | None) -> Any:
        return {"tree": _nested([path[:-1] for path in self.paths])}


def tree(branches: Mapping[str, Any] | Sequence[Any]) -> Tree:
    """A nested tree: a mapping from a node to its children, a list of leaves at the end.

    >>> tree({"Higher": ["BA", "MA"], "School": ["9th"]}).paths
    (('BA', 'Higher', '*'), ('MA', 'Higher', '*'), ('9th', 'School', '*'))
    """
    paths = paths_of_tree(branches)
    return Tree(tuple(Hierarchy.of_paths(paths).paths()))  # the leaves of a node side by side


def _nested(paths: Sequence[Sequence[str]]) -> Any:
    """Paths without the root, all equally long, as a mapping or, at the end, a list of leaves."""
    if len(paths[0]) == 1:
        return [leaf for (leaf,) in paths]
    below: dict[str, list[Sequence[str]]] = {}
    for path in paths:
        below.setdefault(path[-1], []).append(path[:-1])
    return {name: _nested(shorter) for name, shorter in below.items()}
