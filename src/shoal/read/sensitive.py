"""What the values of a sensitive column mean, as the policy says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.errors import InputError, NoSeverity, counted
from shoal.read.hierarchies import Levels
from shoal.read.leaves import UNKNOWN, leaf_of_value
from shoal.types.arrays import MISSING, FloatArray, Int32Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec, Severities
from shoal.types.sensitive import SensitiveColumn


class CodedSensitive(NamedTuple):
    """A sensitive column, and for every record its value, missing being the last, or UNKNOWN."""

    column: SensitiveColumn
    codes: Int32Array


def sensitive_of(column: RawColumn, spec: ColumnSpec) -> CodedSensitive:
    """Code a sensitive column; missing is a value of its own."""
    hierarchy = spec.hierarchy.build(column) if spec.hierarchy and column.labels else None
    codes = np.where(column.codes == MISSING, len(column.labels), column.codes)
    leaves = None
    if hierarchy is not None:
        leaves = np.append(leaf_of_value(column, hierarchy.leaves), len(hierarchy.leaves))
        codes[leaves[codes] == UNKNOWN] = UNKNOWN
    n_codes = len(column.labels) + column.has_missing
    sensitive = SensitiveColumn(
        column.name,
        column.labels,
        column.numbers,
        hierarchy,
        column.has_missing,
        severity=_severity_by_code(column, codes, spec.severity) if spec.severity else None,
        counts=np.bincount(codes[codes != UNKNOWN], minlength=n_codes).astype(np.int64),
        leaves=None if leaves is None else leaves[:n_codes],
        lists_leaves=isinstance(spec.hierarchy, Levels),
    )
    return CodedSensitive(sensitive, codes.astype(np.int32))


def coded_as(column: RawColumn, original: SensitiveColumn) -> CodedSensitive:
    """The values of a release by the codes of the original, which has them all."""
    place: dict[str | float, int] = {}
    if original.numbers is not None or column.numbers is not None:  # 1 in csv is 1.0 in parquet
        place |= {as_number(label): code for code, label in enumerate(original.labels)}
    place |= {label: code for code, label in enumerate(original.labels)}
    missing = len(original.labels) if original.has_missing else UNKNOWN
    found_codes = [place.get(x, place.get(as_number(x), UNKNOWN)) for x in column.labels]
    codes = np.array([*found_codes, missing])
    found = codes[column.codes].astype(np.int32)
    n_foreign = int((found == UNKNOWN).sum())
    if n_foreign:
        raise InputError(
            f"Column {column.name!r}: {counted(n_foreign, 'record')} of the release "
            f"{'has a value that does' if n_foreign == 1 else 'have values that do'} not occur in "
            "the original. This is the original of another release, or the column was changed."
        )
    return CodedSensitive(original, found)


def as_number(text: str) -> float | str:
    """What a text measures, so that 1 is 1.0; other text is itself."""
    try:
        return float(text)
    except ValueError:
        return text


def _severity_by_code(column: RawColumn, codes: Int32Array, severities: Severities) -> FloatArray:
    """How grave each value is; every one that a record keeps needs a severity."""
    labels = (*column.labels, "")[: len(column.labels) + column.has_missing]
    by_number = {as_number(value): number for value, number in severities.of_value.items()}
    severity = np.array(
        [severities.of_value.get(x, by_number.get(as_number(x), np.nan)) for x in labels]
    )
    n_records = np.bincount(codes[codes != UNKNOWN], minlength=len(labels))
    ungraded = np.flatnonzero(np.isnan(severity) & (n_records > 0))
    if len(ungraded):
        raise NoSeverity.in_column(
            column.name, [labels[code] for code in ungraded], int(n_records[ungraded].sum())
        )
    return severity
