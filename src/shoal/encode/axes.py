"""From a column as read to the axis it is generalised on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.errors import HierarchyError, NoSeverity, PolicyError, UnknownValues
from shoal.types.arrays import MISSING, FloatArray, Int32Array, NumberArray
from shoal.types.column import Axis, Publish, RawColumn, SensitiveColumn
from shoal.types.hierarchy import Hierarchy
from shoal.types.schema import ColumnSpec, Severities

UNKNOWN = -2  # the code of a value that is no leaf of its hierarchy


class CodedAxis(NamedTuple):
    """An axis, and for every record its leaf, `axis.missing_code`, or UNKNOWN."""

    axis: Axis
    codes: Int32Array


class CodedSensitive(NamedTuple):
    """A sensitive column, and for every record its value, missing being the last, or UNKNOWN."""

    column: SensitiveColumn
    codes: Int32Array


def axis_of(column: RawColumn, spec: ColumnSpec) -> CodedAxis:
    """Order the leaves of a quasi-identifier and code its records by them."""
    # With no value at all there is nothing to build a hierarchy from, and nothing to generalise.
    has_hierarchy = spec.hierarchy is not None and len(column.labels) > 0
    hierarchy = spec.hierarchy.build(column) if has_hierarchy and spec.hierarchy else None
    leaves = hierarchy.leaves if hierarchy else column.labels
    leaf_of_value = _leaf_of_value(column, leaves)
    numbers = _numbers_of_leaves(column, hierarchy, leaf_of_value)
    axis = Axis(
        name=column.name,
        kind=column.kind,
        leaves=leaves,
        numbers=numbers,
        hierarchy=hierarchy,
        publish=_publish(column, spec, hierarchy, numbers),
        has_missing=column.has_missing,
        weight=spec.weight,
        domain=_domain(column),
    )
    lookup = np.append(leaf_of_value, axis.missing_code).astype(np.int32)
    return CodedAxis(axis, lookup[column.codes])


def sensitive_of(column: RawColumn, spec: ColumnSpec) -> CodedSensitive:
    """Code a sensitive column; missing is a value of its own."""
    hierarchy = spec.hierarchy.build(column) if spec.hierarchy and column.labels else None
    codes = np.where(column.codes == MISSING, len(column.labels), column.codes)
    if hierarchy is not None:
        is_unknown = np.append(_leaf_of_value(column, hierarchy.leaves) == UNKNOWN, False)
        codes[is_unknown[codes]] = UNKNOWN
    sensitive = SensitiveColumn(
        column.name,
        column.labels,
        column.numbers,
        hierarchy,
        column.has_missing,
        _severity_by_code(column, codes, spec.severity) if spec.severity else None,
    )
    return CodedSensitive(sensitive, codes.astype(np.int32))


def _severity_by_code(column: RawColumn, codes: Int32Array, severities: Severities) -> FloatArray:
    """How grave each value is; every one that a record keeps needs a severity."""
    labels = (*column.labels, "")[: len(column.labels) + column.has_missing]
    severity = np.array([severities.of_value.get(label, np.nan) for label in labels])
    n_records = np.bincount(codes[codes != UNKNOWN], minlength=len(labels))
    ungraded = np.flatnonzero(np.isnan(severity) & (n_records > 0))
    if len(ungraded):
        raise NoSeverity.in_column(
            column.name, [labels[code] for code in ungraded], int(n_records[ungraded].sum())
        )
    return severity


def unknown_values(column: RawColumn, codes: Int32Array) -> UnknownValues:
    """The error that says which values are no leaves, and how many records hold one."""
    is_unknown = codes == UNKNOWN
    values = [column.labels[code] for code in np.unique(column.codes[is_unknown])]
    return UnknownValues.in_column(column.name, values, int(is_unknown.sum()))


def _leaf_of_value(column: RawColumn, leaves: tuple[str, ...]) -> Int32Array:
    """Leaves by their text; where values are numbers, also by number (17 is the leaf 17.0)."""
    if leaves is column.labels:
        return np.arange(len(leaves), dtype=np.int32)
    place = {leaf: i for i, leaf in enumerate(leaves)}
    found = [place.get(label, UNKNOWN) for label in column.labels]
    if UNKNOWN in found and column.numbers is not None:
        by_number = {_number(leaf): i for i, leaf in enumerate(leaves)}
        by_number.pop(None, None)
        found = [
            by_number.get(_number(label), UNKNOWN) if leaf == UNKNOWN else leaf
            for label, leaf in zip(column.labels, found, strict=True)
        ]
    return np.array(found, dtype=np.int32)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _numbers_of_leaves(
    column: RawColumn, hierarchy: Hierarchy | None, leaf_of_value: Int32Array
) -> NumberArray | None:
    """What the leaves measure, where all of them measure something and they ascend."""
    if hierarchy is None or column.numbers is None:
        return column.numbers
    if len(hierarchy.leaves) == len(column.labels) and (leaf_of_value >= 0).all():
        numbers = np.empty_like(column.numbers)
        numbers[leaf_of_value] = column.numbers
    else:
        try:
            numbers = np.array([float(leaf) for leaf in hierarchy.leaves])
        except ValueError:
            return None
    return numbers if (np.diff(numbers) > 0).all() else None


def _publish(
    column: RawColumn, spec: ColumnSpec, hierarchy: Hierarchy | None, numbers: NumberArray | None
) -> Publish:
    wanted = spec.publish
    if not column.labels:
        return "set"
    if wanted is None:
        return "node" if hierarchy else "set" if numbers is None else "range"
    if wanted == "node" and hierarchy is None:
        raise PolicyError("`publish: node` needs a hierarchy", ("columns", column.name, "publish"))
    if wanted in ("range", "mean", "median") and numbers is None:
        if hierarchy is not None and column.numbers is not None:
            raise HierarchyError(
                f"Column {column.name!r}: `publish: {wanted}` needs a hierarchy whose leaves are "
                "numbers in ascending order."
            )
        raise PolicyError(
            f"`publish: {wanted}` needs numbers or dates, and the column is {column.kind}",
            ("columns", column.name, "publish"),
        )
    return wanted


def _domain(column: RawColumn) -> tuple[float, float]:
    if column.numbers is None or not len(column.numbers):
        return (0.0, 0.0)
    return float(column.numbers[0]), float(column.numbers[-1])
