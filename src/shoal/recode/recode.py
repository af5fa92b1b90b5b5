"""Grouping -> the published table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from shoal.encode.coded_texts import CodedTexts, coded
from shoal.encode.fold import fold_equal_lists, fold_equal_rows
from shoal.encode.order import order_by, order_by_columns, ranks_by
from shoal.errors import InputError, counted
from shoal.read.source import Source
from shoal.recode.afresh import afresh
from shoal.recode.cells import Cells
from shoal.types.arrays import SUPPRESSED, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.schema import Order, Schema
from shoal.types.table import Encoding
from shoal.types.text_counts import TextCounts
from shoal.types.watch import Watch

LONG = 200  # characters: no node and no range is as long
MOST_CHARACTERS = 1_000_000_000  # in all cells of a column


class Placement(NamedTuple):
    """The group of each row of the source, -1 where it is suppressed.

    Where the source counts equal records, they may go to several groups: then `rows` lists a row of
    the source for each of its groups, and `counts` how many of its records go there.
    """

    groups: Int32Array
    rows: Int64Array | None = None
    counts: Int64Array | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Published:
    """The published table, not yet verified, and where its rows came from.

    `frame` has the released columns in the input's order, `counts` the records that each of its
    rows stands for (None: one each). `records` is the row of the source and `groups` the group of
    each of its rows: neither is ever published. `text_counts` says how many rows have which cell of
    a quasi-identifier.
    """

    frame: pl.DataFrame
    records: Int64Array
    groups: Int32Array
    counts: Int64Array | None = None
    text_counts: Mapping[str, TextCounts] = field(default_factory=dict)

    def groups_of_input(self, n_records: int) -> Int32Array | None:
        """The group of each input record, -1 where suppressed; None where rows are counted."""
        if self.counts is not None:
            return None
        groups = np.full(n_records, SUPPRESSED, dtype=np.int32)
        groups[self.records] = self.groups
        return groups


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
    placement: Placement,
    cells: Sequence[Cells],
    *,
    schema: Schema,
    order: Order,
    missing_text: str | None,
    watch: Watch | None = None,
) -> Published:
    """Write every record's cells, leave withheld columns out, and forget the input's order."""
    watch = watch or Watch()
    chosen = np.flatnonzero(placement.groups != SUPPRESSED)
    records = chosen if placement.rows is None else placement.rows[chosen]
    # Not by their names, of which polars takes some for patterns.
    unchanged = {name: coded(source.frame[name].alias("kept")) for name in schema.unchanged}
    if order == "published":
        then = [_of_rows(column, records) for column in unchanged.values()]
        in_order = order_by_columns(placement.groups[chosen], then)
        chosen, records = chosen[in_order], records[in_order]
        watch.check()
    group_of_row = placement.groups[chosen]
    unchanged = {name: _of_rows(column, records) for name, column in unchanged.items()}
    watch.check()
    quasi = {
        name: _column_of(name, column, group_of_row, missing_text)
        for name, column in zip(schema.quasi, cells, strict=True)
    }
    frame = pl.DataFrame(
        {
            name: quasi[name][0]
            if name in quasi
            else _released(unchanged[name], source.frame[name])
            for name in schema.released
        }
    )
    counts = None if placement.counts is None else placement.counts[chosen]
    text_counts = {name: counted for name, (_, counted) in quasi.items()}
    return Published(frame, records, group_of_row, counts, text_counts)


def _of_rows(column: pl.Series | CodedTexts, rows: Int64Array) -> pl.Series | CodedTexts:
    return column.of_rows(rows) if isinstance(column, CodedTexts) else column.gather(rows)


def _released(column: pl.Series | CodedTexts, before: pl.Series) -> pl.Series:
    """A column that stays as it is, in memory that holds nothing of records left out."""
    if isinstance(column, CodedTexts):
        return column.written_out(before.name)
    return afresh(forget_categories(column, before.alias("kept"))).alias(before.name)


def place(source: Source, encoding: Encoding, grouping: Grouping, schema: Schema) -> Placement:
    """Which group each record of the source goes to."""
    rows = encoding.row_of_record
    if not grouping.separates_equal_records:
        groups = np.append(grouping.labels, SUPPRESSED).astype(np.int32)[rows]
        if source.counts is None:
            return Placement(groups)
        return Placement(groups, np.arange(len(rows)), source.counts)
    # Equal records go to different groups: which to which is decided by the columns that
    # grouping does not see, so that it does not depend on the order of the input.
    others = source.columns(schema.unchanged)
    if encoding.entry_of_record is not None:
        groups = _groups_of_entries(rows, encoding.entry_of_record, grouping, others)
        is_counted = source.counts is not None
        return Placement(groups, np.arange(len(rows)) if is_counted else None, source.counts)
    in_order = order_by(rows + 1, others)
    placed = in_order[  # the suppressed, row -1, come first
        np.count_nonzero(rows == SUPPRESSED) :
    ]
    if source.counts is not None:
        return _divided(placed, source.counts[placed], grouping)
    groups = np.full(len(rows), SUPPRESSED, dtype=np.int32)
    groups[placed] = np.repeat(grouping.labels, grouping.counts)
    return Placement(groups)


def _groups_of_entries(
    rows: Int32Array, entry: Int32Array, grouping: Grouping, others: pl.DataFrame
) -> Int32Array:
    """The group of each record, those of an entry together.

    Equal entries are in the order of their records, as lists of what these have in other columns.
    """
    is_kept = rows != SUPPRESSED
    ranks = ranks_by(rows, others)
    by_entry = np.lexsort((ranks[is_kept], entry[is_kept]))
    sizes = np.bincount(entry[is_kept])
    alike, _ = fold_equal_lists(ranks[is_kept][by_entry], sizes, len(rows))
    row_of_entry = np.empty(len(sizes), dtype=np.int32)
    row_of_entry[entry[is_kept]] = rows[is_kept]
    groups = np.empty(len(sizes) + 1, dtype=np.int32)
    groups[np.lexsort((alike, row_of_entry))] = np.repeat(grouping.labels, grouping.counts)
    groups[-1] = SUPPRESSED  # where entry -1, which was left out before, finds it
    return groups[entry]


def _divided(rows: Int64Array, counts: Int64Array, grouping: Grouping) -> Placement:
    """Rows of the source, in the order of the table's rows, cut where a part of the grouping ends.

    Both are laid end to end on the same line of records; every cut of either begins an entry.
    """
    row_ends, part_ends = np.cumsum(counts), np.cumsum(grouping.counts)
    ends = np.union1d(row_ends, part_ends)
    return Placement(
        groups=grouping.labels[np.searchsorted(part_ends, ends)],
        rows=rows[np.searchsorted(row_ends, ends)],
        counts=np.diff(ends, prepend=0),
    )


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


def _column_of(
    name: str, cells: Cells, group_of_row: Int32Array, missing: str | None
) -> tuple[pl.Series, TextCounts]:
    """The cells of a column, row by row, and how many rows have each.

    Only cells of groups that are published are in it: a frame carries all texts it is made of.
    """
    _refuse_endless(name, cells, group_of_row)
    n_rows = np.bincount(group_of_row, minlength=len(cells.of_group))
    used = np.unique(cells.of_group[n_rows > 0])
    place = np.zeros(len(cells.texts), dtype=np.int64)
    place[used] = np.arange(len(used))
    of_group = place[cells.of_group]
    texts = pl.Series(
        [missing if cells.texts[i] is None else cells.texts[i] for i in used], dtype=pl.String
    )
    counts = np.zeros(len(used), dtype=np.int64)
    np.add.at(counts, of_group, n_rows)
    return texts.gather(of_group[group_of_row]).alias(name), TextCounts(texts, counts)


def forget_categories(released: pl.Series, before: pl.Series) -> pl.Series:
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
