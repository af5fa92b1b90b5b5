"""One-pass k-means (Lin and Wei 2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from shoal.errors import BadOption, CannotSatisfy
from shoal.group.cluster._clusterer import Clusterer, Members, Part, Task
from shoal.group.parts.joining import add_up
from shoal.group.parts.pre_partition import Prepartition
from shoal.group.parts.threads import Spread
from shoal.kernels import oka as kernels
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.tree import grow_tree
from shoal.types.algorithm import Limits
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table
from shoal.types.watch import Watch

Adjust = Literal["paper", "least-loss"]
Order = Literal["random", "sorted"]
MOST_PAIRS = 2_000_000_000  # of a record and a cluster, in a table that is not cut up
SMALLEST_PART = 500  # records, of a table that is
CLUSTERS_OF_A_PART = 20
PLACE = {"paper": kernels.place_by_distance, "least-loss": kernels.place_by_loss}


class Records(NamedTuple):
    """Single records in the order of their codes, and what clusters of them must have."""

    codes: Int32Array  # [rows, quasi-identifiers]
    row_of: Int64Array  # the row of each record, ascending
    ruler: CellWidths
    k: int
    root: float  # what a suppressed record costs


class Chance(NamedTuple):
    """All that is random: the records that clusters begin with, and whose turn comes when."""

    seeds: Int64Array
    turns: Int64Array  # one for each record, all different: whose comes when


@dataclass(frozen=True)
class Oka(Clusterer):
    """Assign records to the closest of n/k random seeds, then move some to give each cluster k.

    `order`: in which records come; `sorted` by their columns is the paper's, and loses far more.
    `passes`: so often, seeds being the middles of the clusters before; the best result counts.
    `suppress_small`: clusters below k are left out where that costs less than filling them up, as
    far as `suppression` allows. `adjust: least-loss` moves records to where they cost least,
    instead of by the paper's distance. Lin and Wei 2008.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52, 40], "zip": ["1", "1", "2", "2", "2"]})
    >>> release = shoal.anonymize(patients, quasi=["age", "zip"], privacy=[shoal.KAnonymity(2)],
    ...                           algorithm="oka")
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[34, 52]', '[34, 52]', '[34, 52]']
    """

    passes: int = 1
    suppress_small: bool = False
    adjust: Adjust = "paper"
    order: Order = "random"

    def __post_init__(self) -> None:
        if self.passes < 1:
            raise BadOption("passes must be a whole number, at least 1")

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        n_clusters = table.n_records // privacy.smallest
        if self.prepartition is None and table.n_records * n_clusters > MOST_PAIRS:
            return self._group_in_parts(table, privacy, limits)
        try:
            return super().group(table, privacy, limits)
        except CannotSatisfy:
            if not self.suppress_small:
                raise
            # What small clusters used up may be what a model needed.
            return replace(self, suppress_small=False).group(table, privacy, limits)

    def _group_in_parts(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        """A table on which the whole would take too long, cut up."""
        size = max(SMALLEST_PART, CLUSTERS_OF_A_PART * privacy.smallest)
        grouping = replace(self, prepartition=Prepartition(size)).group(table, privacy, limits)
        note = (
            f"Comparing {table.n_records:,} records with all clusters would take too long, so the "
            f"table was first cut into parts of at least {size:,} records, as with "
            f"`prepartition: {{size: {size}}}`. Set `prepartition` to use another size."
        )
        return replace(grouping, notes=(*grouping.notes, note))

    @property
    def turns(self) -> int:
        return self.passes

    def place_left_over(self, grouping: Grouping, task: Task, spread: Spread) -> Grouping:
        """Nothing is left over; what is in no cluster is suppressed."""
        return grouping

    def cluster(self, part: Part, task: Task) -> Members:
        records = Records(
            part.codes,
            np.repeat(np.arange(len(part.counts)), part.counts),
            task.ruler,
            task.k,
            root_cost(task.table),
        )
        n_records = len(records.row_of)
        if n_records < 2 * task.k:
            return Members(
                np.arange(len(part.counts)), part.counts, np.zeros(len(part.counts), np.int64)
            )
        may_drop = 0
        if self.suppress_small:
            may_drop = task.limits.suppression * n_records // task.table.n_records
        chance = draw(records, part.seed, task.limits.watch)
        labels = best_of(
            records, chance, self.adjust, task.limits.watch,
            order=self.order, passes=self.passes, may_drop=may_drop,
        )  # fmt: skip
        return folded(labels, records.row_of)


def best_of(
    records: Records,
    chance: Chance,
    adjust: Adjust,
    watch: Watch,
    *,
    order: Order,
    passes: int = 1,
    may_drop: int = 0,
) -> Int64Array:
    """The cluster of each record, below 0 where suppressed; of several passes, the least loss."""
    least, best = np.inf, np.empty(0, dtype=np.int64)
    seeds, in_turn = chance.seeds, np.argsort(chance.turns)
    coming = in_turn if order == "random" else np.arange(len(in_turn))
    for n_more in range(passes - 1, -1, -1):
        assigned = kernels.assign(*records[:3], seeds, coming, watch.pulse())
        watch.check()
        for labels in adjusted(records, assigned, chance, adjust, watch, may_drop=may_drop):
            loss = kernels.total_loss(*records[:3], labels, len(seeds), records.root)
            if loss < least:
                least, best = loss, labels
        if n_more:
            seeds = kernels.middles(*records[:3], assigned, len(seeds))
            coming = in_turn  # sorted, the first column would rule again
    return best


def adjusted(
    records: Records,
    assigned: Int64Array,
    chance: Chance,
    adjust: Adjust,
    watch: Watch,
    *,
    may_drop: int,
) -> list[Int64Array]:
    """Clusters of at least k records: all filled up, and some of the small ones suppressed."""
    n_clusters = len(chance.seeds)
    trimmed = assigned.copy()
    kernels.trim(*records[:3], trimmed, n_clusters, records.k)
    filled = _placed(records, trimmed, chance, adjust, watch)
    if may_drop == 0:
        return [filled]
    gains = kernels.gains_of_dropping(
        *records[:3], trimmed, filled, n_clusters, records.root, watch.pulse()
    )
    watch.check()
    is_dropped = worth_dropping(gains, np.bincount(trimmed[trimmed >= 0]), records.k, may_drop)
    if not is_dropped.any():
        return [filled]
    dropped = np.where((trimmed >= 0) & is_dropped[trimmed], kernels.DROPPED, trimmed)
    return [filled, _placed(records, dropped, chance, adjust, watch)]


def _placed(
    records: Records, labels: Int64Array, chance: Chance, adjust: Adjust, watch: Watch
) -> Int64Array:
    """Removed records in their turns, each where it is closest or costs least."""
    removed = np.flatnonzero(labels == kernels.REMOVED)
    in_turn = removed[np.argsort(chance.turns[removed])]
    labels = labels.copy()
    n_clusters = len(chance.seeds)
    PLACE[adjust](*records[:3], labels, n_clusters, records.k, in_turn, watch.pulse())
    watch.check()
    return labels


def worth_dropping(gains: np.ndarray, sizes: Int64Array, k: int, at_most: int) -> BoolArray:
    """Which clusters below k to suppress: the most gain for a record first, while they fit."""
    is_dropped = np.zeros(len(gains), dtype=np.bool_)
    small = np.flatnonzero((sizes < k) & (gains > 0))
    for cluster in small[np.argsort(-gains[small] / sizes[small], kind="stable")]:
        if sizes[cluster] <= at_most:
            is_dropped[cluster] = True
            at_most -= int(sizes[cluster])
    return is_dropped


def draw(records: Records, seed: int, watch: Watch) -> Chance:
    """floor(n / k) different records, near ones together, and a turn for every record."""
    rng = np.random.default_rng(seed)
    n_records = len(records.row_of)
    seeds = np.sort(rng.choice(n_records, n_records // records.k, replace=False, shuffle=False))
    rows = records.codes[records.row_of[seeds]]
    ones = np.ones(len(seeds), dtype=np.int64)
    near = grow_tree(rows, ones, records.ruler, watch.pulse()).rows
    return Chance(seeds[near], rng.permutation(n_records))


def root_cost(table: Table) -> float:
    """What a suppressed record costs: 1 in every column that has more than one value."""
    return sum(axis.weight for axis in table.axes if axis.n_codes > 1)


def folded(labels: Int64Array, row_of: Int64Array) -> Members:
    """Records of one row and one cluster together; numbers of clusters close up."""
    is_placed = labels >= 0
    labels = np.where(is_placed, np.cumsum(np.bincount(labels[is_placed]) > 0)[labels] - 1, -1)
    rows, clusters, counts = add_up(row_of, labels, np.ones(len(labels), dtype=np.int64))
    return Members(rows, counts, clusters)
