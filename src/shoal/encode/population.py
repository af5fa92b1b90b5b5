"""A population, coded like the table whose records come from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from shoal.encode.axes import CodedAxis, axis_of
from shoal.encode.fold import fold_equal_rows
from shoal.errors import InputError, counted
from shoal.read.leaves import UNKNOWN
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
    axes = encoding.table.axes
    n_records = encoding.n_records
    coded = [axis_of(together[axis.name], schema.columns[axis.name]) for axis in axes]
    is_kept = encoding.row_of_record >= 0
    columns, places = [], []
    for i, (axis, both) in enumerate(zip(axes, coded, strict=True)):
        if axis.leaves:  # a column that is missing throughout is of any kind
            _refuse_other_kind(axis.kind, both)
        codes = np.where(both.codes == UNKNOWN, len(both.axis.leaves) + 1, both.codes)
        place = np.zeros(axis.missing_code + 1, dtype=np.int32)
        of_record = encoding.table.codes[encoding.row_of_record[is_kept], i]
        place[of_record] = codes[:n_records][is_kept]
        places.append(place)
        columns.append(codes[n_records:].astype(np.int32))
    row_of_person, first = fold_equal_rows(columns, [len(c.axis.leaves) + 2 for c in coded])
    rows = np.stack([column[first] for column in columns], axis=1)
    return Population(
        codes=np.ascontiguousarray(rows),
        weights=np.bincount(row_of_person, minlength=len(first)).astype(np.int64),
        axes=tuple(both.axis for both in coded),
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


def _refuse_other_kind(kind: str, both: CodedAxis) -> None:
    is_same = kind == both.axis.kind or (kind, both.axis.kind) == ("boolean", "text")
    if not is_same and not {kind, both.axis.kind} <= set(LINES):
        raise InputError(
            f"Column {both.axis.name!r} contains values of kind {kind} in the data, but of another "
            "kind in the population. Use the same format in both."
        )
