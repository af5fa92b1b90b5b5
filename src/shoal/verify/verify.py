"""Counting the published cells anew and asking every model about them.

Nothing here comes from `encode`, `group` or `kernels`: the table is looked at as a recipient
would look at it, as text in columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.read.sensitive import CodedSensitive
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of, settings_of
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.verdict import Finding, Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.population import MatchedPeople

RECORD = "record"
WORST = 10  # groups that a finding lists, by their sizes alone


class People(NamedTuple):
    """A population: its quasi-identifiers, in the order of the cells, and what they mean."""

    columns: Mapping[str, RawColumn]
    specs: Mapping[str, ColumnSpec]
    missing_values: Sequence[str] = ("",)  # how a cell says that it is missing


def verify(
    published: pl.DataFrame,
    *,
    quasi: Sequence[str],
    sensitive: Mapping[str, CodedSensitive],
    privacy: Privacy,
    populations: Mapping[str, People] | None = None,
    withheld: Sequence[str] = (),
    counts: Int64Array | None = None,
    watch: Watch | None = None,
) -> Verdict:
    """Whether the published cells keep every model, and no withheld column is among them.

    `sensitive` are the columns that models are about, read from the published table; they know
    the values of the original where somebody has it. `counts` are the records that each published
    row stands for; without them, each is one.
    """
    cells = pl.DataFrame({str(i): published[name] for i, name in enumerate(quasi)})
    stats = count_groups(cells, sensitive, populations or {}, counts, watch)
    n_records = int(stats.sizes.sum())
    sizes, times = np.unique(stats.sizes, return_counts=True)
    return Verdict(
        n_records=n_records,
        n_groups=stats.n_groups,
        group_sizes=dict(zip(sizes.tolist(), times.tolist(), strict=True)),
        findings=tuple(_find(model, stats) for model in privacy),
        leaks=tuple(
            Leak("withheld column", name, n_records)
            for name in withheld
            if name in published.columns
        ),
    )


def count_groups(
    cells: pl.DataFrame,
    sensitive: Mapping[str, CodedSensitive],
    populations: Mapping[str, People],
    counts: Int64Array | None = None,
    watch: Watch | None = None,
) -> GroupStats:
    """Sizes of the groups of equal rows of cells and, when asked for, whatever models look at."""
    names = cells.columns
    if not sensitive and not populations:
        counted = cells if counts is None else cells.with_columns(pl.Series(RECORD, counts))
        size = pl.len().alias(RECORD) if counts is None else pl.col(RECORD).sum()
        return GroupStats(_whole(counted.group_by(names).agg(size)[RECORD]), {})
    members = cells.with_row_index(RECORD).group_by(names).agg(pl.col(RECORD))[RECORD]
    n_rows = _whole(members.list.len())
    group = np.empty(cells.height, dtype=np.int64)
    group[members.explode().to_numpy()] = np.repeat(np.arange(len(n_rows)), n_rows)
    sizes = n_rows if counts is None else np.bincount(group, counts).astype(np.int64)

    def match(people: People) -> MatchedPeople:
        of_groups = cells[members.list.first()]
        texts = {
            name: [
                None if text in people.missing_values else text
                for text in of_groups[i].cast(pl.String).to_list()
            ]
            for i, name in zip(names, people.columns, strict=True)
        }
        return MatchedPeople(texts, people.columns, people.specs, watch)

    return GroupStats(
        sizes,
        {name: partial(_count_values, group, counts, c) for name, c in sensitive.items()},
        columns={name: coded.column for name, coded in sensitive.items()},
        matches={name: partial(match, people) for name, people in populations.items()},
    )


def _count_values(
    group: Int64Array, counts: Int64Array | None, coded: CodedSensitive
) -> ValueCounts:
    """How often each value occurs in each group."""
    n_values, n_groups = coded.column.n_codes, int(group.max(initial=-1)) + 1
    keys = group * n_values + coded.codes
    if counts is None:
        pairs, times = np.unique(keys, return_counts=True)
    else:
        pairs, place = np.unique(keys, return_inverse=True)
        times = np.bincount(place, counts)
    groups, found = np.divmod(pairs, n_values)
    starts = np.searchsorted(groups, np.arange(n_groups + 1))
    return ValueCounts(starts.astype(np.int64), found.astype(np.int32), times.astype(np.int64))


def _whole(series: pl.Series) -> Int64Array:
    return series.to_numpy().astype(np.int64)


def _find(model: PrivacyModel, stats: GroupStats) -> Finding:
    holds = model.holds(stats)
    achieved = model.achieved(stats) if stats.n_groups else None
    required = {name: value for name, value in settings_of(model).items() if name != "column"}
    if model.about.population is not None:  # by its name: folders are private
        required["population"] = Path(model.about.population).name
    return Finding(
        model=name_of(model),
        column=model.about.column,
        required=required,
        achieved=achieved,
        holds=bool(holds.all()),
        demand=model.demand(),
        found="No record was released." if achieved is None else model.found(achieved),
        n_failing_groups=int((~holds).sum()),
        n_failing_records=int(stats.sizes[~holds].sum()),
        failing_sizes=tuple(np.sort(stats.sizes[~holds])[:WORST].tolist()),
    )
