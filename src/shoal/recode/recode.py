"""Grouping -> the published table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.encode.fold import fold_equal_rows
from shoal.read.source import Source
from shoal.recode.cells import Cells, cells_of_column
from shoal.types.arrays import SUPPRESSED, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.outcome import Outcome
from shoal.types.schema import Order, Schema
from shoal.types.table import Encoding

FIRST = "\0"  # a name that no column has


@dataclass(frozen=True, eq=False)
class Published:
    """The published table, not yet verified, and where its records came from.

    `frame` has the released columns in the input's order; `records` is the input record of each
    of its rows and `groups` the group of each input record: neither is ever published.
    """

    frame: pl.DataFrame
    records: Int64Array
    groups: Int32Array


def recode(
    source: Source, encoding: Encoding, outcome: Outcome, *, schema: Schema, order: Order,
    missing_text: str | None,
) -> Published:  # fmt: skip
    """Write every group's cells, leave withheld columns out, and forget the order of the input."""
    groups = group_of_records(source, encoding, outcome.grouping, schema)
    cells = [cells_of_column(outcome, i) for i in range(len(outcome.table.axes))]
    others = source.frame.select(schema.names("sensitive", "keep"))
    if order == "input":
        records = np.flatnonzero(groups != SUPPRESSED)
    else:
        records = _records_by_cells(groups, cells, others)
    group_of_row = groups[records]
    published = {
        name: _series(name, column, group_of_row, missing_text)
        for name, column in zip(schema.quasi, cells, strict=True)
    }
    kept = others[records] if others.width else others
    frame = pl.DataFrame(
        [published[name] if name in published else kept[name] for name in schema.released]
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
    in_order = _order_by(rows, source.frame.select(schema.names("keep")))
    placed = in_order[np.count_nonzero(rows == SUPPRESSED) :]
    groups = np.full(len(rows), SUPPRESSED, dtype=np.int32)
    groups[placed] = np.repeat(grouping.labels, grouping.counts)
    return groups


def _records_by_cells(groups: Int32Array, cells: list[Cells], others: pl.DataFrame) -> Int64Array:
    """Released records by their cells, then by the other released columns."""
    rank_of_group = fold_equal_rows(
        [column.of_group for column in cells], [len(column.texts) for column in cells]
    ).row_of_record
    records = np.flatnonzero(groups != SUPPRESSED)
    ranks = rank_of_group[groups[records]]
    return records[_order_by(ranks, others[records] if others.width else others)]


def _order_by(first: Int32Array, then: pl.DataFrame) -> Int64Array:
    """The order that sorts by `first` and then by the columns of a frame."""
    if not then.width:
        return np.argsort(first, kind="stable")
    keyed = pl.DataFrame([pl.Series(FIRST, first), *then.get_columns()])
    order = keyed.select(pl.arg_sort_by(keyed.columns)).to_series()
    return order.to_numpy().astype(np.int64)


def _series(name: str, cells: Cells, group_of_row: Int32Array, missing: str | None) -> pl.Series:
    texts = [missing if text is None else text for text in cells.texts]
    return pl.Series(name, texts, dtype=pl.String).gather(cells.of_group[group_of_row])
