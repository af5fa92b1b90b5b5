"""Groups that fail because people meet in them, grouped anew by Mondrian's cuts.

A clusterer ends a cluster when it has enough entries, and entries of one person lie close together:
a cluster is often one person several times. The cheapest partner of such a cluster is another one
of the same person, so that merging them gains nobody. Mondrian's cuts ask the models about every
half, and so leave groups of enough people by themselves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.group.parts.joining import joined_parts
from shoal.group.parts.segments import Segments
from shoal.group.parts.stats import stats_of_grouping
from shoal.group.parts.threads import Spread
from shoal.group.parts.turns import TakingTurns
from shoal.types.arrays import SUPPRESSED
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


def regroup_failing(grouping: Grouping, table: Table, privacy: Privacy, spread: Spread) -> Grouping:
    """The same with the records of all failing groups in new groups, some of which may fail."""
    fails = ~privacy.holds(stats_of_grouping(table, grouping))
    if not fails.any():
        return grouping
    kept = grouping.without(fails)
    parts = np.flatnonzero((grouping.labels != SUPPRESSED) & (kept.labels == SUPPRESSED))
    rows = grouping.rows[parts]
    segments = Segments(_of_parts(table, grouping, parts), privacy, TakingTurns(table))
    segments.cut_all(True, spread)
    new = segments.grouping()
    is_other = np.ones(len(grouping.rows), dtype=np.bool_)
    is_other[parts] = False
    together = replace(
        kept,
        rows=np.concatenate([kept.rows[is_other], rows[new.rows]]),
        counts=np.concatenate([kept.counts[is_other], new.counts]),
        labels=np.concatenate([kept.labels[is_other], new.labels + kept.n_groups]),
        low=np.concatenate([kept.low, new.low]),
        high=np.concatenate([kept.high, new.high]),
    )
    return joined_parts(together)


def _of_parts(table: Table, grouping: Grouping, parts: np.ndarray) -> Table:
    """A table that has these parts for rows."""
    assert table.people is not None
    rows = grouping.rows[parts]
    return replace(
        table,
        codes=np.ascontiguousarray(table.codes[rows]),
        sensitive=np.ascontiguousarray(table.sensitive[rows]),
        weights=grouping.counts[parts],
        people=table.people.of_rows(rows),
    )
