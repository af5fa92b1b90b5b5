"""What clusters are judged by in Loukides and Shao 2008, laid out for kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.group.parts.cell_widths import diameter_ruler_of, ruler_of
from shoal.group.parts.stats import stats_of_grouping
from shoal.kernels.cell_table import tabulate
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.s_diversity import Likeness, pair_sums
from shoal.kernels.tgc import Scale
from shoal.kernels.tgc_join import Buckets, least_likeness
from shoal.types.arrays import FloatArray, Int64Array, IntArray
from shoal.types.axis import BEYOND, Axis
from shoal.types.grouping import Grouping
from shoal.types.sensitive import SensitiveColumn
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.table import Table

LEAST = 1e-6  # what utility weighs at least where records are compared
MOST_BUCKETS = 64  # of a sensitive column
ALL_BUCKETS = 256  # of all sensitive columns
ROOM = 8_000_000  # pairs of a value and a bucket
CLOSE = 1e-12


class Value(NamedTuple):
    """The values of a sensitive column as a block of a ruler, and their order."""

    nodes: IntArray  # [levels, codes]
    widths: FloatArray  # [levels, codes]: distances of values that meet there; or positions
    order: IntArray  # codes, near ones next to each other


class Measured(NamedTuple):
    """A table, and what its clusters cost."""

    table: Table
    scale: Scale
    buckets: Buckets


def measured(table: Table, *, utility: float, protection: float, r: float) -> Measured:
    scale = scale_of(table, utility, protection, r)
    return Measured(table, scale, buckets_of(table, scale.likeness))


def scale_of(table: Table, utility: float, protection: float, r: float) -> Scale:
    """What a cluster costs; without a sensitive column, or its weight, spread alone."""
    axes = table.axes
    is_set = np.array([axis.publish == "set" for axis in axes])
    weights = np.array([axis.weight for axis in axes])
    weights /= weights.sum()
    per_value = weights / [max(len(axis.leaves) - 1, 1) for axis in axes]
    n_marks = [len(axis.leaves) + 1 if axis.publish == "set" else 0 for axis in axes]
    n_values = len(table.sensitive_columns)
    ruler = _spread_ruler(table, is_set)
    ruler = ruler._replace(weights=np.where(is_set, per_value, weights))
    return Scale(
        ruler=ruler,
        cells=tabulate(ruler),
        is_set=is_set,
        whole=weights,
        hidden=np.array([axis.first_hidden for axis in axes], dtype=np.int64),
        marks=np.cumsum([0, *n_marks], dtype=np.int64),
        likeness=likeness_of(table, r),
        utility=float(utility) if n_values else 1.0,
        steer=max(float(utility), LEAST) if n_values else 1.0,
        protection=protection / n_values if n_values else 0.0,
    )


def _spread_ruler(table: Table, is_set: np.ndarray) -> CellWidths:
    """Shares of leaves and of the domain; sets are as in a flat tree, where any two differ."""
    ruler, shares = diameter_ruler_of(table), ruler_of(table)
    widths = ruler.widths.copy()
    begins = np.append(ruler.begins, len(widths))
    of_shares = np.append(shares.begins, len(shares.widths))
    for i in np.flatnonzero(~is_set):
        widths[begins[i] : begins[i + 1]] = shares.widths[of_shares[i] : of_shares[i + 1]]
    return ruler._replace(widths=widths)


def likeness_of(table: Table, r: float) -> Likeness:
    blocks = [_value_block(column) for column in table.sensitive_columns]
    sizes = [block.nodes.size for block in blocks]
    ruler = CellWidths(
        nodes=_joined([block.nodes for block in blocks], np.int32),
        widths=_joined([block.widths for block in blocks], np.float64),
        begins=np.cumsum([0, *sizes], dtype=np.int64)[:-1],
        n_codes=np.array([block.nodes.shape[1] for block in blocks], dtype=np.int64),
        has_levels=np.array([len(block.nodes) > 1 for block in blocks], dtype=np.bool_),
        weights=np.ones(len(blocks)),
    )
    return Likeness(ruler, float(r) + CLOSE)


def _joined(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate([np.empty(0, kind), *(array.ravel() for array in arrays)]).astype(kind)


def _value_block(column: SensitiveColumn) -> Value:
    """Distances of values, the code after them being missing: a value like others.

    Numbers: by the width of the domain, missing being as far as can be. Values of a hierarchy: the
    leaves beyond the first that they meet above, of all; other values: 1 of all.
    """
    n_values, n_codes = len(column.labels), len(column.labels) + 1
    codes = np.arange(n_codes, dtype=np.int32)
    n_all = max(column.n_codes, 1)
    if column.hierarchy is not None:
        return _tree_block(column)
    numbers = _numbers(column)
    if numbers is None:
        widths = np.stack([np.zeros(n_codes), np.full(n_codes, 1 / n_all)])
        return Value(np.stack([codes, np.zeros_like(codes)]), widths, codes)
    halves = numbers / 2  # whose differences never overflow
    span = halves.max() - halves.min() if n_values else 0.0
    positions = (halves - halves.min()) / span if span > 0 else np.zeros(n_values)
    return Value(
        codes[np.newaxis],
        np.append(positions, BEYOND)[np.newaxis],
        np.append(np.argsort(numbers, kind="stable"), n_values),
    )


def _numbers(column: SensitiveColumn) -> FloatArray | None:
    """What the values measure. Those of csv files are kept as text, so numbers are looked for."""
    measured = column.measured[: len(column.labels)]
    return measured if len(measured) and np.isfinite(measured).all() else None


def _tree_block(column: SensitiveColumn) -> Value:
    assert column.hierarchy is not None
    assert column.leaves is not None
    tree = column.hierarchy.as_given
    # A value without a leaf is in suppressed records only; any leaf will do.
    leaves = np.maximum(column.leaves[: len(column.labels)], 0)
    with_missing = np.append(leaves, len(tree.leaves))
    n_all = len(tree.leaves) + column.has_missing
    levels = range(tree.height + 1)
    below = np.stack([np.append(tree.leaves_under(level)[leaves], n_all) for level in levels])
    below[-1] = n_all
    return Value(
        np.stack([tree.nodes_at(level)[with_missing] for level in levels]),
        (below - 1) / n_all,
        np.argsort(with_missing, kind="stable"),
    )


def buckets_of(table: Table, likeness: Likeness) -> Buckets:
    """Codes of each sensitive column in runs of near ones."""
    of_code: list[IntArray] = []
    ends: list[IntArray] = []
    n_before = 0
    begins = [0]
    most = min(MOST_BUCKETS, max(1, ALL_BUCKETS // max(len(table.sensitive_columns), 1)))
    for column in table.sensitive_columns:
        order = _value_block(column).order
        n_buckets = min(len(order), most)
        bucket = np.arange(len(order)) * n_buckets // len(order)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = bucket + n_before
        of_code.append(place)
        at = np.flatnonzero(np.diff(bucket, prepend=-1))
        ends.append(np.stack([order[at], order[np.append(at[1:], len(order)) - 1]]))
        n_before += n_buckets
        begins.append(n_before)
    n_codes = [len(place) for place in of_code]
    firsts, lasts = np.hstack([np.empty((2, 0)), *ends]).astype(np.int32)
    at = np.cumsum([0, *n_codes], dtype=np.int64)
    firsts, lasts = firsts.copy(), lasts.copy()
    bounds = np.array(begins, dtype=np.int64)
    is_tabulated = at[-1] * most <= ROOM
    least, least_at = np.empty(0), np.empty(0, dtype=np.int64)
    if is_tabulated:
        least, least_at = least_likeness(likeness, at, firsts, lasts, bounds)
    return Buckets(
        of_code=_joined(of_code, np.int64),
        codes=at,
        firsts=firsts,
        lasts=lasts,
        begins=bounds,
        least=least,
        least_at=least_at,
        is_tabulated=bool(is_tabulated),
        is_exact=len(firsts) == sum(n_codes),
    )


def s_diversities(
    stats: GroupStats, table: Table, likeness: Likeness, chosen: IntArray
) -> FloatArray:
    """S-diversity of the chosen groups, added up over the sensitive columns."""
    total = np.zeros(len(chosen))
    for i, column in enumerate(table.sensitive_columns):
        found = stats.counts(column.name)
        sums = pair_sums(
            found.starts, found.values, found.counts, likeness, i, chosen.astype(np.int64)
        )
        total += sums / found.sizes[chosen] ** 2
    return total


def q_diversities(stats: GroupStats, table: Table, grouping: Grouping) -> FloatArray:
    """Q-diversity of all groups, added up over the quasi-identifiers; a single value costs 0."""
    total = np.zeros(grouping.n_groups)
    for i, axis in enumerate(table.axes):
        n_distinct: np.ndarray | None = None
        if axis.publish == "set":
            n_distinct = _n_told(axis, stats.counts(axis.name))
        low, high = grouping.low[:, i], grouping.high[:, i]
        total += axis.extent(low, high, n_distinct=n_distinct).share
    return total


def _n_told(axis: Axis, counts: ValueCounts) -> Int64Array:
    """The values that a set tells of: all of the column where it hides a rare one."""
    highest = counts.values[counts.starts[1:] - 1]
    is_whole = (highest >= axis.first_hidden) & (counts.n_distinct > 1)
    return np.where(is_whole, len(axis.leaves), counts.n_distinct)


def diversity_figures(grouping: Grouping, table: Table, r: float) -> dict[str, float]:
    """The paper's utility and protection: mean over groups; and mean over records."""
    if grouping.n_groups == 0:
        return {}
    stats = stats_of_grouping(table, grouping)
    everyone = np.arange(grouping.n_groups)
    measured = {
        "utility": q_diversities(stats, table, grouping),
        "protection": s_diversities(stats, table, likeness_of(table, r), everyone),
    }
    figures: dict[str, float] = {}
    for name, values in measured.items():
        figures[name] = float(values.mean())
        figures[f"{name}_by_record"] = float(np.average(values, weights=stats.sizes))
    return figures if table.sensitive_columns else {k: figures[k] for k in list(figures)[:2]}
