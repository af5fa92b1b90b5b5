"""Special uniques (SUDA): the small combinations of columns that make a record unique.

A *minimal sample unique* (MSU) of a record is a set of columns on which no other record equals it,
while on every smaller part of the set another one does. The fewer columns it has, and the more of
them a record has, the rarer is the person.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from shoal.errors import BadOption
from shoal.kernels.uniqueness import refine
from shoal.risks.choice import Places
from shoal.risks.rows import Rows
from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.watch import Watch

Scale = Literal["factorial", "share"]
MOST = 200_000  # combinations of columns


class Found(NamedTuple):
    """What was found of the rows that are unique: of `rows`, in their order.

    `n_by_size`: how many of them have an MSU of so many columns. `scores` are sums of the weights
    of their MSUs, `of_columns` of those that contain each column.
    """

    rows: Int64Array
    scores: FloatArray
    of_columns: FloatArray  # rows × columns
    n_by_size: dict[int, int]


def weight(size: int, n_columns: int, scale: Scale) -> float:
    """What an MSU of so many columns adds to a score.

    >>> [weight(size, 4, "factorial") for size in (1, 2, 3, 4)]
    [6.0, 2.0, 1.0, 1.0]
    >>> weight(1, 4, "share"), weight(4, 4, "share")
    (1.75, 0.0)
    """
    rest = n_columns - size
    if scale == "factorial":
        return float(math.factorial(rest))
    return float(2**rest - 1) / math.comb(n_columns, size)


def special_uniques(
    table: Rows,
    is_missing: Sequence[BoolArray],
    *,
    largest: int,
    scale: Scale,
    threads: int = 1,
    watch: Watch | None = None,
) -> Found:
    """All MSUs of up to `largest` columns. `is_missing`: for each column, the rows without a value.

    A missing value counts as a value when rows are compared, but no MSU contains it: an attacker
    does not know that somebody did not answer.
    """
    n_columns = len(table.columns)
    rows = np.flatnonzero(table.weights == 1)  # only who is unique in all columns can be in fewer
    search = _Search(table, rows, np.stack([m[rows] for m in is_missing], axis=1), watch or Watch())
    scores, of_columns = np.zeros(len(rows)), np.zeros((len(rows), n_columns))
    n_by_size = {}
    sizes = range(1, min(largest, n_columns) + 1)
    refuse_many(n_columns, len(sizes))
    search.watch.begin("combinations", n_combinations(n_columns, len(sizes)))
    with ThreadPoolExecutor(threads) as pool:
        for size in sizes:
            n_found = np.zeros(len(rows), dtype=np.int64)
            n_with = np.zeros((len(rows), n_columns), dtype=np.int64)
            for places, found in search.minimal(size, pool):
                n_found[found] += 1
                n_with[np.ix_(found, np.array(places))] += 1
            scores += weight(size, n_columns, scale) * n_found
            of_columns += weight(size, n_columns, scale) * n_with
            n_by_size[size] = int(np.count_nonzero(n_found))
    return Found(rows, scores, of_columns, n_by_size)


def n_combinations(n_columns: int, largest: int) -> int:
    return sum(math.comb(n_columns, size) for size in range(1, largest + 1))


def refuse_many(n_columns: int, largest: int) -> None:
    if n_combinations(n_columns, largest) > MOST:
        raise BadOption(
            f"There are {n_combinations(n_columns, largest):,} combinations of up to {largest} of "
            f"{n_columns} columns, and at most {MOST:,} are looked at. Choose a smaller size."
        )


class _Search:
    """Size by size: unique on a combination, and on none that has one column less."""

    def __init__(self, table: Rows, rows: Int64Array, is_missing: BoolArray, watch: Watch) -> None:
        self.table, self.is_missing, self.watch = table, is_missing, watch
        self._n = len(rows)
        self._place = np.full(len(table.weights), -1, dtype=np.int64)
        self._place[rows] = np.arange(len(rows))
        self._unique: dict[Places, np.ndarray] = {(): np.packbits(np.zeros(self._n, np.bool_))}

    def minimal(self, size: int, pool: ThreadPoolExecutor) -> Iterator[tuple[Places, Int64Array]]:
        """Every combination of a size, and the rows of which it is an MSU."""
        n_columns, unique = len(self.table.columns), {}
        parents = list(combinations(range(n_columns), size - 1))
        for found in pool.map(self._children, parents):
            unique.update(found)
            self.watch.look()
        before, self._unique = self._unique, unique
        for places, bits in unique.items():
            for smaller in combinations(places, size - 1):
                bits = bits & ~before[smaller]
            is_minimal = np.unpackbits(bits, count=self._n).astype(np.bool_)
            is_minimal &= ~self.is_missing[:, places].any(axis=1)
            yield places, np.flatnonzero(is_minimal)

    def _children(self, parent: Places) -> dict[Places, np.ndarray]:
        """The rows that are unique on a combination and one more column behind its last."""
        self.watch.check()
        behind = range(parent[-1] + 1 if parent else 0, len(self.table.columns))
        if not behind:
            return {}
        n_rows = len(self.table.weights)
        rows = np.arange(n_rows, dtype=np.int32)
        starts = np.array([0, n_rows], dtype=np.int64)
        for place in parent:
            rows, starts, _ = refine(rows, starts, *self._column(place))
        found, known = {}, self._unique[parent]
        for place in behind:
            *_, alone = refine(rows, starts, *self._column(place))
            found[*parent, place] = known | self._bits(alone)
            self.watch.pulse().done[0] += 1
        return found

    def _bits(self, rows: Int32Array) -> np.ndarray:
        places = self._place[rows]
        is_there = np.zeros(self._n, dtype=np.bool_)
        is_there[places[places >= 0]] = True  # others stand for several records
        return np.packbits(is_there)

    def _column(self, place: int) -> tuple[Int32Array, int]:
        return self.table.columns[place], self.table.n_codes[place]


def dis_scores(scores: FloatArray, n_pairs: int, n_columns: int, share: float) -> FloatArray:
    """The probability that a match is right (data intrusion simulation), by score.

    `n_pairs`: records in classes of two. `share`: the part of the population that the table is
    thought to be. Without classes of two nothing is known against a match: 1.
    """
    dis = np.zeros(len(scores))
    is_unique = scores > 0
    if n_pairs == 0:
        dis[is_unique] = 1.0
        return dis
    power = 1 + (8 - n_columns) / 20
    found = scores[is_unique]
    a = math.fsum((found**-power).tolist())
    dis[is_unique] = 1 / (1 + n_pairs * (1 - share) / share / (found**power * a))
    return dis
