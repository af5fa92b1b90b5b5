"""Hierarchies that give a value the same node in whatever table it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.errors import InputError
from shoal.read.columns import read_column, refuse_lost_digits
from shoal.read.kinds import SAMPLES, canonical, parse
from shoal.read.leaves import others_named
from shoal.read.said import top_coded, topped
from shoal.types.column import DistinctValues, Kind, RawColumn
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.sql_cell import SqlCell, SqlColumn
from shoal.types.text import KnownValues
from shoal.types.top import SIGN, top_label

NUMERIC = ("integer", "number")


@dataclass(frozen=True)
class Nothing(HierarchySpec):
    """Of a column that was missing in every record: no value has a place in it."""

    reads_text = True
    height = 1

    def describe(self) -> str:
        return "nothing: the column was missing in every record"

    def build(self, column: DistinctValues) -> Hierarchy:
        return Hierarchy.of_paths([(ROOT, ROOT)])


@dataclass(frozen=True)
class Fixed(HierarchySpec):
    """A hierarchy together with the kind of values it was made for.

    The labels of a rule depend on the kind (`[20, 24]` of whole numbers, `[20, 25)` of others),
    and that on all values of a table. Here it is fixed; a text that is not of this kind has
    no leaf. Columns come as the text of `read_as`.
    """

    hierarchy: HierarchySpec
    kind: Kind
    top: float | None = None  # numbers from here on are one value
    reads_text = True

    def describe(self) -> str:
        return self.hierarchy.describe()

    @property
    def height(self) -> int:
        return self.hierarchy.height

    @property
    def listed(self) -> Hierarchy | None:
        return self.hierarchy.listed

    @property
    def takes_any(self) -> bool:
        return self.hierarchy.takes_any

    @property
    def names_others(self) -> bool:
        return self.hierarchy.names_others

    def with_other(self) -> Fixed:
        return replace(self, hierarchy=self.hierarchy.with_other())

    @property
    def is_empty(self) -> bool:
        """Whether no value has a place."""
        return isinstance(self.hierarchy, Nothing)

    @property
    def a_leaf(self) -> str:
        """Some value that has a place."""
        return SAMPLES[self.kind] if self.listed is None else self.listed.leaves[0]

    def build(self, column: DistinctValues) -> Hierarchy:
        if self.listed is not None:
            return self.listed
        labels = [label.removesuffix(SIGN) if self._is_top(label) else label
                  for label in column.labels]  # fmt: skip
        known = parse(pl.Series("values", labels, dtype=pl.String), self.kind)
        if known.null_count() == len(known):  # the height is needed even if nothing has a leaf
            known = parse(pl.Series("values", [SAMPLES[self.kind]]), self.kind)
        found = read_column(known.drop_nulls())
        return self.hierarchy.build(found if self.top is None else top_coded(found, self.top))

    def is_leaf(self, cell: str) -> bool:
        return self.hierarchy.is_leaf(cell)

    def sql(self, level: int, column: SqlColumn) -> SqlCell | None:
        return self.hierarchy.sql(level, column)

    def keys(self, folder: Path | None) -> Any:
        """Those of its hierarchy; a recoding has a key of its own for the kind."""
        return self.hierarchy.keys(folder)

    def read_as(self, series: pl.Series, missing_values: Sequence[str]) -> RawColumn:
        """A column of new data as text, written as the release writes values of its kind."""
        refuse_lost_digits(series)
        column = read_column(series, missing_values=missing_values)
        self._refuse_other_kind(column)
        labels = [
            label if found is None else found
            for label, found in zip(column.labels, self._written(column.labels), strict=True)
        ]
        if self.listed is not None and {self.kind, column.kind} & {*NUMERIC}:
            leaves = self.listed.leaves
            places = map(KnownValues(leaves).place, labels)
            labels = [
                label if place is None else leaves[place]
                for label, place in zip(labels, places, strict=True)
            ]
        distinct = tuple(sorted(set(labels)))
        place = {label: i for i, label in enumerate(distinct)}
        code = np.array([*(place[label] for label in labels), -1], dtype=np.int32)
        read = RawColumn(series.name, "text", distinct, None, code[column.codes])
        return others_named(read, self)

    def _written(self, labels: Sequence[str]) -> list[str | None]:
        """Each value as the release writes it, None where it is not of this kind."""
        return topped(canonical(labels, self.kind), self.top)

    def _is_top(self, label: str) -> bool:
        return self.top is not None and label == top_label(self.top)

    def _refuse_other_kind(self, column: RawColumn) -> None:
        """Numbers where the release had text: leading zeros may be lost unnoticed."""
        may_mean_numbers = self.is_empty or (
            self.listed is not None and not has_codes(self.listed.leaves)
        )
        if self.kind == "text" != column.kind and column.labels and not may_mean_numbers:
            raise InputError(
                f"Column {column.name!r} was text in the release and is {column.kind} now. "
                "Read or store it as text: a code such as a postcode may have lost its zeros."
            )


def has_codes(leaves: Sequence[str]) -> bool:
    """Whether leaves look like numbers with leading zeros, which a column of numbers has lost."""
    return any(re.fullmatch(r"-?0[0-9]+", leaf) for leaf in leaves)
