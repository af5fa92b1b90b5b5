"""A population, coded like the table whose records come from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from shoal.encode.axes import axis_of, codes_of
from shoal.encode.fold import count_rows, fold_equal_rows
from shoal.errors import InputError, counted
from shoal.read.leaves import UNKNOWN
from shoal.types.axis import Axis
from shoal.types.column import RawColumn
from shoal.types.schema import Schema
from shoal.types.table import Encoding, Population, Table

LINES = ("integer", "number")


def encode_population(
    together: Mapping[str, RawColumn], encoding: Encoding, schema: Schema
) -> Population:
    """Code people by leaves.

    `together` has the quasi-identifiers of the table's records and, after them, of the people, so
    that a value gets the same leaf in both.
    """
    table, row_of_record = encoding.table, encoding.row_of_record
    n_records, is_kept = len(row_of_record), row_of_record >= 0
    axes, columns, places = [], [], []
    for i, axis in enumerate(table.axes):
        both = together[axis.name]
        wide = axis_of(both, schema.columns[axis.name])
        wide = replace(wide, grid=axis.grid, first_rare=axis.first_rare)
        if axis.leaves:  # a column that is missing throughout is of any kind
            _refuse_other_kind(axis, wide)
        codes = codes_of(wide, both)
        codes = np.where(codes == UNKNOWN, len(wide.leaves) + 1, codes).astype(np.int32)
        place = np.zeros(axis.missing_code + 1, dtype=np.int32)
        place[table.codes[row_of_record[is_kept], i]] = codes[:n_records][is_kept]
        axes.append(wide)
        places.append(place)
        columns.append(codes[n_records:])
    row_of_person, first = fold_equal_rows(columns, [len(axis.leaves) + 2 for axis in axes])
    return Population(
        codes=np.ascontiguousarray(np.stack([column[first] for column in columns], axis=1)),
        weights=count_rows(row_of_person, len(first)),
        axes=tuple(axes),
        places=tuple(places),
    )


def warn_of_missing_people(table: Table, population: Population, file: str) -> Iterator[str]:
    """A note if records look alike that are more than the people of the population like them."""
    columns = [
        np.concatenate([place[table.codes[:, i]], population.codes[:, i]])
        for i, place in enumerate(population.places)
    ]
    row, first = fold_equal_rows(columns, [len(axis.leaves) + 2 for axis in population.axes])
    n_rows = len(table.weights)
    n_records = np.bincount(row[:n_rows], table.weights, minlength=len(first))
    n_people = np.bincount(row[n_rows:], population.weights, minlength=len(first))
    n_missing = int(n_records[n_records > n_people].sum())
    if n_missing:
        yield (
            f"For {counted(n_missing, 'record')} the population {file} has fewer matching people "
            "than the table itself. It is incomplete or spells values differently, so what the "
            "models promise about it means little."
        )


def _refuse_other_kind(axis: Axis, together: Axis) -> None:
    kinds = (axis.kind, together.kind)
    is_same = axis.kind == together.kind or kinds == ("boolean", "text")
    if not is_same and not set(kinds) <= set(LINES):
        raise InputError(
            f"Column {axis.name!r} contains values of kind {axis.kind} in the data, but of another "
            "kind in the population. Use the same format in both."
        )
