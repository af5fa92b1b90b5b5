"""The rows of a table at any node, each with its number of records.

The rows of a node come from those of a less general one, never from the table again. Columns are
generalised one after another in a fixed order, so that nodes share the steps they have in common:
the rows at (3, 1, 2) come from those at (3, 1, 0), which come from those at (3, 0, 0). Rows are
memoised in an LRU cache.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.group.lattice._grid import Grid, Node
from shoal.group.parts.threads import Spread
from shoal.kernels import roll_up as kernels
from shoal.kernels.number_keys import number_keys
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.people import NO_PERSON
from shoal.types.table import Table

WORD = 64  # bits
ROWS_OF_A_UNIT = 16  # of work: rolling up is much less than what a row costs elsewhere
MOST_BYTES = 128_000_000  # of rows that are kept for later nodes


class Rows(NamedTuple):
    """Different rows of codes, packed into keys, and the records of each."""

    keys: np.ndarray  # uint64[rows, words]
    counts: Int64Array

    @property
    def n_bytes(self) -> int:
        return int(self.keys.nbytes + self.counts.nbytes)


class Fields(NamedTuple):
    """Where the columns lie in a key."""

    words: Int64Array
    shifts: np.ndarray  # uint64
    masks: np.ndarray  # uint64, to be applied after the shift


class Step(NamedTuple):
    """From the rows at one node to those at another that differs in one column."""

    source: Node
    target: Node
    column: int


class KeptApart(NamedTuple):
    """What tells rows apart that have the same quasi-identifiers, and is not generalised."""

    names: tuple[str, ...]
    n_codes: tuple[int, ...]
    codes: Int32Array  # [rows, names]
    has_all: bool  # whether different rows of the table stay different


PERSON = ""  # the name of what tells people apart; columns have longer ones


def kept_apart(table: Table, sensitive: Sequence[str]) -> KeptApart:
    """Sensitive columns, by values or sets of them, and the people who can meet in a group."""
    chosen = [i for i, c in enumerate(table.sensitive_columns) if c.name in sensitive]
    names = [table.sensitive_columns[i].name for i in chosen]
    has_all = len(chosen) == len(table.sensitive_columns)
    people = table.people
    if people is None:
        n_codes = [table.sensitive_columns[i].n_codes for i in chosen]
        return KeptApart(tuple(names), tuple(n_codes), table.sensitive[:, chosen], has_all)
    n_codes, codes = [people.values[i].n_sets for i in chosen], people.sets[:, chosen]
    if people.may_meet:
        names, n_codes = [*names, PERSON], [*n_codes, people.n_repeated + 1]
        codes = np.column_stack([codes, people.person - NO_PERSON])
    return KeptApart(tuple(names), tuple(n_codes), codes, has_all)


class RollUp:
    """Gives the rows at any node.

    `n_rolled_up` counts the steps that this took, `n_read` the rows that they began with.
    """

    def __init__(self, table: Table, sensitive: Sequence[str], spread: Spread) -> None:
        """Only the sensitive columns named here are told apart, and people who can meet."""
        self.apart = kept_apart(table, sensitive)
        self.grid = Grid(tuple(axis.height for axis in table.axes))
        self.axes = table.axes
        self.n_rolled_up = 0
        self.n_read = 0
        self.fields, self.n_words = _fields([axis.n_codes for axis in self.axes], 0)
        self.fields_apart, n_words = _fields(self.apart.n_codes, self.n_words)
        self._spread = spread
        self.tables = [_codes_by_level(axis) for axis in self.axes]
        self._order = _most_telling_first(table, self.grid)
        self._kept: OrderedDict[Node, Rows] = OrderedDict()
        self._n_bytes = 0
        self._base = self._pack(table, n_words)

    def at(self, nodes: Sequence[Node]) -> list[Rows]:
        """The rows at each node, the steps of all of them taken in parallel."""
        have = {self.grid.bottom: self._base}
        needed: dict[int, dict[Node, Step]] = {column: {} for column in self._order}
        for node in nodes:
            for step in reversed(self._way(node)):
                if step.target in needed[step.column] or self._recall(step.target, have):
                    break
                needed[step.column][step.target] = step
        for column in self._order:
            self._take(list(needed[column].values()), have)
        return [have[node] for node in nodes]

    def codes(self, rows: Rows, column: int, chosen: Int64Array) -> Int32Array:
        """What some rows have in a quasi-identifier: the first leaf of a node stands for it."""
        words, shifts, masks = (field[column] for field in self.fields)
        codes: Int32Array = kernels.unpack_column(rows.keys, chosen, words, shifts, masks)
        return codes

    def codes_apart(self, rows: Rows, name: str) -> Int32Array:
        """What rows have in a column that is kept apart."""
        column = self.apart.names.index(name)
        words, shifts, masks = (field[column] for field in self.fields_apart)
        every = np.arange(len(rows.counts))
        codes: Int32Array = kernels.unpack_column(rows.keys, every, words, shifts, masks)
        return codes

    def _way(self, node: Node) -> list[Step]:
        """The steps from the bottom to a node, columns in the fixed order."""
        steps = []
        source = self.grid.bottom
        for column in self._order:
            if node[column]:
                target = (*source[:column], node[column], *source[column + 1 :])
                steps.append(Step(source, target, column))
                source = target
        return steps

    def _take(self, steps: list[Step], have: dict[Node, Rows]) -> None:
        """Roll up; steps of one column depend on none of each other."""
        results: list[Rows | None] = [None] * len(steps)
        sources = [have[step.source] for step in steps]

        def work(share: Int64Array) -> None:
            for i in share:
                results[i] = self._roll_up(sources[i], steps[i])

        if steps:
            sizes = np.array([len(source.counts) for source in sources]) // ROWS_OF_A_UNIT
            self._spread(work, np.arange(len(steps)), sizes)
        self.n_read += sum(len(source.counts) for source in sources)
        for step, rows in zip(steps, results, strict=True):
            assert rows is not None
            have[step.target] = rows
            self.n_rolled_up += 1
            if step.column != self._order[-1]:  # else nothing is rolled up from it
                self._keep(step.target, rows)

    def _roll_up(self, source: Rows, step: Step) -> Rows:
        word, shift, mask = (field[step.column] for field in self.fields)
        table = self.tables[step.column][step.target[step.column]]
        return Rows(*kernels.roll_up(source.keys, source.counts, word, shift, mask, table))

    def _recall(self, node: Node, have: dict[Node, Rows]) -> bool:
        if node not in have and node in self._kept:
            self._kept.move_to_end(node)
            have[node] = self._kept[node]
        return node in have

    def _keep(self, node: Node, rows: Rows) -> None:
        """Add rows to the LRU cache; the least recently used are dropped when it is full."""
        self._kept[node] = rows
        self._n_bytes += rows.n_bytes
        while self._n_bytes > MOST_BYTES and self._kept:
            self._n_bytes -= self._kept.popitem(last=False)[1].n_bytes

    def _pack(self, table: Table, n_words: int) -> Rows:
        codes = np.hstack([table.codes, self.apart.codes])
        words, shifts, _ = (
            np.concatenate(pair) for pair in zip(self.fields, self.fields_apart, strict=True)
        )
        keys = kernels.pack_rows(codes, words, shifts, max(n_words, 1))
        if self.apart.has_all:
            return Rows(keys, table.weights)
        # Rows that differ in other sensitive columns only are equal here.
        same = self.tables[0][0]
        return Rows(*kernels.roll_up(keys, table.weights, 0, shifts[0], self.fields.masks[0], same))


def _fields(n_codes: Sequence[int], from_word: int) -> tuple[Fields, int]:
    """Room for the codes of each column, no field lying in two words; and the next free word."""
    words, shifts, masks = [], [], []
    word, used = from_word, 0
    for n in n_codes:
        bits = max(1, (n - 1).bit_length())
        if used + bits > WORD:
            word, used = word + 1, 0
        words.append(word)
        shifts.append(used)
        masks.append((1 << bits) - 1)
        used += bits
    fields = Fields(
        np.array(words, np.int64), np.array(shifts, np.uint64), np.array(masks, np.uint64)
    )
    return fields, word + (used > 0)


def _codes_by_level(axis: Axis) -> list[Int32Array]:
    """For each level, the code that stands for the node above every code: the first below it."""
    tables = map(axis.nodes_at, range(axis.height + 1))
    return [np.searchsorted(nodes, nodes).astype(np.int32) for nodes in tables]


def _most_telling_first(table: Table, grid: Grid) -> tuple[int, ...]:
    """Columns that can be generalised; first those that make most rows equal when they are."""
    bits = {}
    for i in grid.columns:
        counts = np.bincount(table.codes[:, i], weights=table.weights)
        shares = counts[counts > 0] / table.n_records
        bits[i] = -float((shares * np.log2(shares)).sum())
    return tuple(sorted(grid.columns, key=lambda i: (-bits[i], i)))


def label_keys(keys: np.ndarray) -> tuple[Int32Array, Int64Array]:
    """Number equal keys, uint64[n, words], by first appearance, and say where that is."""
    words = [np.ascontiguousarray(word).view(np.int64) for word in keys.T]
    labels, first = number_keys(words[0])
    for word in words[1:]:
        numbers, others = number_keys(word)
        labels, first = number_keys(labels.astype(np.int64) * len(others) + numbers)
    return labels, first
