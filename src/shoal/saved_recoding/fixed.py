"""Hierarchies that give a value the same node in whatever table it stands."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.errors import InputError
from shoal.read.columns import NUMBER, read_column
from shoal.read.hierarchies import Dates, Intervals, Levels, Prefix
from shoal.read.kinds import SAMPLES, canonical, parse
from shoal.types.column import DistinctValues, Kind, RawColumn
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.schema import HierarchySpec

NUMERIC = ("integer", "number")


@dataclass(frozen=True)
class Nothing:
    """Of a column that was missing in every record: no value has a place in it."""

    reads_text = True

    def describe(self) -> str:
        return "nothing: the column was missing in every record"

    def build(self, column: DistinctValues) -> Hierarchy:
        return Hierarchy.of_paths([(ROOT, ROOT)])


@dataclass(frozen=True)
class Fixed:
    """A hierarchy together with the kind of values it was made for.

    The labels of a rule depend on the kind (`[20, 24]` of whole numbers, `[20, 25)` of others),
    and that on all values of a table. Here it is fixed; a text that is not of this kind is no
    leaf. Columns come as the text of `read_as`.
    """

    hierarchy: HierarchySpec
    kind: Kind
    reads_text = True

    def describe(self) -> str:
        return self.hierarchy.describe()

    def build(self, column: DistinctValues) -> Hierarchy:
        if isinstance(self.hierarchy, Levels | Nothing):
            return self.hierarchy.build(column)
        known = parse(pl.Series("values", column.labels, dtype=pl.String), self.kind)
        if known.null_count() == len(known):  # the height is needed even if nothing has a leaf
            known = parse(pl.Series("values", [SAMPLES[self.kind]]), self.kind)
        return self.hierarchy.build(read_column(known.drop_nulls()))

    @property
    def height(self) -> int:
        """The level of the root."""
        match self.hierarchy:
            case Levels(paths=paths):
                return len(paths[0]) - 1
            case Intervals(widths=parts) | Dates(units=parts):
                return len(parts) + 1
            case Prefix(length=length):
                return length
        sample = parse(pl.Series("sample", [SAMPLES[self.kind]]), self.kind)
        return self.build(read_column(sample)).height

    @property
    def a_leaf(self) -> str:
        """Some value that has a place."""
        listed = self.hierarchy
        return listed.paths[0][0] if isinstance(listed, Levels) else SAMPLES[self.kind]

    def read_as(self, series: pl.Series, missing_values: Sequence[str]) -> RawColumn:
        """A column of new data as text, written as the release writes values of its kind."""
        column = read_column(series, missing_values=missing_values)
        self._refuse_other_kind(column)
        labels = [
            label if found is None else found
            for label, found in zip(column.labels, canonical(column.labels, self.kind), strict=True)
        ]
        if isinstance(self.hierarchy, Levels) and {self.kind, column.kind} & {*NUMERIC}:
            leaf_of = leaf_of_text(self.hierarchy)
            labels = [leaf_of.get(label, leaf_of.get(number_in(label), label)) for label in labels]
        distinct = tuple(sorted(set(labels)))
        place = {label: i for i, label in enumerate(distinct)}
        code = np.array([*(place[label] for label in labels), -1], dtype=np.int32)
        return RawColumn(series.name, "text", distinct, None, code[column.codes])

    def _refuse_other_kind(self, column: RawColumn) -> None:
        """Numbers where the release had text: leading zeros may be lost, and nobody would see."""
        may_mean_numbers = isinstance(self.hierarchy, Nothing) or (
            isinstance(self.hierarchy, Levels) and not has_codes(self.hierarchy)
        )
        if self.kind == "text" != column.kind and column.labels and not may_mean_numbers:
            raise InputError(
                f"Column {column.name!r} was text in the release and is {column.kind} now. "
                "Read or store it as text: a code such as a postcode may have lost its zeros."
            )


def leaf_of_text(listed: Levels) -> Mapping[str | float | None, str]:
    """The leaf of a text, or of the number that it means (17 is the leaf 17.0)."""
    leaves = [path[0] for path in listed.paths]
    by_number: dict[str | float | None, str] = {number_of(leaf): leaf for leaf in leaves}
    by_number.pop(None, None)
    return by_number | {leaf: leaf for leaf in leaves}


def number_of(leaf: str) -> float | None:
    """The number that a leaf means, however it is written, as `encode` takes it."""
    try:
        return float(leaf)
    except ValueError:
        return None


def number_in(text: str) -> float | None:
    """The number that a text of the data means as people write numbers; 007 is a code."""
    return float(text) if re.fullmatch(NUMBER, text) and math.isfinite(float(text)) else None


def has_codes(listed: Levels) -> bool:
    """Whether leaves look like numbers with leading zeros, which a column of numbers has lost."""
    return any(re.fullmatch(r"-?0[0-9]+", path[0]) for path in listed.paths)
