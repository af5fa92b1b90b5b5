"""What the values of a sensitive column mean, as the policy says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.errors import InputError, NoSeverity, counted
from shoal.read.leaves import UNKNOWN, leaf_of_value
from shoal.types.arrays import MISSING, FloatArray, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.hierarchy_spec import OTHER
from shoal.types.schema import ColumnSpec, Severities
from shoal.types.sensitive import SensitiveColumn
from shoal.types.text import KnownValues


class CodedSensitive(NamedTuple):
    """A sensitive column, and for every record its value, missing being the last, or UNKNOWN."""

    column: SensitiveColumn
    codes: Int32Array


def sensitive_of(
    column: RawColumn, spec: ColumnSpec, counts: Int64Array | None = None
) -> CodedSensitive:
    """Code a sensitive column; missing is a value of its own. `counts`: the records of each row."""
    hierarchy = spec.hierarchy.build(column) if spec.hierarchy and column.labels else None
    codes = np.where(column.codes == MISSING, len(column.labels), column.codes)
    leaves = None
    if hierarchy is not None:
        leaf_of = leaf_of_value(column, hierarchy.leaves)
        if spec.hierarchy is not None and spec.hierarchy.names_others:
            leaf_of[leaf_of == UNKNOWN] = hierarchy.leaves.index(OTHER)
        leaves = np.append(leaf_of, len(hierarchy.leaves))
        codes[leaves[codes] == UNKNOWN] = UNKNOWN
    n_codes = len(column.labels) + column.has_missing
    is_known = codes != UNKNOWN
    found = np.bincount(
        codes[is_known], None if counts is None else counts[is_known], minlength=n_codes
    ).astype(np.int64)
    sensitive = SensitiveColumn(
        column.name,
        column.labels,
        column.numbers,
        hierarchy,
        column.has_missing,
        severity=_severity_by_code(column, found, spec.severity) if spec.severity else None,
        counts=found,
        leaves=None if leaves is None else leaves[:n_codes],
        lists_leaves=spec.hierarchy is not None and spec.hierarchy.listed is not None,
        notation=spec.notation,
    )
    return CodedSensitive(sensitive, codes.astype(np.int32))


def coded_as(column: RawColumn, original: SensitiveColumn) -> CodedSensitive:
    """The values of a release by the codes of the original, which has them all."""
    are_numbers = original.numbers is not None or column.numbers is not None
    known = KnownValues(original.labels, by_number=are_numbers)  # 1 in csv is 1.0 in parquet
    places = [known.place(label) for label in column.labels]
    missing = len(original.labels) if original.has_missing else UNKNOWN
    codes = np.array([*(UNKNOWN if code is None else code for code in places), missing])
    found = codes[column.codes].astype(np.int32)
    n_foreign = int((found == UNKNOWN).sum())
    if n_foreign:
        raise InputError(
            f"Column {column.name!r}: {counted(n_foreign, 'record')} of the release "
            f"{'has a value that does' if n_foreign == 1 else 'have values that do'} not occur in "
            "the original. This is the original of another release, or the column was changed."
        )
    return CodedSensitive(original, found)


def _severity_by_code(
    column: RawColumn, n_records: Int64Array, severities: Severities
) -> FloatArray:
    """How grave each value is; every one that a record keeps needs a severity."""
    labels = (*column.labels, "")[: len(column.labels) + column.has_missing]
    graded, known = [*severities.of_value.values()], KnownValues(severities.of_value)
    places = [known.place(label) for label in labels]
    severity = np.array([np.nan if place is None else graded[place] for place in places])
    ungraded = np.flatnonzero(np.isnan(severity) & (n_records > 0))
    if len(ungraded):
        raise NoSeverity.in_column(
            column.name, [labels[code] for code in ungraded], int(n_records[ungraded].sum())
        )
    return severity
