"""Which groups of a release were left whole, and what that tells: for strict Mondrian.

Its cuts are known from quasi-identifiers alone. Groups of other algorithms depend on choices that
an adversary cannot repeat without the values, so nothing is concluded from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.attacks.known import KnownPeople
from shoal.attacks.minimality import Belief, Known, Minimality, Undivided, believe, minimality
from shoal.attacks.released import Released
from shoal.group.partition.mondrian import Mondrian
from shoal.group.parts.tried_cuts import TriedCut, tried_cuts
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.prepare import prepare
from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.stats import GroupStats, ValueCounts, Whole
from shoal.types.table import Encoding, Table
from shoal.types.watch import Watch
from shoal.verify.matching import Matching


def why_not(policy: Policy, schema: Schema, n_suppressed: int) -> str | None:
    """Why nothing can be concluded from groups that are whole; None if something can."""
    columns = Privacy(policy.privacy).columns
    algorithm = policy.algorithm
    if not columns:
        return None  # no model is about values, so no cut fails by them
    if not isinstance(algorithm, Mondrian) or not algorithm.strict:
        return "which groups could have been smaller is only known of strict Mondrian"
    if len(columns) > 1:
        return "models are about several sensitive columns"
    if policy.person or Privacy(policy.privacy).populations:
        return "models are about people or a population"
    if n_suppressed:
        return "records were suppressed"
    if any(schema.columns[name].bounds is not None for name in schema.quasi):
        return "ranges end on a grid, which hides how groups were divided"
    return None


def minimality_of(
    release: Released,
    original: Source,
    policy: Policy,
    people: KnownPeople,
    groups: Sequence[Int64Array],
    watch: Watch,
) -> Minimality | None:
    """What is believed of the known people; `groups` are those whose rows each one's can be."""
    schema = policy.schema_for(original.frame.columns)
    prepared = prepare(original, policy, schema, threads=1)
    encoding = prepared.encoded_for(policy.algorithm).encoding
    if encoding.n_suppressed:
        return None
    tried = _Tried(encoding.table, Privacy(policy.privacy))
    if not tried.whole_holds():
        return None  # then groups were divided, or merged, for other reasons
    columns = {name: prepared.columns[name] for name in schema.quasi}
    watch.check()
    wanted = np.unique([g[0] for g in groups if len(g) == 1]).astype(np.int64)
    members = _members(release, wanted, columns, schema, encoding, watch)
    beliefs = tried.believe(members)
    known, record_of = [], dict(zip(range(people.n), people.records.tolist(), strict=True))
    for person, of_person in enumerate(groups):
        found = beliefs.get(int(of_person[0])) if len(of_person) == 1 else None
        if found is not None:
            row = int(encoding.row_of_record[record_of[person]])
            known.append(Known(found.belief, found.class_of_row[row], tried.value_of_row(row)))
    return minimality(tried.column, known, people.n - len(known))


def _members(
    release: Released,
    wanted: Int64Array,
    columns: Mapping[str, RawColumn],
    schema: Schema,
    encoding: Encoding,
    watch: Watch,
) -> dict[int, Int32Array]:
    """The rows of the table behind groups, where just as many records match as are in the group."""
    cells = {}
    for name, column in release.cells.items():
        texts = [*column.labels, None]
        cells[name] = [texts[code] for code in column.codes[release.first_row[wanted]]]
    found = {}
    if len(wanted):
        matching = Matching.of_cells(cells, columns, schema.columns, watch)
        for place, records in matching:
            group = int(wanted[place])
            if len(records) == release.sizes[group]:
                found[group] = np.unique(encoding.row_of_record[records])
    return found


@dataclass(frozen=True, eq=False)
class _GroupBelief:
    belief: Belief
    class_of_row: dict[int, int]


class _Tried:
    """Groups of a table, and what models say of their halves."""

    def __init__(self, table: Table, privacy: Privacy) -> None:
        self._table, self._privacy = table, privacy
        (self.column,) = privacy.columns
        place = table.place(self.column)
        assert place is not None
        self._values = table.sensitive[:, place].astype(np.int64)

    def value_of_row(self, row: int) -> int:
        return int(self._values[row])

    def whole_holds(self) -> bool:
        """Whether one group of all would hold: then every half that Mondrian made held too."""
        totals = self._table.totals[self.column]
        codes = np.flatnonzero(totals)
        return bool(self._holds(codes, totals[codes][np.newaxis])[0])

    def believe(self, members: dict[int, Int32Array]) -> dict[int, _GroupBelief]:
        """What is believed in each group that was certainly left whole."""
        whole = {g: rows for g, rows in members.items() if not self._may_be_several(rows)}
        cuts = tried_cuts(self._table, list(whole.values()), self._privacy.smallest)
        found = {}
        for (group, rows), of_group in zip(whole.items(), cuts, strict=True):
            belief = self._believe(rows, of_group)
            if belief is not None:
                found[group] = belief
        return found

    def _believe(self, rows: Int32Array, cuts: list[TriedCut]) -> _GroupBelief | None:
        """With all cuts or, where that is too much to count, with the first alone."""
        weights, values = self._table.weights[rows], self._values[rows]
        codes, place = np.unique(values, return_inverse=True)
        counts = np.bincount(place, weights).astype(np.int64)

        def holds(many: Int64Array) -> BoolArray:
            return self._holds(codes, many)

        for chosen in (cuts, cuts[:1]):
            sides = [self._table.codes[rows, cut.column] <= cut.code for cut in chosen]
            everywhere = np.ones(len(rows), dtype=np.bool_)  # so that there is a side without cuts
            patterns, of_row = np.unique([everywhere, *sides], axis=1, return_inverse=True)
            of_row = of_row.ravel()
            sizes = np.bincount(of_row, weights).astype(np.int64)
            group = Undivided(codes, tuple(counts.tolist()), tuple(sizes.tolist()), patterns[1:])
            belief = believe(group, holds)
            if belief is not None:
                class_of = dict(zip(rows.tolist(), of_row.tolist(), strict=True))
                return _GroupBelief(belief, class_of)
        return None

    def _holds(self, codes: Int64Array, counts: Int64Array) -> BoolArray:
        """Whether groups with these counts of some values satisfy every model."""
        group, value = np.nonzero(counts)
        starts = np.searchsorted(group, np.arange(len(counts) + 1))
        found = ValueCounts(starts, codes[value].astype(np.int32), counts[group, value])
        table = self._table
        stats = GroupStats(
            counts.sum(axis=1),
            {self.column: lambda: found},
            columns={column.name: column for column in table.sensitive_columns},
            whole=Whole(table.totals, table.n_records),
        )
        return self._privacy.holds(stats)

    def _may_be_several(self, rows: Int32Array) -> bool:
        """Whether several groups could look like this one, and have become one by that."""
        columns = enumerate(self._table.axes)
        return any(_has_equal_halves(axis, self._table.codes[rows, i]) for i, axis in columns)


def _has_equal_halves(axis: Axis, codes: Int32Array) -> bool:
    """Whether the codes can be cut so that both sides need the node that all of them need.

    That takes two children on each side; the first two end where a second child begins.
    """
    tree, different = axis.hierarchy, np.unique(codes)
    if tree is None or axis.publish != "node" or len(different) < 4:
        return False
    last = len(tree.leaves) - 1
    low, high = np.minimum(different[:1], last), np.minimum(different[-1:], last)
    level = tree.height if different[-1] > last else int(tree.level_covering(low, high)[0])
    children = tree.nodes_at(level - 1)[different]
    second = int(np.argmax(children != children[0]))
    return len(np.unique(children[second + 1 :])) > 1
