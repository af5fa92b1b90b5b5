"""Whether a release still has the order of the original, which links its rows to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from shoal.errors import ShoalError
from shoal.read.columns import can_be_read, read_column
from shoal.read.said import read_as_said
from shoal.read.source import Source
from shoal.types.arrays import IntArray
from shoal.types.schema import Schema
from shoal.types.verdict import Leak

MAX_SHARE_OF_RANDOM_PAIRS = 0.5  # fewer pairs than this share of a random order's are a leak


def order_leaks(
    release: Source, original: Source, schema: Schema, missing_values: Sequence[str] = ("",)
) -> tuple[Leak, ...]:
    """A leak if the release's rows run as the original's do, and not by their own cells.

    Where columns left unchanged, they are compared; suppressed records may be missing in between.
    Otherwise cells are compared with the values at the same place.
    """
    if _is_sorted([release.frame[name] for name in schema.quasi], missing_values):
        return ()
    unchanged = [n for n in schema.names("sensitive", "keep") if n in original.frame.columns]
    quasi = [n for n in schema.quasi if n in original.frame.columns]
    values = {name: _coded_values(original, name, schema, missing_values) for name in quasi}
    if _runs_through(release, original, unchanged) or _cells_fit(release, original, values):
        return (Leak("order of the original", None, release.n_records),)
    return ()


def _is_sorted(columns: list[pl.Series], missing_values: Sequence[str]) -> bool:
    """Whether rows ascend, column by column: then their order is that of the cells themselves."""
    is_equal = np.ones(len(columns[0]) - 1, dtype=np.bool_)
    for column in columns:
        cells = _comparable(column.alias("cells"), missing_values)  # not a name with signs
        before, behind = cells.head(-1), cells.tail(-1)
        if (is_equal & (behind < before).to_numpy()).any():
            return False
        is_equal &= (behind == before).to_numpy()
    return True


def _comparable(column: pl.Series, missing_values: Sequence[str]) -> pl.Series:
    """Cells as texts, missing ones first, or what has the order that they have."""
    if column.dtype != pl.String:
        return pl.Series(_coded(column, missing_values))
    others = [text for text in missing_values if text]
    if others:
        column = column.set(column.is_in(others), None)
    return column.fill_null("")


def _runs_through(release: Source, original: Source, columns: list[str]) -> bool:
    released, remaining = _rows(release, columns), iter(_rows(original, columns))
    if len(set(released)) < 2:
        return False
    return all(row in remaining for row in released)  # each search goes on where the last ended


def _cells_fit(release: Source, original: Source, columns: Mapping[str, IntArray]) -> bool:
    """Whether cells and the values at the same place make far fewer pairs than by chance.

    Values are taken in as many ranges as there are cells, or a column of different values would
    make different pairs in any order.
    """
    if release.n_records != original.n_records:
        return False
    n_least = n_found = n_by_chance = 0
    for name, coded in columns.items():
        cell = _coded(release.frame[name])
        values, value = np.unique(coded, return_inverse=True)
        n_cells = len(np.unique(cell))
        value = value * min(n_cells, len(values)) // len(values)
        n_least += n_cells
        n_found += _n_pairs(value, cell)
        n_by_chance += _n_pairs(value, np.random.default_rng(0).permutation(cell))
    return n_found - n_least < MAX_SHARE_OF_RANDOM_PAIRS * (n_by_chance - n_least)


def _n_pairs(first: IntArray, second: IntArray) -> int:
    return pl.DataFrame({"first": first, "second": second}).n_unique()


def _coded(column: pl.Series, missing_values: Sequence[str] = ("",)) -> IntArray:
    """Cells by the order of their text, missing ones first."""
    return read_column(column, missing_values=missing_values).codes


def _coded_values(
    source: Source, name: str, schema: Schema, missing_values: Sequence[str]
) -> IntArray:
    """Values in their order, read as the policy says: 9,5 comes before 10,25."""
    series, spec = source.frame[name], schema.columns[name]
    try:
        read = read_as_said(series, spec, is_text=source.is_text, missing_values=missing_values)
    except ShoalError:  # the original of another release, say; its text will do
        read = read_column(series, is_text=source.is_text)
    return read.codes


def _rows(source: Source, columns: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(_labels(source, name) for name in columns), strict=True))


def _labels(source: Source, name: str) -> list[str]:
    """The values as text, so that 1.0 in one kind of file is 1 in the other."""
    series = source.frame[name]
    if not can_be_read(series):
        return [repr(value) for value in series.to_list()]
    column = read_column(series, is_text=source.is_text)
    labels = (*column.labels, "")  # code -1, missing, is the last
    return [labels[code] for code in column.codes]
