"""A released file as measures look at it: what its cells stand for, beside the original."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from shoal.attacks.released import Released
from shoal.errors import InputError, counted
from shoal.group.parts.stats import stats_of_grouping
from shoal.policy.policy import Policy
from shoal.read.sensitive import coded_as
from shoal.read.source import Source
from shoal.runs.attack_cells import cells_of
from shoal.runs.beside import beside_of
from shoal.runs.inputs import read_columns
from shoal.runs.prepare import Encoded, prepare
from shoal.runs.stages import Stages
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.column import RawColumn
from shoal.types.extent import Extent
from shoal.types.grouping import Grouping
from shoal.types.outcome import NO_ENDS, Outcome, Shown
from shoal.types.table import Table
from shoal.utility.axis_cells import AxisCells
from shoal.utility.origins import find_origins
from shoal.verify.original import refuse_other_original


@dataclass(frozen=True, eq=False, repr=False)
class ReadOutcome(Outcome):
    """What a released file shows: its cells as they are written, not the boxes behind them."""

    cells: tuple[Shown, ...] = ()

    def shown(self, i: int) -> Shown:
        return self.cells[i]

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        pairs = zip(self.table.axes, self.cells, strict=True)
        return tuple(_extent(axis, shown) for axis, shown in pairs)


def read_release(
    release: Source, original: Source, policy: Policy, *, stages: Stages | None = None
) -> Outcome:
    """A release from elsewhere, or of an earlier run. It counts records, not people."""
    rules = replace(policy, person=())
    schema = rules.schema_for(original.frame.columns)
    fitting = rules.schema_of_release(release.frame.columns)
    refuse_other_original(release, original, fitting)
    prepared = prepare(original, rules, schema, stages=stages)
    encoded = prepared.encoded_for(rules.algorithm)
    _refuse_centres(encoded.encoding.table.axes)
    with rules.locating():
        released = cells_of(release, rules, encoded.schema.quasi)
    table = _released_table(release, rules, encoded, len(released.group_of_row))
    groups = released.group_of_row.astype(np.int32)
    grouping = _grouping(table, groups, released.n_groups)
    beside = beside_of(
        original,
        release,
        rules,
        encoded.schema,
        rows=encoded.encoding.row_of_record,
        groups=groups,
    )
    outcome = ReadOutcome(
        table=encoded.encoding.table,
        grouping=grouping,
        stats=stats_of_grouping(table, grouping),
        n_suppressed=original.n_records - release.n_records,
        k=prepared.privacy.k,
        beside=beside,
        cells=tuple(_shown(axis, released) for axis in encoded.encoding.table.axes),
    )
    return replace(outcome, beside=replace(beside, origins=partial(find_origins, outcome)))


def _refuse_centres(axes: tuple[Axis, ...]) -> None:
    for axis in axes:
        if axis.publish in ("mean", "median"):
            raise InputError(
                f"Column {axis.name!r} publishes a {axis.publish}, which does not show what it "
                "stands for, so a file of it cannot be measured. `utility` in the policy measures "
                "a release when it is made, and so does `release.measure` in Python."
            )


def _released_table(release: Source, policy: Policy, encoded: Encoded, n: int) -> Table:
    """The released records one by one, with the sensitive values of the original's coding."""
    table = encoded.encoding.table
    names = [column.name for column in table.sensitive_columns]
    read = read_columns(release, policy, names)
    codes = [coded_as(read[c.name], c).codes for c in table.sensitive_columns]
    return Table(
        codes=np.zeros((n, len(table.axes)), dtype=np.int32),
        sensitive=np.stack(codes, axis=1) if codes else np.empty((n, 0), dtype=np.int32),
        weights=np.ones(n, dtype=np.int64),
        axes=table.axes,
        sensitive_columns=table.sensitive_columns,
    )


def _grouping(table: Table, groups: Int32Array, n_groups: int) -> Grouping:
    nothing = np.zeros((n_groups, len(table.axes)), dtype=np.int32)
    return Grouping.of_rows(table, groups, nothing, nothing)


def _shown(axis: Axis, released: Released) -> Shown:
    """What the cells of a column stand for; cells that stand for nothing are refused."""
    column = released.cells[axis.name]
    codes = column.codes[released.first_row]
    of_group = np.where(codes < 0, len(column.labels), codes).astype(np.int32)
    reader = AxisCells(axis)
    if axis.on_a_line:
        runs = [reader.runs(label) for label in column.labels]
        _refuse_unread(column, released, [len(found) == 1 for found in runs])
        ends = np.array([*(found[0] for found in runs), (np.nan, np.nan)], dtype=np.float64)
        return Shown(of_group, ends[:, 0], ends[:, 1])
    leaves = [reader.leaves(label) for label in column.labels]
    _refuse_unread(column, released, [len(found) > 0 for found in leaves])
    return Shown(of_group, NO_ENDS, NO_ENDS, [*leaves, np.array([axis.missing_code])])


def _refuse_unread(column: RawColumn, released: Released, is_read: list[bool]) -> None:
    unread = np.flatnonzero(~np.array([*is_read, True]))
    if len(unread):
        n_records = int(np.isin(column.codes, unread).sum())
        raise InputError(
            f"Column {column.name!r}: {counted(len(unread), 'cell')} "
            f"({counted(n_records, 'record')}) stand for no value of the original. This is the "
            "original of another release, or the policy describes the column otherwise."
        )


def _extent(axis: Axis, shown: Shown) -> Extent:
    """How much of the column each group's cell covers."""
    if shown.leaves is None:
        root = axis.root_extent()
        width = np.nan_to_num(np.minimum(shown.high / 2 - shown.low / 2, root.span))
        covered = width if axis.n_codes > 1 else np.zeros(shown.n)
        level = (covered > 0).astype(np.float64)
    else:
        root = axis.root_extent()
        figures = [_of_leaves(axis, root, leaves) for leaves in shown.leaves]
        covered, level = (np.array(side, dtype=np.float64) for side in zip(*figures, strict=True))
    return root._replace(covered=covered[shown.of_group], level=level[shown.of_group])


def _of_leaves(axis: Axis, root: Extent, leaves: Int64Array) -> tuple[float, float]:
    """How many leaves beyond the first a cell covers, and how high its node is."""
    if axis.n_codes <= 1 or len(leaves) == 1:
        return 0.0, 0.0
    if leaves[-1] == axis.missing_code:
        return float(root.span), float(root.height)
    if axis.hierarchy is None or axis.publish != "node":
        return len(leaves) - 1.0, 1.0
    ends = leaves[:1].astype(np.int32), leaves[-1:].astype(np.int32)
    return len(leaves) - 1.0, float(axis.hierarchy.as_given.level_covering(*ends)[0])
