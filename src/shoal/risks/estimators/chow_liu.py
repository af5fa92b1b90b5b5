"""How likely each row of a table is: by a tree of column pairs (Chow and Liu, 1968).

Every column but the first depends on one other, and those pairs are chosen that tell most about
each other. A row's own record is left out when it is judged, or every row would seem likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.risks.rows import Rows
from shoal.types.arrays import FloatArray, Int64Array

SMOOTHING = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)  # records that a margin counts for
OF_ROOT = 0.5
MOST_CELLS = 4_000_000  # of a table of two columns; beyond, only pairs that occur are numbered


class Pairs(NamedTuple):
    """How many records have the values of each row in two columns, and what they tell together."""

    of_row: Int64Array
    information: float  # of one about the other, in nats


class Edge(NamedTuple):
    parent: int
    child: int


def log_probabilities(rows: Rows) -> FloatArray:
    """log of the probability of each row, counted without one of its own records."""
    singles = [_counts(codes, rows.weights) for codes in rows.columns]
    if len(singles) == 1:
        return np.log(_margin(singles[0], rows, 0))
    pairs = _all_pairs(rows, singles)
    edges = spanning_tree(len(singles), {edge: found.information for edge, found in pairs.items()})
    root = edges[0].parent
    log = np.log(_margin(singles[root], rows, root))
    for edge in edges:
        both = pairs[Edge(min(edge), max(edge))].of_row
        margin = _margin(singles[edge.child], rows, edge.child)
        log += _best_smoothed(both - 1, singles[edge.parent] - 1, margin, rows.weights)
    return log


def spanning_tree(n: int, information: dict[Edge, float]) -> list[Edge]:
    """The tree of most information, from the column that tells most about all others."""
    told = np.zeros((n, n))
    for (i, j), value in information.items():
        told[i, j] = told[j, i] = value
    reached = [int(np.argmax(told.sum(axis=1)))]
    edges = []
    while len(reached) < n:
        edge = max(
            (Edge(i, j) for i in reached for j in range(n) if j not in reached),
            key=lambda edge: (told[edge], -edge.child, -edge.parent),
        )
        edges.append(edge)
        reached.append(edge.child)
    return edges


def _counts(codes: np.ndarray, weights: Int64Array) -> Int64Array:
    """For each row, the records that have its code."""
    of_code: Int64Array = np.bincount(codes, weights).astype(np.int64)
    of_row: Int64Array = of_code[codes]
    return of_row


def _all_pairs(rows: Rows, singles: Sequence[Int64Array]) -> dict[Edge, Pairs]:
    return {
        Edge(i, j): _pairs(rows, Edge(i, j), singles) for j in range(len(singles)) for i in range(j)
    }


def _pairs(rows: Rows, edge: Edge, singles: Sequence[Int64Array]) -> Pairs:
    i, j = edge
    width = rows.n_codes[j]
    keys = rows.columns[i].astype(np.int64) * width + rows.columns[j]
    if rows.n_codes[i] * width > MOST_CELLS:
        keys = np.unique(keys, return_inverse=True)[1]
    counts = np.bincount(keys, rows.weights).astype(np.int64)
    both, n = counts[keys], rows.n
    # Each row stands for its part of the records of the pair, so rows can be added up.
    log = np.log(both * float(n)) - np.log(singles[i] * singles[j].astype(np.float64))
    total = float((rows.weights * log).sum()) / n
    n_values = [np.unique(rows.columns[place]).size for place in edge]
    by_chance = (np.count_nonzero(counts) - sum(n_values) + 1) / (2 * n)  # of independent columns
    return Pairs(both, total - by_chance)


def _margin(counts: Int64Array, rows: Rows, place: int) -> FloatArray:
    """The share of a value in its column, without the record itself; never 0."""
    n_values = np.unique(rows.columns[place]).size
    share: FloatArray = (counts - np.float64(1 - OF_ROOT)) / (rows.n - 1 + OF_ROOT * n_values)
    return share


def _best_smoothed(
    both: Int64Array, of_parent: Int64Array, margin: FloatArray, weights: Int64Array
) -> FloatArray:
    """log of the share of a value among records like the parent's, drawn towards its margin.

    As strongly as predicts the left-out records best.
    """
    found = [np.log((both + k * margin) / (of_parent + k)) for k in SMOOTHING]
    scores = [float((weights * log).sum()) for log in found]
    return found[int(np.argmax(scores))]


def neighbour_probabilities(rows: Rows) -> FloatArray:
    """The probability of each row by its neighbours: records that differ from it in one column.

    For each column, the share of records of other rows that agree in all others, times the share
    of its own value; the mean over columns. It sees what a tree cannot: three values together.
    """
    total = np.zeros(len(rows.weights))
    for place, codes in enumerate(rows.columns):
        others = [c for i, c in enumerate(rows.columns) if i != place]
        n_codes = [n for i, n in enumerate(rows.n_codes) if i != place]
        alike = fold_equal_rows(others, n_codes).row_of_record
        n_alike = np.bincount(alike, rows.weights)[alike] - rows.weights
        total += n_alike * _margin(_counts(codes, rows.weights), rows, place)
    return total / (len(rows.columns) * rows.n)
