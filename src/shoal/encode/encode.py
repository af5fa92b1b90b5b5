"""Columns -> Table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from unicodedata import normalize

import numpy as np

from shoal.encode.axes import CodedAxis, axis_of
from shoal.encode.fold import fold_equal_rows
from shoal.errors import InputError, counted
from shoal.read.leaves import UNKNOWN, unknown_values
from shoal.read.sensitive import CodedSensitive, sensitive_of
from shoal.types.arrays import SUPPRESSED, BoolArray, Int32Array
from shoal.types.axis import Axis
from shoal.types.column import RawColumn
from shoal.types.schema import Missing, Schema, Unknown
from shoal.types.table import Encoding, Table

WITH_COMMA = re.compile(r"[+-]?[0-9]{1,3}((\.[0-9]{3})*|[0-9]*),[0-9]+")


def encode(
    columns: Mapping[str, RawColumn], schema: Schema, *, missing: Missing, unknown: Unknown
) -> Encoding:
    """Code quasi-identifiers and sensitive columns by ordered leaves, and fold equal records."""
    coded = [axis_of(columns[name], schema.columns[name]) for name in schema.quasi]
    sensitive = [sensitive_of(columns[name], schema.columns[name]) for name in schema.sensitive]
    is_kept = np.ones(len(coded[0].codes), dtype=np.bool_)
    for axis, codes in coded:
        is_kept &= _is_known(columns[axis.name], codes, unknown)
        is_kept &= _is_present(axis, codes, missing)
    for column, codes in sensitive:
        is_kept &= _is_known(columns[column.name], codes, unknown)

    arrays = [c.codes for c in coded] + [codes for _, codes in sensitive]
    if not is_kept.all():
        arrays = [codes[is_kept] for codes in arrays]
    n_codes = [c.axis.n_codes for c in coded] + [column.n_codes for column, _ in sensitive]
    row_of_kept, first = fold_equal_rows(arrays, n_codes)
    rows = np.stack([codes[first] for codes in arrays], axis=1)
    row_of_record = np.full(len(is_kept), SUPPRESSED, dtype=np.int32)
    row_of_record[is_kept] = row_of_kept
    table = Table(
        codes=np.ascontiguousarray(rows[:, : len(coded)]),
        sensitive=np.ascontiguousarray(rows[:, len(coded) :]),
        weights=np.bincount(row_of_kept, minlength=len(first)).astype(np.int64),
        axes=tuple(c.axis for c in coded),
        sensitive_columns=tuple(column for column, _ in sensitive),
    )
    notes = _notes(coded) + _comma_notes(columns) + _spelling_notes(sensitive)
    return Encoding(table, row_of_record, notes)


def _is_known(column: RawColumn, codes: Int32Array, unknown: Unknown) -> BoolArray:
    """Which records may stay, by the policy for values that are missing from the hierarchy."""
    is_unknown = codes == UNKNOWN
    if unknown == "error" and is_unknown.any():
        raise unknown_values(column, codes)
    return np.asarray(~is_unknown)


def _is_present(axis: Axis, codes: Int32Array, missing: Missing) -> BoolArray:
    """Which records may stay, by the policy for missing values."""
    is_missing = codes == axis.missing_code
    if missing == "error" and is_missing.any():
        raise InputError(
            f"Column {axis.name!r}: {int(is_missing.sum()):,} records have no value, but the "
            "policy says `missing: error`. Set it to category or suppress, or fill in the values."
        )
    return np.asarray(~is_missing | (missing != "suppress"))


def _notes(coded: list[CodedAxis]) -> tuple[str, ...]:
    notes = []
    for axis, codes in coded:
        if (codes == axis.missing_code).all():
            notes.append(
                f"Column {axis.name!r} is missing in every record; generalising it loses nothing."
            )
        elif (codes == codes[0]).all():
            notes.append(f"Column {axis.name!r} is constant; generalising it loses nothing.")
    return tuple(notes)


def _comma_notes(columns: Mapping[str, RawColumn]) -> tuple[str, ...]:
    """Notes on text that looks like numbers with a decimal comma, which is not read as numbers."""
    notes = []
    for column in columns.values():
        if column.kind == "text" and column.labels:
            n_numbers = sum(WITH_COMMA.fullmatch(label) is not None for label in column.labels)
            if 2 * n_numbers > len(column.labels):
                notes.append(
                    f"Column {column.name!r}: {counted(n_numbers, 'value')} look like numbers with "
                    "a decimal comma. They are treated as text, not as numbers. Write them with a "
                    "decimal point."
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
