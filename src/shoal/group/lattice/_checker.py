"""Evaluating a node: which groups (equivalence classes) fail, and what the node costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from shoal.group.lattice._grid import Node
from shoal.group.lattice._judge import Groups, Judge
from shoal.group.lattice._matched_rows import MatchedRows, PopulationLevels
from shoal.group.lattice._rows import PERSON, RollUp, Rows, label_keys
from shoal.group.parts.people import PeopleOfParts
from shoal.group.parts.stats import stats_of
from shoal.group.parts.threads import Spread
from shoal.kernels.value_counts import count_values
from shoal.types.algorithm import Limits
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.metric import AnyMetric
from shoal.types.people import NO_PERSON, PeopleOfRows
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats, ValueCounts
from shoal.types.table import Table


class Check(NamedTuple):
    """What was found at a node.

    `holds`: all models hold after suppressing few enough groups; `holds_above` and `fails_below`
    say that every more general node holds, or that every less general node fails. `cost` is
    that of the metric; `floor` is a lower bound of the cost of the node and all above it.
    """

    node: Node
    holds: bool
    holds_above: bool
    fails_below: bool
    n_failing: int
    cost: float
    floor: float
    sizes: Int64Array


class Checker:
    """Checks nodes, several at once on all cores, and counts them."""

    def __init__(
        self, table: Table, privacy: Privacy, limits: Limits, *, metric: AnyMetric, spread: Spread
    ) -> None:
        self.table = table
        self.privacy = privacy
        self.metric = metric
        self.limit = limits.suppression
        self.n_records = table.n_records
        self.n_checks = 0
        self.watch = spread.watch
        self.roll_up = RollUp(table, privacy.columns, spread)
        self.judge = Judge(table, self.roll_up, limits.already_suppressed)
        self.populations = {
            name: PopulationLevels(people, table, self.roll_up)
            for name, people in table.populations.items()
        }
        self.grid = self.roll_up.grid
        # Groups grow towards the top. So what holds goes on holding where models survive that,
        # or where nothing is suppressed and they survive the merging of groups that all hold.
        self.is_monotone = privacy.survives_growth or (
            limits.suppression == 0 and privacy.survives_merging
        )

    def check(self, nodes: Sequence[Node]) -> list[Check]:
        self.n_checks += len(nodes)
        return [self._check(*pair) for pair in zip(nodes, self.roll_up.at(nodes), strict=True)]

    def floors(self, levels: Int64Array) -> FloatArray:
        """What nodes [n, columns] cost with nothing suppressed; 0 where that needs their groups."""
        if self.metric.bound != "levels":
            return np.zeros(len(levels))
        return np.asarray(self.metric.measure(self.judge.unsuppressed(levels)), dtype=np.float64)

    def groups_at(self, node: Node) -> tuple[Groups, GroupStats]:
        """The groups at a node, with those to be suppressed, and what models look at."""
        (rows,) = self.roll_up.at([node])
        first, stats = self.stats(node, rows)
        return Groups(rows, first, stats.entries, self.privacy.to_suppress(stats)), stats

    def _check(self, node: Node, rows: Rows) -> Check:
        self.watch.check()
        first, stats = self.stats(node, rows)
        lasting = self.privacy.lasting_failures(stats)
        fails = lasting
        if not self.privacy.survives_growth:
            fails = self.privacy.to_suppress(stats, self.limit)
        n_failing = int(stats.entries[fails].sum())
        n_lasting = int(stats.entries[lasting].sum())
        holds = self._is_enough(n_failing)
        groups = Groups(rows, first, stats.entries, fails)
        return Check(
            node=node,
            holds=holds,
            holds_above=holds and self.is_monotone,
            fails_below=not holds if self.is_monotone else not self._is_enough(n_lasting),
            n_failing=n_failing,
            cost=self.metric.measure(self.judge.at(node, groups)) if holds else np.inf,
            floor=self._floor(node, groups),
            sizes=stats.sizes,
        )

    def _is_enough(self, n_failing: int) -> bool:
        """Whether so many may be suppressed, and some records are left then."""
        return n_failing <= self.limit and n_failing < self.n_records

    def _floor(self, node: Node, groups: Groups) -> float:
        if self.metric.bound == "levels":
            return 0.0  # the chart knows it from the levels
        everything = groups._replace(fails=np.zeros_like(groups.fails))
        return self.metric.measure(self.judge.at(node, everything))

    def stats(self, node: Node, rows: Rows) -> tuple[Int64Array, GroupStats]:
        """A row of each group at a node, and what models look at."""
        if self.roll_up.apart.names:
            labels, first = label_keys(rows.keys[:, : self.roll_up.n_words])
            sizes = np.bincount(labels, weights=rows.counts, minlength=len(first)).astype(np.int64)
        else:  # a row is a group, and no model looks at its values
            labels, first = np.empty(0, dtype=np.int32), np.arange(len(rows.counts))
            sizes = rows.counts
        people = self.table.people

        def count(name: str, n_codes: int) -> ValueCounts:
            if people is not None:
                return self._people(people, rows, labels, len(first), name).values(0, n_codes)
            codes = self.roll_up.codes_apart(rows, name)
            return ValueCounts(*count_values(labels, codes, rows.counts, len(first), n_codes))

        def match(file: str, stats: GroupStats) -> MatchedRows:
            return self.populations[file].at(node, rows, self.roll_up.n_words)

        n_people = None
        if people is not None and people.may_meet:
            n_people = self._people(people, rows, labels, len(first)).sizes()
        return first, stats_of(self.table, sizes, count=count, match=match, people=n_people)

    def _people(
        self, people: PeopleOfRows, rows: Rows, labels: Int32Array, n_groups: int, *names: str
    ) -> PeopleOfParts:
        """The people of rows, with the sets of values that they have in some columns."""
        person = np.full(len(rows.counts), NO_PERSON, dtype=np.int32)
        if people.may_meet:
            person = self.roll_up.codes_apart(rows, PERSON) + NO_PERSON
        sets = [self.roll_up.codes_apart(rows, name) for name in names]
        of_rows = replace(
            people,
            person=person,
            sets=np.stack(sets, axis=1) if sets else np.empty((len(person), 0), dtype=np.int32),
            values=tuple(people.values[self.table.place(name) or 0] for name in names),
        )
        return PeopleOfParts(of_rows, rows.counts, labels, n_groups)
