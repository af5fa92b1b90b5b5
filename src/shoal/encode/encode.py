"""Columns -> Table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from shoal.encode.axes import axis_of, codes_of
from shoal.encode.entries import Entries, counted_by_people, n_entries
from shoal.encode.fold import count_rows, fold_equal_rows
from shoal.encode.people import People
from shoal.encode.rare import Coded, rare_last
from shoal.errors import InputError, counted
from shoal.read.leaves import UNKNOWN, n_records, unknown_values
from shoal.read.sensitive import CodedSensitive, sensitive_of
from shoal.types.arrays import SUPPRESSED, BoolArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.column import RawColumn
from shoal.types.people import NO_PERSON
from shoal.types.schema import Missing, Schema, Unknown
from shoal.types.table import Encoding, Table

LIKE_A_CELL = re.compile(r"\*|\{.*\}|\[.*[\])]", re.DOTALL)
WITH_COMMA = re.compile(r"[+-]?[0-9]{1,3}((\.[0-9]{3})*|[0-9]*),[0-9]+")


def encode(
    columns: Mapping[str, RawColumn],
    schema: Schema,
    *,
    missing: Missing,
    unknown: Unknown,
    counts: Int64Array | None = None,
    people: People | None = None,
    smallest: int = 1,
) -> Encoding:
    """Code quasi-identifiers and sensitive columns by ordered leaves, and fold equal rows.

    `counts` has the records that each row of the columns stands for; without it, each is one. With
    `people`, the records of each are made entries first, and these are folded and counted. A set
    lists no value that fewer than `smallest` people have.
    """
    found = (axis_of(columns[name], schema.columns[name]) for name in schema.quasi)
    coded = (Coded(axis, codes_of(axis, columns[axis.name])) for axis in found)
    ordered = [rare_last(one, smallest, counts=counts, people=people) for one in coded]
    axes, quasi = tuple(one.axis for one in ordered), [one.codes for one in ordered]
    sensitive = [
        sensitive_of(columns[name], schema.columns[name], counts) for name in schema.sensitive
    ]
    is_kept = np.ones(len(quasi[0]), dtype=np.bool_)
    for axis, codes in zip(axes, quasi, strict=True):
        is_kept &= _is_known(columns[axis.name], codes, unknown, counts)
        is_kept &= _is_present(axis, codes, missing, counts)
    for column, codes in sensitive:
        is_kept &= _is_known(columns[column.name], codes, unknown, counts)

    notes = _notes(axes, quasi) + _comma_notes(columns, schema) + _spelling_notes(sensitive)
    notes += _like_cells(axes)
    if people is not None:
        is_kept &= people.is_known | (missing != "suppress")
        return replace(_of_people(axes, quasi, sensitive, is_kept, people), notes=notes)
    rows = _Rows.of_codes(quasi + [codes for _, codes in sensitive], is_kept)
    n_codes = [axis.n_codes for axis in axes] + [column.n_codes for column, _ in sensitive]
    row_of_kept, first = fold_equal_rows(rows.codes, n_codes)
    different = np.stack([codes[first] for codes in rows.codes], axis=1)
    table = Table(
        codes=np.ascontiguousarray(different[:, : len(axes)]),
        sensitive=np.ascontiguousarray(different[:, len(axes) :]),
        weights=count_rows(row_of_kept, len(first), None if counts is None else counts[is_kept]),
        axes=axes,
        sensitive_columns=tuple(column for column, _ in sensitive),
    )
    return Encoding(
        table,
        rows.placed(row_of_kept),
        n_suppressed=n_records(~is_kept, counts),
        notes=notes,
    )


def _of_people(
    axes: tuple[Axis, ...],
    quasi: list[Int32Array],
    sensitive: list[CodedSensitive],
    is_kept: BoolArray,
    people: People,
) -> Encoding:
    """Entries of people, folded: equal ones of people who have no other become a row."""
    sensitive = [counted_by_people(c, people.of_record, people.n_people) for c in sensitive]
    n_codes = [axis.n_codes for axis in axes]
    rows = _Rows.of_codes([*quasi, people.of_record, *(c.codes for c in sensitive)], is_kept)
    kept, (person, *values) = rows.codes[: len(axes)], rows.codes[len(axes) :]
    of_kept = [CodedSensitive(c.column, v) for c, v in zip(sensitive, values, strict=True)]
    entries = Entries.of_records(kept, n_codes, of_kept, person)
    of_entries = entries.people
    codes = [column[entries.first_record] for column in kept]
    row_of_entry, first = fold_equal_rows(
        [*codes, *of_entries.sets.T, of_entries.person - NO_PERSON],
        [*n_codes, *(v.n_sets for v in of_entries.values), of_entries.n_repeated + 1],
    )
    shown = [column[first] for column in entries.shown]
    table = Table(
        codes=np.ascontiguousarray(np.stack([column[first] for column in codes], axis=1)),
        sensitive=np.stack(shown, axis=1) if shown else np.empty((len(first), 0), dtype=np.int32),
        weights=count_rows(row_of_entry, len(first)),
        axes=axes,
        sensitive_columns=tuple(column for column, _ in sensitive),
        people=of_entries.of_rows(first),
    )
    left_out = [column[~is_kept] for column in quasi]
    return Encoding(
        table,
        rows.placed(row_of_entry[entries.of_record]),
        n_suppressed=n_entries(left_out, n_codes, people.of_record[~is_kept]),
        entry_of_record=rows.placed(entries.of_record),
    )


class _Rows(NamedTuple):
    """The codes of the rows that are kept, column by column."""

    codes: list[Int32Array]
    is_kept: BoolArray

    @classmethod
    def of_codes(cls, columns: list[Int32Array], is_kept: BoolArray) -> _Rows:
        return cls(columns if is_kept.all() else [codes[is_kept] for codes in columns], is_kept)

    def placed(self, row_of_kept: Int32Array) -> Int32Array:
        """The same numbers for all rows, -1 where one is not kept."""
        row = np.full(len(self.is_kept), SUPPRESSED, dtype=np.int32)
        row[self.is_kept] = row_of_kept
        return row


def _is_known(
    column: RawColumn, codes: Int32Array, unknown: Unknown, counts: Int64Array | None
) -> BoolArray:
    """Which rows may stay, by the policy for values that are missing from the hierarchy."""
    is_unknown = codes == UNKNOWN
    if unknown == "error" and is_unknown.any():
        raise unknown_values(column, codes, counts)
    return np.asarray(~is_unknown)


def _is_present(
    axis: Axis, codes: Int32Array, missing: Missing, counts: Int64Array | None
) -> BoolArray:
    """Which rows may stay, by the policy for missing values."""
    is_missing = codes == axis.missing_code
    if missing == "error" and is_missing.any():
        n_missing = n_records(is_missing, counts)
        raise InputError(
            f"Column {axis.name!r}: {counted(n_missing, 'record')} "
            f"{'has' if n_missing == 1 else 'have'} no value, but the policy says "
            "`missing: error`. Set it to category or suppress, or fill in the values."
        )
    return np.asarray(~is_missing | (missing != "suppress"))


def _notes(axes: Sequence[Axis], quasi: Sequence[Int32Array]) -> tuple[str, ...]:
    notes = []
    for axis, codes in zip(axes, quasi, strict=True):
        if (codes == axis.missing_code).all():
            notes.append(
                f"Column {axis.name!r} is missing in every record; generalising it loses nothing."
            )
        elif (codes == codes[0]).all():
            notes.append(f"Column {axis.name!r} is constant; generalising it loses nothing.")
    return tuple(notes)


def _comma_notes(columns: Mapping[str, RawColumn], schema: Schema) -> tuple[str, ...]:
    """Notes on text that looks like numbers with a decimal comma, which is not read as numbers.

    Sensitive values stay text also where the policy says how their numbers are written.
    """
    notes = []
    for column in columns.values():
        is_said = schema.columns[column.name].must_be_numbers
        if column.kind == "text" and column.labels and not is_said:
            n_numbers = sum(WITH_COMMA.fullmatch(label) is not None for label in column.labels)
            if 2 * n_numbers > len(column.labels):
                notes.append(
                    f"Column {column.name!r}: {counted(n_numbers, 'value')} look like numbers with "
                    "a decimal comma. They are treated as text, not as numbers. Give the column "
                    '`decimal: ","`.'
                )
    return tuple(notes)


def _like_cells(axes: tuple[Axis, ...]) -> tuple[str, ...]:
    """Notes on values that are written as sets, ranges and the root are."""
    notes = []
    for axis in axes:
        n_alike = sum(LIKE_A_CELL.fullmatch(leaf) is not None for leaf in axis.leaves)
        if n_alike and axis.kind == "text":
            notes.append(
                f"Column {axis.name!r}: {counted(n_alike, 'value')} "
                f"{'is' if n_alike == 1 else 'are'} written as a release writes a set, a range or "
                "`*`. Recipients cannot tell a value from such a cell. Write the values otherwise "
                "first."
            )
    return tuple(notes)


def _spelling_notes(sensitive: list[CodedSensitive]) -> tuple[str, ...]:
    """Notes on values that a model counts as different and a reader does not."""
    notes = []
    for column, _ in sensitive:
        folded = {" ".join(normalize("NFKC", label).casefold().split()) for label in column.labels}
        n_alike = len(column.labels) - len(folded)
        if n_alike:
            notes.append(
                f"Column {column.name!r}: {counted(n_alike, 'value')} differ from another value "
                "only in case, spaces or Unicode form, but count as different. Clean them first."
            )
    return tuple(notes)
