"""Grouping -> the published table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from shoal.encode.fold import fold_equal_rows, records_in_row_order
from shoal.errors import InputError, counted
from shoal.read.source import Source
from shoal.recode.cells import Cells
from shoal.types.arrays import SUPPRESSED, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.schema import Order, Schema
from shoal.types.table import Encoding

LONG = 200  # characters: no node and no range is as long
MOST_CHARACTERS = 1_000_000_000  # in all cells of a column


@dataclass(frozen=True, eq=False, repr=False)
class Published:
    """The published table, not yet verified, and where its records came from.

    `frame` has the released columns in the input's order; `records` is the input record of each
    of its rows and `groups` the group of each input record: neither is ever published.
    """

    frame: pl.DataFrame
    records: Int64Array
    groups: Int32Array


def merge_equal_groups(
    grouping: Grouping, cells: Sequence[Cells]
) -> tuple[Grouping, tuple[Cells, ...]]:
    """Groups whose cells are the same are one to whoever sees the release, so they become one.

    Groups are numbered by the text of their cells, which is the order of the release.
    """
    new_label, first = fold_equal_rows([c.of_group for c in cells], [len(c.texts) for c in cells])
    by_label = np.argsort(new_label, kind="stable")
    starts = np.searchsorted(new_label[by_label], np.arange(len(first)))
    merged = replace(
        grouping,
        labels=np.append(new_label, SUPPRESSED).astype(np.int32)[grouping.labels],
        low=np.minimum.reduceat(grouping.low[by_label], starts),
        high=np.maximum.reduceat(grouping.high[by_label], starts),
    )
    return merged, tuple(Cells(c.texts, c.of_group[first]) for c in cells)


def recode(
    source: Source,
    groups: Int32Array,
    cells: Sequence[Cells],
    *,
    schema: Schema,
    order: Order,
    missing_text: str | None,
) -> Published:
    """Write every record's cells, leave withheld columns out, and forget the input's order."""
    records = np.flatnonzero(groups != SUPPRESSED)
    kept = source.columns(schema.names("sensitive", "keep"))
    if order == "published":
        records = records[order_by(groups[records], kept[records] if kept.width else kept)]
    group_of_row = groups[records]
    kept = kept[records] if kept.width else kept
    published = {
        name: _series(name, column, group_of_row, missing_text)
        for name, column in zip(schema.quasi, cells, strict=True)
    }
    frame = pl.DataFrame(
        {
            name: published[name] if name in published else _forget(kept[name], source.frame[name])
            for name in schema.released
        }
    )
    return Published(frame, records, groups)


def group_of_records(
    source: Source, encoding: Encoding, grouping: Grouping, schema: Schema
) -> Int32Array:
    """The group of each input record, -1 where it is suppressed."""
    rows = encoding.row_of_record
    if not grouping.separates_equal_records:
        return np.append(grouping.labels, SUPPRESSED).astype(np.int32)[rows]
    # Equal records go to different groups: which to which is decided by the columns that
    # grouping does not see, so that it does not depend on the order of the input.
    in_order = order_by(rows + 1, source.columns(schema.names("sensitive", "keep")))
    placed = in_order[  # the suppressed, row -1, come first
        np.count_nonzero(rows == SUPPRESSED) :
    ]
    groups = np.full(len(rows), SUPPRESSED, dtype=np.int32)
    groups[placed] = np.repeat(grouping.labels, grouping.counts)
    return groups


def order_by(first: Int32Array, then: pl.DataFrame) -> Int64Array:
    """The order that sorts by `first` and then by the columns of a frame."""
    if not then.width:
        return records_in_row_order(first, int(first.max(initial=-1)) + 1)
    # Numbers for names: polars takes some names for patterns.
    keys = [pl.Series(first), *map(_orderable, then.get_columns())]
    keyed = pl.DataFrame([key.alias(str(i)) for i, key in enumerate(keys)])
    order = keyed.select(pl.arg_sort_by(keyed.columns)).to_series()
    return order.to_numpy().astype(np.int64)


def _orderable(column: pl.Series) -> pl.Series:
    """Values of mixed kinds have no order but that of their text."""
    if column.dtype != pl.Object:
        return column
    return pl.Series([f"{type(value).__name__} {value!r}" for value in column.to_list()])


def _refuse_endless(name: str, cells: Cells, group_of_row: Int32Array) -> None:
    """Refuse sets so long that, written out for every record, they would fill the disk."""
    lengths = np.array([len(text or "") for text in cells.texts])
    if lengths.max(initial=0) < LONG:
        return
    n_characters = int(lengths[cells.of_group[group_of_row]].sum())
    if n_characters > MOST_CHARACTERS:
        raise InputError(
            f"Column {name!r} has so many different values that its cells would list up to "
            f"{counted(int(lengths.max()), 'character')}, {n_characters / 1e9:.0f} GB in all. "
            "Give the column a hierarchy, or drop it."
        )


def _series(name: str, cells: Cells, group_of_row: Int32Array, missing: str | None) -> pl.Series:
    _refuse_endless(name, cells, group_of_row)
    texts = [missing if text is None else text for text in cells.texts]
    return pl.Series(texts, dtype=pl.String).gather(cells.of_group[group_of_row]).alias(name)


def _forget(released: pl.Series, before: pl.Series) -> pl.Series:
    """Without the categories that only suppressed records had: a type would tell of them."""
    if released.dtype.is_nested():
        return released.cast(_without_categories(released.dtype))
    if not isinstance(released.dtype, pl.Enum):
        return released
    gone = set(before.unique()) - set(released.unique())
    return released.cast(pl.Enum([c for c in released.dtype.categories if c not in gone]))


def _without_categories(dtype: pl.DataType | Any) -> Any:
    """The same type with text where a nested part of it lists categories."""
    if isinstance(dtype, pl.List):
        return pl.List(_without_categories(dtype.inner))
    if isinstance(dtype, pl.Array):
        return pl.Array(_without_categories(dtype.inner), dtype.size)
    if isinstance(dtype, pl.Struct):
        return pl.Struct({f.name: _without_categories(f.dtype) for f in dtype.fields})
    return pl.String if isinstance(dtype, pl.Enum) else dtype
