"""Which record of the original each released record can be of."""

from __future__ import annotations

import numpy as np

from shoal.errors import BadOption
from shoal.kernels.origins import take_records
from shoal.types.arrays import FloatArray, Int64Array
from shoal.types.axis import Axis
from shoal.types.outcome import Outcome, Shown

MOST_PAIRS = 20_000_000_000  # records times groups


def find_origins(outcome: Outcome) -> Int64Array:
    """For each released record one of the original that its cells cover; -1 where none is left.

    What is released as it is agrees. Groups whose cells cover least come first: others have more
    to choose from. Where no two groups cover the same record, the result is certain.
    """
    beside, table = outcome.beside, outcome.table
    assert beside is not None
    n_groups = outcome.stats.n_groups
    if n_groups * table.n_rows > MOST_PAIRS:
        raise BadOption(
            "The release has too many groups to find out which records they are of. Measure it "
            "when it is made, in Python or by `utility` in the policy."
        )
    shown = [outcome.shown(i) for i in range(len(table.axes))]
    tables = [_covers(axis, cells) for axis, cells in zip(table.axes, shown, strict=True)]
    starts = np.cumsum([0, *(t.size for t in tables)])[:-1].astype(np.int64)
    cells = np.stack([s.of_group for s in shown], axis=1)
    keys_before, keys_after = _keys(outcome)
    by_group = np.argsort(beside.groups, kind="stable")
    ends = np.searchsorted(beside.groups[by_group], np.arange(n_groups + 1))
    order = np.argsort(_volumes(outcome), kind="stable")
    is_known = beside.rows >= 0
    records = np.flatnonzero(is_known)
    records = records[np.lexsort((keys_before[records], beside.rows[records]))]
    origins = np.full(len(beside.groups), -1, dtype=np.int64)
    take_records(
        np.concatenate([t.ravel() for t in tables]),
        starts,
        np.array([t.shape[1] for t in tables], dtype=np.int64),
        cells.astype(np.int32),
        order,
        table.codes[beside.rows[records]],
        keys_before[records],
        by_group,
        ends,
        keys_after,
        origins,
    )
    found = origins >= 0
    origins[found] = records[origins[found]]
    return origins


def _covers(axis: Axis, shown: Shown) -> np.ndarray:
    """Which codes each cell covers: [cells, codes]."""
    covers = np.zeros((shown.n, axis.missing_code + 1), dtype=np.bool_)
    if shown.leaves is not None:
        for cell, leaves in enumerate(shown.leaves):
            covers[cell, leaves] = True
        return covers
    assert axis.numbers is not None
    is_all = (shown.low <= axis.domain[0]) & (shown.high >= axis.domain[1])
    covers[:, :-1] = (axis.numbers >= shown.low[:, None]) & (axis.numbers <= shown.high[:, None])
    covers[:, -1] = np.isnan(shown.low) | is_all
    return covers


def _keys(outcome: Outcome) -> tuple[Int64Array, Int64Array]:
    """Numbers for what original and released records have unchanged: equal where that is."""
    beside = outcome.beside
    assert beside is not None
    before = np.zeros(len(beside.rows), dtype=np.int64)
    after = np.zeros(len(beside.groups), dtype=np.int64)
    for name, spec in beside.specs.items():
        if spec.role == "quasi":
            continue
        first, second = beside.before(name), beside.after(name)
        codes = {label: code for code, label in enumerate(first.labels)}
        if not codes.keys() >= set(second.labels):  # written otherwise: 1 and 1.0
            continue
        same = np.array([*(codes[label] for label in second.labels), -1], dtype=np.int64)
        both = np.concatenate([before, after]) * (len(first.labels) + 1)
        both += np.concatenate([first.codes, same[second.codes]]) + 1
        numbered = np.unique(both, return_inverse=True)[1]
        before, after = numbered[: len(before)], numbered[len(before) :]
    return before, after


def _volumes(outcome: Outcome) -> FloatArray:
    """How much of the table each group's cells cover."""
    shares = [extent.share for extent in outcome.extents]
    return np.asarray(sum(np.log(share + 1e-3) for share in shares))
