"""Taxonomies that come with Shoal: countries, languages, diagnoses, occupations and others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.errors import HierarchyError, nearest
from shoal.hierarchies._taxonomy import NAMES, Above, taxonomy
from shoal.types.column import DistinctValues
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.sql_cell import SqlCell, SqlColumn, literal


@dataclass(frozen=True)
class Library(HierarchySpec):
    """A taxonomy that comes with Shoal: countries, languages, ICD-10, ISCO, NACE and others.

    `name` is one of those that `docs/hierarchies.md` lists.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"from": ["DE", "France", "PRT", "Spain"]})
    >>> release = shoal.anonymize(people, quasi={"from": shoal.library("countries")},
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release.frame["from"].to_list()
    ['Southern Europe', 'Southern Europe', 'Western Europe', 'Western Europe']
    """

    name: str
    reads_text = True
    takes_any = False

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise HierarchyError(
                f"unknown library {self.name!r}{nearest(str(self.name), NAMES)} "
                f"There are {', '.join(NAMES)}."
            )

    @classmethod
    def value_schema(cls) -> dict[str, Any]:
        name = {"enum": list(NAMES)}
        keys = {"type": "object", "properties": {"name": name}, "required": ["name"]}
        return {"anyOf": [name, keys | {"additionalProperties": False}]}

    def describe(self) -> str:
        return f"{self.name} by {', '.join(taxonomy(self.name).head.levels)}"

    @property
    def height(self) -> int:
        return len(taxonomy(self.name).head.levels) + 1

    def build(self, column: DistinctValues) -> Hierarchy:
        found = ((label, taxonomy(self.name).above(label)) for label in column.labels)
        paths = [(label, *above, ROOT) for label, above in found if above is not None]
        return Hierarchy.of_paths(paths or [self._a_path()])

    def is_leaf(self, cell: str) -> bool:
        """A code is taken for a value as it was, though short ones may be nodes."""
        return taxonomy(self.name).above(cell) is not None

    def sql(self, level: int, column: SqlColumn) -> SqlCell | None:
        spellings = taxonomy(self.name).spellings()
        if spellings is None:
            return None
        known = ", ".join(map(literal, spellings))
        value = f"CASE WHEN lower({column.label}) IN ({known}) THEN {column.label} END"
        if level in (0, self.height):
            return SqlCell(value, literal(ROOT) if level else column.value)
        return SqlCell(value, _case(spellings, level - 1, f"lower({column.value})"))

    def _a_path(self) -> tuple[str, ...]:
        value = taxonomy(self.name).a_value
        return (value, *(taxonomy(self.name).above(value) or ()), ROOT)


def library(name: str) -> Library:
    """A taxonomy that comes with Shoal, by its name.

    >>> library("countries").describe()
    'countries by sub-region, region'
    """
    return Library(name)


def _case(spellings: Mapping[str, Above], level: int, value: str) -> str:
    below: dict[str, list[str]] = {}
    for spelling, above in spellings.items():
        below.setdefault(above[level], []).append(literal(spelling))
    whens = (f"WHEN {value} IN ({', '.join(of)}) THEN {literal(n)}" for n, of in below.items())
    return f"CASE {' '.join(whens)} END"
