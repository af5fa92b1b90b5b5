"""What should not be in a release, whatever the models say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import InputError
from shoal.read.columns import can_be_read, read_column
from shoal.read.source import Source
from shoal.types.hierarchy import ROOT
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.verdict import Leak
from shoal.types.zip3 import SMALL_AREAS
from shoal.verify.cell_text import read_range, read_set

NAMES_OF_INDEXES = frozenset({"", "index", "rowid", "row_id", "level_0"})
BEGINS_OF_INDEXES = ("__index_level_", "Unnamed: ", "column_0")


def index_leaks(release: Source, unknown: Sequence[str]) -> Iterator[Leak]:
    """Columns without a role that number the rows, and the index of a pandas frame.

    `unknown` are the columns that the policy does not name.
    """
    for name in unknown:
        if is_index(release.frame[name], release.is_text):
            yield Leak("index", name, release.n_records)
    if release.has_own_index:
        yield Leak("index", None, release.n_records)


def is_index(column: pl.Series, is_text: bool) -> bool:
    """Whether a column is called like an index, or counts the rows in some order."""
    if column.name.lower() in NAMES_OF_INDEXES or column.name.startswith(BEGINS_OF_INDEXES):
        return True
    if not can_be_read(column):
        return False
    values = read_column(column, is_text=is_text)
    if values.kind != "integer" or values.numbers is None or len(values.labels) != len(column):
        return False
    return bool((np.diff(values.numbers) == 1).all()) and len(column) > 1


def refuse_odd_cells(release: Source, schema: Schema) -> None:
    """Refuse quasi-identifiers whose cells are neither text, numbers nor dates."""
    for name in schema.quasi:
        column = release.frame[name]
        if not can_be_read(column):
            held = column.dtype.base_type().__name__
            raise InputError(
                f"Column {name!r} of the release contains {held} values, "
                "which a quasi-identifier cannot have. Convert them to text, numbers or dates."
            )


def rare_values(release: Source, schema: Schema, smallest: int) -> Iterator[Leak]:
    """Values of quasi-identifiers that stand there as they were, in fewer records than may be."""
    smallest = min(smallest, release.n_records + 1)  # a number that polars can hold
    for name in schema.quasi:
        spec = schema.columns[name]
        if spec.publish in ("mean", "median"):  # which are not values of the data
            continue
        cells = release.frame[name].alias("cell").drop_nulls().cast(pl.String)
        rare = cells.value_counts(name="count").filter(pl.col("count") < smallest)
        n_records = sum(count for cell, count in rare.iter_rows() if _is_value(cell, spec))
        if n_records:
            yield Leak("rare value", name, n_records)


def detailed_zips(release: Source, schema: Schema) -> Iterator[Leak]:
    """Cells with more than three digits of a ZIP code, or with those of an area that is small."""
    for name in schema.quasi:
        more = schema.columns[name].zip3
        if more is None:
            continue
        cells = release.frame[name].alias("cell").drop_nulls().cast(pl.String)
        told = [cell for cell in cells.unique().to_list() if _tells_zip(cell, more)]
        n_records = _records_with(cells.is_in(told), release.frame[name], release.counts)
        if n_records:
            yield Leak("detailed ZIP code", name, n_records)


def _tells_zip(cell: str, more: Sequence[str]) -> bool:
    runs = re.findall("[0-9]+", cell)
    return any(len(run) > 3 or run in SMALL_AREAS or run in more for run in runs)


def _records_with(is_told: pl.Series, column: pl.Series, counts: NDArray[np.int64] | None) -> int:
    present = column.is_not_null().to_numpy()
    weights = np.ones(len(column), dtype=np.int64) if counts is None else counts
    return int(weights[present][is_told.to_numpy()].sum())


def _is_value(cell: str, spec: ColumnSpec) -> bool:
    """Whether a cell is a value as it was, and neither missing, a range, a set nor a node."""
    if cell in ("", ROOT) or read_range(cell) is not None or read_set(cell) is not None:
        return False
    return spec.hierarchy is None or spec.hierarchy.is_leaf(cell)
