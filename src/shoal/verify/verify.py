"""Counting the published cells anew and asking every model about them.

Nothing here comes from `encode`, `group` or `kernels`: the table is looked at as a recipient
would look at it, as text in columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from shoal.read.sensitive import CodedSensitive
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.hierarchy import ROOT
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of, settings_of
from shoal.types.privacy import Privacy, achieved, groups_hold
from shoal.types.schema import ColumnSpec
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.unit import PERSON, RECORD
from shoal.types.verdict import Finding, Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.disclosed import disclosed_by
from shoal.verify.population import MatchedPeople

ROW = "row"
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
    persons: Int64Array | None = None,
    disclosing: Mapping[str, ColumnSpec] | None = None,
    watch: Watch | None = None,
) -> Verdict:
    """Whether the published cells keep every model, and no withheld column is among them.

    `sensitive` are the columns that models are about, read from the published table; they know
    the values of the original where somebody has it. `counts` are the records that each published
    row stands for; without them, each is one. `persons` numbers the people behind the rows, if they
    are known: then these are counted. `disclosing` are the quasi-identifiers whose cells may tell
    more than what they cover.
    """
    cells = pl.DataFrame({str(i): published[name] for i, name in enumerate(quasi)})
    if not quasi:  # then all rows look alike
        cells = pl.DataFrame({"0": pl.repeat(ROOT, published.height, eager=True)})
    groups = count_groups(
        cells, sensitive, populations or {}, counts=counts, persons=persons, watch=watch
    )
    stats, told = groups.stats, disclosing or {}
    n_records = cells.height if counts is None else int(counts.sum())
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
        n_people=None if persons is None else pl.Series(persons).n_unique(),
        discloses=disclosed_by(
            {name: groups.cells[str(i)] for i, name in enumerate(quasi) if name in told},
            told,
            groups.n_records,
        ),
    )


class Groups(NamedTuple):
    """Equal rows of cells, one row for each different one, with what models ask about them."""

    cells: pl.DataFrame
    n_records: Int64Array
    stats: GroupStats


def count_groups(
    cells: pl.DataFrame,
    sensitive: Mapping[str, CodedSensitive],
    populations: Mapping[str, People],
    *,
    counts: Int64Array | None = None,
    persons: Int64Array | None = None,
    watch: Watch | None = None,
) -> Groups:
    """Sizes of the groups of equal rows of cells and, when asked for, whatever models look at."""
    names = cells.columns
    if not sensitive and not populations and persons is None:
        counted = cells if counts is None else cells.with_columns(pl.Series(ROW, counts))
        size = pl.len().alias(ROW) if counts is None else pl.col(ROW).sum()
        grouped = counted.group_by(names).agg(size)
        sizes = _whole(grouped[ROW])
        return Groups(grouped, sizes, GroupStats(sizes, {}))
    grouped = cells.with_row_index(ROW).group_by(names).agg(pl.col(ROW))
    members = grouped[ROW]
    n_rows = _whole(members.list.len())
    group = np.empty(cells.height, dtype=np.int64)
    group[members.explode().to_numpy()] = np.repeat(np.arange(len(n_rows)), n_rows)
    n_records = n_rows if counts is None else np.bincount(group, counts).astype(np.int64)
    sizes = n_records if persons is None else _n_different(group, persons)

    def match(people: People) -> MatchedPeople:
        texts = {
            name: [
                None if text in people.missing_values else text
                for text in grouped[i].cast(pl.String).to_list()
            ]
            for i, name in zip(names, people.columns, strict=True)
        }
        return MatchedPeople(texts, people.columns, people.specs, watch)

    stats = GroupStats(
        sizes,
        {name: partial(_count_values, group, counts, persons, c) for name, c in sensitive.items()},
        columns={name: coded.column for name, coded in sensitive.items()},
        matches={name: partial(match, people) for name, people in populations.items()},
        counts_people=persons is not None,
    )
    return Groups(grouped, n_records, stats)


def number_people(names: pl.DataFrame, missing_values: Sequence[str] = ("",)) -> Int64Array:
    """Equal rows of what tells people apart get equal numbers; who is missing is alone.

    >>> number_people(pl.DataFrame({"id": ["b", "a", "", "b", ""]})).tolist()
    [0, 1, 5, 0, 6]
    """
    texts = [_as_text(column).alias(str(i)) for i, column in enumerate(names)]
    nothing = ["", *missing_values]
    frame = pl.DataFrame([text.set(text.is_in(nothing), None) for text in texts])
    first = frame.with_row_index(ROW).select(pl.col(ROW).first().over(frame.columns)).to_series()
    is_known = frame.select(pl.all_horizontal(pl.all().is_not_null())).to_series().to_numpy()
    alone = frame.height + np.cumsum(~is_known) - 1
    return np.where(is_known, first.to_numpy().astype(np.int64), alone)


def _as_text(column: pl.Series) -> pl.Series:
    """Text that is equal where values are; what is not a number is missing."""
    if column.dtype.is_float():
        column = column.fill_nan(None)
        column = column.set(column == 0, 0.0)  # -0 is 0
    return column.cast(pl.String)


def _n_different(group: Int64Array, persons: Int64Array) -> Int64Array:
    """How many different people have a row in each group."""
    pairs = pl.DataFrame({"group": group, "person": persons}).unique()
    return np.bincount(pairs["group"].to_numpy()).astype(np.int64)


def _count_values(
    group: Int64Array,
    counts: Int64Array | None,
    persons: Int64Array | None,
    coded: CodedSensitive,
) -> ValueCounts:
    """How often each value occurs in each group, or how many people have it there."""
    n_values, n_groups = coded.column.n_codes, int(group.max(initial=-1)) + 1
    keys = group * n_values + coded.codes
    if persons is not None:
        different = pl.DataFrame({"key": keys, "person": persons}).unique()
        pairs, times = np.unique(different["key"].to_numpy(), return_counts=True)
    elif counts is None:
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
    holds = groups_hold(model, stats)
    worst = achieved(model, stats) if stats.n_groups else None
    unit = PERSON if stats.counts_people else RECORD
    return Finding(
        model=name_of(model),
        column=model.about.column,
        required=required_of(model),
        achieved=worst,
        holds=bool(holds.all()),
        demand=model.demand(unit),
        found="No record was released." if worst is None else model.found(worst, unit),
        n_failing_groups=int((~holds).sum()),
        n_failing_records=int(stats.sizes[~holds].sum()),
        failing_sizes=tuple(np.sort(stats.sizes[~holds])[:WORST].tolist()),
    )


def required_of(model: PrivacyModel) -> dict[str, Any]:
    """The settings of a model, as reports show them."""
    required = {name: value for name, value in settings_of(model).items() if name != "column"}
    if model.about.population is not None:  # by its name: folders are private
        required["population"] = Path(model.about.population).name
    return required
