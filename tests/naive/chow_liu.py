"""A tree of column pairs, record by record, each judged by all others."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

SMOOTHING = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


def information(records, i, j):
    """What two columns tell about each other, less what independent ones seem to."""
    n = len(records)
    of_i, of_j = Counter(r[i] for r in records), Counter(r[j] for r in records)
    both = Counter((r[i], r[j]) for r in records)
    total = sum(c / n * math.log(c * n / (of_i[a] * of_j[b])) for (a, b), c in both.items())
    return total - (len(both) - len(of_i) - len(of_j) + 1) / (2 * n)


def tree(records):
    """The root and the pairs (parent, child)."""
    m = len(records[0])
    told = {(i, j): information(records, i, j) for i, j in combinations(range(m), 2)}
    told |= {(j, i): value for (i, j), value in told.items()}
    root = max(range(m), key=lambda i: sum(told[i, j] for j in range(m) if j != i))
    reached, edges = [root], []
    while len(reached) < m:
        edge = max(
            ((i, j) for i in reached for j in range(m) if j not in reached), key=told.__getitem__
        )
        edges.append(edge)
        reached.append(edge[1])
    return root, edges


def log_probabilities(records):
    """Of each record, from all others, with the tree of all."""
    root, edges = tree(records)
    kappa = {edge: best_smoothing(records, edge) for edge in edges}
    return [
        math.log(share(records, i, root))
        + sum(math.log(smoothed(records, i, edge, kappa[edge])) for edge in edges)
        for i in range(len(records))
    ]


def share(records, number, column):
    others = [r[column] for i, r in enumerate(records) if i != number]
    n_values = len({r[column] for r in records})
    return (others.count(records[number][column]) + 0.5) / (len(others) + 0.5 * n_values)


def smoothed(records, number, edge, kappa):
    (parent, child), own = edge, records[number]
    others = [r for i, r in enumerate(records) if i != number and r[parent] == own[parent]]
    n_both = sum(r[child] == own[child] for r in others)
    return (n_both + kappa * share(records, number, child)) / (len(others) + kappa)


def best_smoothing(records, edge):
    return max(
        SMOOTHING,
        key=lambda kappa: sum(
            math.log(smoothed(records, i, edge, kappa)) for i in range(len(records))
        ),
    )


def neighbour_probabilities(records):
    """Of each record: others that agree in all columns but one, times the share of its value."""
    n, m = len(records), len(records[0])
    found = []
    for number, own in enumerate(records):
        total = 0.0
        for column in range(m):
            alike = sum(
                r[:column] + r[column + 1 :] == own[:column] + own[column + 1 :] and r != own
                for r in records
            )
            total += alike * share(records, number, column)
        found.append(total / (m * n))
    return found
