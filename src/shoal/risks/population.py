"""How many people of a population fit each row of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.errors import InputError, counted, nearest
from shoal.read.columns import read_column
from shoal.read.kinds import canonical
from shoal.read.said import said_texts, topped
from shoal.read.source import Source
from shoal.risks.rows import Rows
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from shoal.verify.matching import Matching

NO_MATCH = -2  # the code of a value that the data do not have


def refuse_without(names: Sequence[str], population: Source) -> None:
    """Every quasi-identifier must be a column of the population; others are not looked at."""
    columns = population.frame.columns
    absent = [name for name in names if name not in columns]
    if absent:
        spare = [name for name in columns if name not in names]
        hint = nearest(absent[0], spare)
        raise InputError(
            f"The population has no column {', '.join(map(repr, absent))}{hint}\n"
            f"It needs all {counted(len(names), 'quasi-identifier')} of the policy, to count the "
            "people who match a record."
        )


def people_with_equal_values(
    rows: Rows,
    columns: Sequence[RawColumn],
    population: Source,
    missing_values: Sequence[str] = ("",),
    specs: Mapping[str, ColumnSpec] | None = None,
) -> Int64Array:
    """For each row, the people of the population who have the same value in every column.

    Values of the population are read as the kind that the data have: 31.0 is 31 where the data
    hold whole numbers. Missing equals missing. `specs` say how dates are written, and the like.
    """
    with ThreadPoolExecutor() as pool:  # polars works outside the interpreter lock
        read = partial(
            _coded_as, population=population, missing_values=missing_values, specs=specs or {}
        )
        coded = list(pool.map(read, columns))
    fits = np.logical_and.reduce([codes != NO_MATCH for codes in coded])
    n_rows = len(rows.weights)
    together = [
        np.concatenate([of_rows, codes[fits]])
        for of_rows, codes in zip(rows.columns, coded, strict=True)
    ]
    number, first = fold_equal_rows(together, rows.n_codes)
    people = np.bincount(number[n_rows:], minlength=len(first))
    return people[number[:n_rows]].astype(np.int64)


def _coded_as(
    column: RawColumn,
    population: Source,
    missing_values: Sequence[str],
    specs: Mapping[str, ColumnSpec],
) -> Int32Array:
    """A column of the population in the codes of the data, missing being the last."""
    spec = specs.get(column.name, ColumnSpec("quasi"))
    texts_of = said_texts(population.frame[column.name], spec, missing_values, column.kind)
    theirs = read_column(texts_of, missing_values=missing_values)
    code_of = {label: code for code, label in enumerate(column.labels)}
    texts = topped(canonical(theirs.labels, column.kind), spec.top)
    codes = [NO_MATCH if text is None else code_of.get(text, NO_MATCH) for text in texts]
    lookup = np.array([*codes, len(column.labels)], dtype=np.int32)  # -1, missing, is the last
    return lookup[theirs.codes]


def people_covered(
    rows: Rows,
    columns: Mapping[str, RawColumn],
    people: Mapping[str, RawColumn],
    specs: Mapping[str, ColumnSpec],
    watch: Watch,
) -> Int64Array:
    """For each row of released cells, the people whose value every one of them covers."""
    cells = {
        name: [(*column.labels, None)[code] for code in codes.tolist()]
        for (name, column), codes in zip(columns.items(), rows.columns, strict=True)
    }
    return Matching.of_cells(cells, people, specs, watch).sizes()
