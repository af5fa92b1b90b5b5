"""From the different values of a column to its axis, and from the axis to codes."""

from __future__ import annotations

import numpy as np

from shoal.errors import HierarchyError, PolicyError
from shoal.read.leaves import leaf_of_value
from shoal.types.arrays import Int32Array, NumberArray
from shoal.types.axis import Axis
from shoal.types.column import DistinctValues, Publish, RawColumn
from shoal.types.grid import Grid, OnGrid, grid_of
from shoal.types.hierarchy import Hierarchy
from shoal.types.schema import ColumnSpec
from shoal.types.text import number_of


def axis_of(column: DistinctValues, spec: ColumnSpec) -> Axis:
    """Order the leaves of a quasi-identifier, by its different values alone."""
    # With no value at all there is nothing to build a hierarchy from, and nothing to generalise.
    has_hierarchy = spec.hierarchy is not None and len(column.labels) > 0
    hierarchy = spec.hierarchy.build(column) if has_hierarchy and spec.hierarchy else None
    leaves = hierarchy.leaves if hierarchy else column.labels
    leaf_of = leaf_of_value(column, leaves)
    numbers = _numbers_of_leaves(column, hierarchy, leaf_of)
    publish = _publish(column, spec, hierarchy, numbers)
    return Axis(
        name=column.name,
        kind=column.kind,
        leaves=leaves,
        numbers=numbers,
        hierarchy=hierarchy,
        publish=publish,
        has_missing=column.has_missing,
        weight=spec.weight,
        domain=_domain(column),
        grid=_grid(column, spec, publish, numbers),
        lists_rare=spec.rare == "list",
    )


def codes_of(axis: Axis, column: RawColumn) -> Int32Array:
    """For every row of a column its leaf, `axis.missing_code`, or UNKNOWN."""
    leaf_of = leaf_of_value(column, axis.leaves)
    codes: Int32Array = np.append(leaf_of, axis.missing_code).astype(np.int32)[column.codes]
    return codes


def _numbers_of_leaves(
    column: DistinctValues, hierarchy: Hierarchy | None, leaf_of_value: Int32Array
) -> NumberArray | None:
    """What the leaves measure, where all of them measure something and they ascend."""
    if hierarchy is None or column.numbers is None:
        return column.numbers
    if len(hierarchy.leaves) == len(column.labels) and (leaf_of_value >= 0).all():
        numbers = np.empty_like(column.numbers)
        numbers[leaf_of_value] = column.numbers
    else:
        found = [number_of(leaf) for leaf in hierarchy.leaves]
        if None in found:
            return None
        numbers = np.array(found, dtype=np.float64)
    return numbers if (np.diff(numbers) > 0).all() else None


def _publish(
    column: DistinctValues,
    spec: ColumnSpec,
    hierarchy: Hierarchy | None,
    numbers: NumberArray | None,
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
            f"`publish: {wanted}` needs numbers or dates, but the column is {column.kind}",
            ("columns", column.name, "publish"),
        )
    return wanted


def _grid(
    column: DistinctValues, spec: ColumnSpec, publish: Publish, numbers: NumberArray | None
) -> Grid | None:
    """Where ranges end, if the policy asks for it; means and medians are always rounded."""
    is_centre = publish in ("mean", "median")
    wanted = spec.bounds or (OnGrid() if is_centre else None)
    if wanted is None or not column.labels:
        return None
    path = ("columns", column.name, "bounds")
    if publish != "range" and not is_centre:
        raise PolicyError(
            f"a grid needs numbers or dates that are published as ranges, but the column is "
            f"{column.kind}, published as a {publish}",
            path,
        )
    assert numbers is not None
    try:
        return grid_of(column.kind, numbers, wanted)
    except ValueError as error:
        raise PolicyError(str(error), path) from None


def _domain(column: DistinctValues) -> tuple[float, float]:
    if column.numbers is None or not len(column.numbers):
        return (0.0, 0.0)
    return float(column.numbers[0]), float(column.numbers[-1])
