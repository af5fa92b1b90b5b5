"""Which leaf of a hierarchy a value of the data is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.errors import UnknownValues
from shoal.types.arrays import MISSING, BoolArray, Int32Array, Int64Array
from shoal.types.column import DistinctValues, RawColumn
from shoal.types.hierarchy_spec import OTHER, HierarchySpec
from shoal.types.text import KnownValues

UNKNOWN = -2  # the code of a value that is missing from its hierarchy


def leaf_of_value(column: DistinctValues, leaves: tuple[str, ...]) -> Int32Array:
    """Leaves by their text; where values are numbers, also by number (17 is the leaf 17.0)."""
    if leaves == column.labels:
        return np.arange(len(leaves), dtype=np.int32)
    known = KnownValues(leaves, by_number=column.numbers is not None)
    places = [known.place(label) for label in column.labels]
    return np.array([UNKNOWN if leaf is None else leaf for leaf in places], dtype=np.int32)


def others_named(column: RawColumn, hierarchy: HierarchySpec | None) -> RawColumn:
    """The column with one value for all that the hierarchy has no place for, if it asks for it."""
    if hierarchy is None or not hierarchy.names_others or not column.labels:
        return column
    leaves = hierarchy.build(column).leaves
    leaf_of = leaf_of_value(column, leaves)
    if (leaf_of != UNKNOWN).all():
        return column
    labels = [OTHER if leaf == UNKNOWN else leaves[leaf] for leaf in leaf_of.tolist()]
    distinct = tuple(sorted(set(labels)))
    place = {label: code for code, label in enumerate(distinct)}
    codes = np.array([*(place[label] for label in labels), MISSING], dtype=np.int32)
    return replace(column, kind="text", labels=distinct, numbers=None, codes=codes[column.codes])


def unknown_values(
    column: RawColumn, codes: Int32Array, counts: Int64Array | None = None
) -> UnknownValues:
    """The error that says which values have no leaf, and how many records have one of them."""
    is_unknown = codes == UNKNOWN
    values = [column.labels[code] for code in np.unique(column.codes[is_unknown])]
    return UnknownValues.in_column(column.name, values, n_records(is_unknown, counts))


def n_records(chosen: BoolArray, counts: Int64Array | None) -> int:
    """How many records the chosen rows of a source stand for; without counts, one each."""
    return int(chosen.sum() if counts is None else counts[chosen].sum())
