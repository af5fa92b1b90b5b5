"""`shoal explain`: what costs the loss of a release, and what would save how much, by trying."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

import numpy as np

from shoal import catalog
from shoal.errors import BadOption, CannotSatisfy, counted
from shoal.group.auto import work_of
from shoal.metrics.loss import loss_by_column
from shoal.policy.policy import Policy
from shoal.read.given import source_of
from shoal.read.source import Source
from shoal.recode.recode import place
from shoal.runs.prepare import Prepared, prepare, read_people
from shoal.runs.search import Found, search
from shoal.runs.stages import Stages
from shoal.runs.trials import Change, k_of, more_suppression, other_algorithms
from shoal.runs.warm_up import warm_up
from shoal.types.arrays import SUPPRESSED, FloatArray, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.explanation import Explanation, Kind, Saving, in_order_of_worth
from shoal.types.frames import File, Given
from shoal.types.named import name_of
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.watch import Watch

KINDS: tuple[Kind, ...] = get_args(Kind)
BUDGET, BUDGET_IN_SHORT = 24, 4  # runs
MOST_WORK_IN_SHORT = 1.0  # of each, in millions of rows looked at
FEW = 0.01  # of the records
LIGHT = 0.1  # times the weight that a column has


def explain(
    frame: Given,
    policy: Policy | Mapping[str, Any] | File,
    *,
    budget: int = BUDGET,
    threads: int | None = None,
    watch: Watch | None = None,
) -> Explanation:
    """Say why a release of a polars, pandas or pyarrow table, or of a file, loses so much.

    At most `budget` changes of the policy are tried, one at a time: other algorithms, a smaller k,
    more suppression, each column left out, published finer or let become coarser, the costliest
    records left out. Nothing is released.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [20, 22, 40, 90], "job": ["cook", "cook", "maid", "maid"]})
    >>> policy = shoal.Policy.of_roles(quasi=["age", "job"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.explain(people, policy, budget=6)
    >>> max(found.loss_by_column, key=found.loss_by_column.get)
    'age'
    """
    stages = Stages(watch=watch)
    return explain_table(
        source_of(frame), Policy.of(policy), budget=budget, threads=threads, stages=stages
    )


def explain_table(
    source: Source,
    policy: Policy,
    *,
    budget: int = BUDGET,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Explanation:
    """The same for a table as it was read."""
    if budget < 1:
        raise BadOption("budget must be a number of runs, at least 1")
    stages = stages or Stages()
    with stages("compile"):
        warm_up(policy)
    schema = policy.schema_for(source.frame.columns)
    prepared = prepare(source, policy, schema, threads=threads, stages=stages)
    return explain_prepared(prepared, budget=budget)


def explain_prepared(
    prepared: Prepared, *, budget: int = BUDGET, kinds: Sequence[Kind] = KINDS
) -> Explanation:
    """The same for a table that is prepared already, and some kinds of changes."""
    base = _Base.of(prepared, search(prepared))
    trials = [trial for kind, trial in _trials(base) if kind in kinds]
    savings: list[Saving] = []
    n_failed, watch = 0, prepared.stages.watch
    for n_tried, trial in enumerate(trials[:budget]):
        watch.begin("changes", min(budget, len(trials)))
        watch.report(n_tried)
        try:
            savings.append(trial())
        except CannotSatisfy:
            n_failed += 1
    return Explanation(
        loss=base.loss,
        loss_by_column=base.losses,
        savings=in_order_of_worth(savings),
        n_runs=1 + len(savings) + n_failed,
        n_not_tried=max(0, len(trials) - budget),
        n_failed=n_failed,
    )


def explain_in_short(source: Source, policy: Policy, *, stages: Stages) -> Explanation | None:
    """A few changes, for a dossier; None where the algorithm takes long on such a table."""
    if name_of(policy.algorithm) not in catalog.names("algorithm"):  # levels of an earlier release
        return None
    schema = policy.schema_for(source.frame.columns)
    prepared = prepare(source, policy, schema, stages=stages)
    table = prepared.encoded_for(policy.algorithm).encoding.table
    if work_of(policy.algorithm, table) > MOST_WORK_IN_SHORT:
        return None
    return explain_prepared(prepared, budget=BUDGET_IN_SHORT, kinds=("k", "suppression", "column"))


@dataclass(frozen=True, eq=False, repr=False)
class _Base:
    """What the policy as it is gives."""

    prepared: Prepared
    found: Found
    losses: Mapping[str, float]

    @classmethod
    def of(cls, prepared: Prepared, found: Found) -> _Base:
        return cls(prepared, found, loss_by_column(found.outcome))

    @property
    def loss(self) -> float:
        return float(np.mean(list(self.losses.values())))

    @property
    def share_suppressed(self) -> float:
        return self.found.outcome.n_suppressed / self.found.outcome.n_records


Trial = tuple[Kind, Callable[[], Saving]]


def _trials(base: _Base) -> Iterator[Trial]:
    """What is tried, what most people would try first."""
    prepared, policy = base.prepared, base.prepared.policy
    k = Privacy(policy.privacy).k
    if k > 2:
        yield "k", partial(_smaller_k, base, k)
    for change in more_suppression(policy):
        yield "suppression", partial(_changed, base, change)
    for change in other_algorithms(prepared):
        yield "algorithm", partial(_changed, base, change)
    if prepared.source.counts is None:
        yield "records", partial(_without_records, base)
    yield from _of_columns(base)


def _of_columns(base: _Base) -> Iterator[Trial]:
    """What is tried with each column, the costliest first."""
    worst_first = sorted(base.losses, key=lambda name: -base.losses[name])
    if len(worst_first) == 1:
        worst_first = []
    for name in worst_first:
        if name not in base.prepared.policy.person:
            yield "column", partial(_without_column, base, name)
    for name in base.losses:
        if (finer := _finer(base.prepared, name)) is not None:
            yield "finer", partial(_respecified, base, "finer", name, finer)
    for name in worst_first[:-1]:
        light = _light(base.prepared, name)
        yield "coarser", partial(_respecified, base, "coarser", name, light)


def _smaller_k(base: _Base, k: int) -> Saving:
    change = k_of(base.prepared.policy, k - 1)
    found = search(base.prepared.under(change.policy))
    return _saving(
        base, "k", change.line, found, 1 / (k - 1) - 1 / k,
        f"groups of {k - 1} in place of {k}",
    )  # fmt: skip


def _changed(base: _Base, change: Change) -> Saving:
    """Another algorithm, or more suppression: what it gives up are records."""
    found = search(base.prepared.under(change.policy))
    outcome = found.outcome
    more = outcome.n_suppressed / outcome.n_records - base.share_suppressed
    kind: Kind = "algorithm" if change.kind == "algorithm" else "suppression"
    price = f"{more:.2%} more of the records" if more > 0 else "nothing"
    return _saving(base, kind, change.line, found, max(0.0, more), price)


def _saving(
    base: _Base, kind: Kind, line: str, found: Found, gives_up: float, price: str
) -> Saving:
    loss = float(np.mean(list(loss_by_column(found.outcome).values())))
    return Saving(kind, line, loss, base.loss - loss, gives_up, price)


def _without_column(base: _Base, name: str) -> Saving:
    """The column is not released: what the others lose then."""
    prepared, n = base.prepared, len(base.losses)
    losses = loss_by_column(search(_with_spec(prepared, name, ColumnSpec("drop"))).outcome)
    others = sum(loss for other, loss in base.losses.items() if other != name)
    saved = (others - sum(losses.values())) / n
    left = (1 - base.losses[name]) / n
    return Saving(
        kind="column",
        line=f"columns.{name}: drop",
        loss=float(np.mean(list(losses.values()))),
        saves=saved,
        gives_up=left,
        price=f"what is left of {name!r}, {1 - base.losses[name]:.1%} of its detail",
        column=name,
    )


def _respecified(base: _Base, kind: Kind, name: str, spec: ColumnSpec) -> Saving:
    """A column that is published finer, or let become coarser."""
    losses = loss_by_column(search(_with_spec(base.prepared, name, spec)).outcome)
    loss, n = float(np.mean(list(losses.values()))), len(losses)
    if kind == "finer":
        line = f"columns.{name}.publish: {spec.publish}"
        price = "cells that need not be nodes of the hierarchy"
        return Saving(kind, line, loss, base.loss - loss, 0.0, price, name)
    own = (losses[name] - base.losses[name]) / n
    line = f"columns.{name}.weight: {spec.weight:g}"
    price = f"{own * n:.1%} more of the detail of {name!r}" if own > 0 else "nothing"
    return Saving(kind, line, loss, base.loss - loss + own, max(0.0, own), price, name)


def _finer(prepared: Prepared, name: str) -> ColumnSpec | None:
    """The column without the limits of its hierarchy, where it publishes nodes of one."""
    spec = prepared.schema.columns[name]
    if spec.hierarchy is None or prepared.policy.algorithm.traits.publishes_nodes:
        return None
    if spec.publish not in (None, "node"):
        return None
    is_line = prepared.columns[name].kind in ("integer", "number", "date", "datetime", "time")
    return replace(spec, publish="range" if is_line and spec.top is None else "set")


def _light(prepared: Prepared, name: str) -> ColumnSpec:
    """The column with a small weight: a search spares the others first."""
    spec = prepared.schema.columns[name]
    return replace(spec, weight=round(spec.weight * LIGHT, 6))


def _with_spec(prepared: Prepared, name: str, spec: ColumnSpec) -> Prepared:
    """The same table with another use of a column; nothing is read again."""
    columns = {**prepared.policy.columns, name: spec}
    schema = Schema({**prepared.schema.columns, name: spec})
    kept = {
        n: column for n, column in prepared.columns.items() if n != name or spec.role == "quasi"
    }
    policy = replace(prepared.policy, columns=columns, utility=())
    return replace(prepared, policy=policy, schema=schema, columns=kept, _encoded={})


def _without_records(base: _Base) -> Saving:
    """The records that widen their groups most are not in the table: what the others lose then."""
    groups, costs = _groups_of_records(base), _costs(base)
    n_few = max(1, int(FEW * len(costs)))
    forced = np.where(groups == SUPPRESSED, -1.0, _forced(base, groups))
    order = np.lexsort((-costs, -forced))
    rest = np.sort(order[n_few:])
    found = search(_only(base.prepared, rest))
    loss = float(np.mean(list(loss_by_column(found.outcome).values())))
    share = n_few / len(costs)
    return Saving(
        kind="records",
        line=f"suppression: {share:.4f}".rstrip("0"),
        loss=loss,
        saves=float(costs[rest].mean()) - loss,
        gives_up=share,
        price=f"{counted(n_few, 'record')} out, furthest from the others of their groups",
    )


def _groups_of_records(base: _Base) -> Int32Array:
    """The group of each record, -1 where it is suppressed."""
    encoded = base.found.encoded
    source, grouping = base.prepared.source, base.found.grouping
    return place(source, encoded.encoding, grouping, encoded.schema).groups


def _costs(base: _Base) -> FloatArray:
    """What each record loses, on average over its cells; all where it is suppressed."""
    of_groups = np.mean([extent.share for extent in base.found.outcome.extents], axis=0)
    return np.asarray(np.append(of_groups, 1.0)[_groups_of_records(base)])


def _forced(base: _Base, groups: Int32Array) -> FloatArray:
    """By how much each record widens its group, over all columns and for all of the group."""
    encoding = base.found.encoded.encoding
    codes = encoding.table.codes[encoding.row_of_record]
    sizes = np.bincount(groups[groups >= 0], minlength=int(groups.max(initial=0)) + 1)
    forced = np.zeros(len(groups))
    for i, axis in enumerate(encoding.table.axes):
        marks = axis.positions[codes[:, i]]
        for side in (marks, -marks):
            forced += _gap(side, groups)
    return np.asarray(forced * np.append(sizes, 0)[groups])


def _gap(marks: FloatArray, groups: Int32Array) -> FloatArray:
    """How far the first record of each group is from the second; 0 for all others."""
    order = np.lexsort((marks, groups))
    sorted_groups = groups[order]
    is_first = np.append(True, sorted_groups[1:] != sorted_groups[:-1])
    first = np.flatnonzero(is_first[:-1] & ~is_first[1:])  # of groups of several
    gaps = np.zeros(len(marks))
    gaps[order[first]] = marks[order[first + 1]] - marks[order[first]]
    return gaps


def _only(prepared: Prepared, records: Int64Array) -> Prepared:
    """Some records of the table; their values keep their meaning."""
    frame = prepared.source.frame[records]
    source = replace(prepared.source, frame=frame, native=None)
    columns = {name: _some(column, records) for name, column in prepared.columns.items()}
    fresh = replace(prepared, source=source, columns=columns, _encoded={})
    return replace(fresh, people=read_people(source, prepared.policy))


def _some(column: RawColumn, records: Int64Array) -> RawColumn:
    return replace(column, codes=column.codes[records])
