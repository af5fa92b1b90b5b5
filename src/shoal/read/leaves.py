"""Which leaf of a hierarchy a value of the data is."""

from __future__ import annotations

import numpy as np

from shoal.errors import UnknownValues
from shoal.types.arrays import Int32Array
from shoal.types.column import RawColumn

UNKNOWN = -2  # the code of a value that is missing from its hierarchy


def leaf_of_value(column: RawColumn, leaves: tuple[str, ...]) -> Int32Array:
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


def unknown_values(column: RawColumn, codes: Int32Array) -> UnknownValues:
    """The error that says which values have no leaf, and how many records have one of them."""
    is_unknown = codes == UNKNOWN
    values = [column.labels[code] for code in np.unique(column.codes[is_unknown])]
    return UnknownValues.in_column(column.name, values, int(is_unknown.sum()))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
