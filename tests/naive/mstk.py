"""MSTK on single records: all pairs of them, a stack of subtrees, the closest of all pairs.

`mstk` is the method as Shoal means it, `mstk_literal` the printed code with its defects.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt


@dataclass
class Climb:
    """A column with a hierarchy: a path per code, leaf first; the code after them is missing.

    Without line columns beside it costs are fractions, so that equal ones are equal.
    """

    paths: list
    weight: object
    exact: bool = True

    @property
    def height(self):
        return len(self.paths[0]) - 1

    def cost(self, codes):
        """The level at which all codes meet, of the height."""
        if len(set(codes)) == 1:
            level = 0
        elif max(codes) == len(self.paths):
            level = self.height
        else:
            paths = [self.paths[code] for code in set(codes)]
            level = min(at for at in range(len(paths[0])) if len({p[at:] for p in paths}) == 1)
        if self.exact:
            return Fraction(str(self.weight)) * Fraction(level, self.height)
        return self.weight * (level / self.height)


@dataclass
class Stretch:
    """A column of numbers: where each code lies from 0 to 1; the code after them is missing."""

    positions: list
    weight: float

    def cost(self, codes):
        low, high = min(codes), max(codes)
        if low == high:
            return 0.0
        if high == len(self.positions):
            return self.weight
        return self.weight * (self.positions[high] - self.positions[low])


def cost(columns, records):
    """What the cells of some records cost: half of HDist where they are two."""
    return sum(column.cost([record[i] for record in records]) for i, column in enumerate(columns))


def hdist(columns, one, other):
    return 2 * cost(columns, [one, other])


def cdist(columns, one, other):
    """Definition 7: every record of both climbs to where they meet."""
    union = cost(columns, one + other)
    return len(one) * (union - cost(columns, one)) + len(other) * (union - cost(columns, other))


def spanning_tree(columns, records):
    """Kruskal's: edges (weight, i, j), those of all pairs in order."""
    above = list(range(len(records)))

    def top(i):
        return i if above[i] == i else top(above[i])

    edges = []
    pairs = combinations(range(len(records)), 2)
    for weight, i, j in sorted((hdist(columns, records[i], records[j]), i, j) for i, j in pairs):
        if top(i) != top(j):
            above[top(i)] = top(j)
            edges.append((weight, i, j))
    return edges


def components(nodes, edges):
    """The nodes that edges connect, and those edges, by component."""
    found = {node: ({node}, []) for node in nodes}
    for edge in edges:
        one, other = found[edge[1]], found[edge[2]]
        joined = (one[0] | other[0], [*one[1], *other[1], edge])
        for node in joined[0]:
            found[node] = joined
    return list({id(piece): piece for piece in found.values()}.values())


def long_edges(edges):
    """Those that exceed mean and sample deviation together."""
    weights = [weight for weight, _, _ in edges]
    mean = sum(weights) / len(weights)
    variance = sum((w - mean) ** 2 for w in weights) / max(1, len(weights) - 1)
    if isinstance(mean, Fraction):
        return [e for e in edges if e[0] > mean and (e[0] - mean) ** 2 > variance]
    return [e for e in edges if e[0] > (mean + sqrt(variance)) * (1 + 1e-12)]


def cut(n, edges, k):
    """Sets of nodes: subtrees that need not or cannot be cut."""
    waiting, done = [(set(range(n)), edges)], []
    while waiting:
        nodes, edges = waiting.pop()
        if len(nodes) < 2 * k:
            done.append(nodes)
            continue
        gone = long_edges(edges) or longest_that_leaves(nodes, edges, k)
        if not gone:
            done.append(nodes)
            continue
        waiting += components(nodes, [edge for edge in edges if edge not in gone])
    return done


def longest_that_leaves(nodes, edges, k):
    """The longest edge with k nodes on both sides: of equal ones the best balanced, then ids."""
    candidates = []
    for weight, i, j in edges:
        rest = components(nodes, [edge for edge in edges if edge != (weight, i, j)])
        smaller = min(len(piece) for piece, _ in rest)
        if smaller >= k:
            candidates.append((-weight, -smaller, i, j))
    return [(-w, i, j) for w, _, i, j in sorted(candidates)[:1]]


def merge(columns, records, classes, k, scope):
    """Merge the closest two, one of them small, until none is: a class is named by its first."""

    def distance(one, other):
        return cdist(columns, [records[i] for i in one], [records[i] for i in other])

    classes = [tuple(sorted(nodes)) for nodes in classes]
    known = {}
    while len(classes) > 1 and (small := [c for c in classes if len(c) < k]):
        others = small if scope == "small" and len(small) > 1 else classes
        pairs = {tuple(sorted((one, other))) for one in small for other in others if one != other}
        for pair in pairs - known.keys():
            known[pair] = distance(*pair)
        one, other = min(pairs, key=lambda pair: (known[pair], pair[0][0], pair[1][0]))
        classes = [c for c in classes if c not in (one, other)]
        classes.append(tuple(sorted(one + other)))
    return classes


def mstk(columns, records, k, scope="small"):
    """Classes of places in `records`, which are in the order of their numbers."""
    subtrees = cut(len(records), spanning_tree(columns, records), k)
    return merge(columns, records, subtrees, k, scope)


def groups_of_rows(classes, row_of_record):
    return [Counter(row_of_record[i] for i in members) for members in classes]


def mstk_literal(columns, records, k):
    """The printed code: sizes of exactly k fall through, recursion and odd ones are lost."""
    edges = spanning_tree(columns, records)
    gone = long_edges(edges)
    accepted, small = [], []
    for nodes, _ in components(set(range(len(records))), [e for e in edges if e not in gone]):
        if k < len(nodes) <= 2 * k - 1:  # line 17
            accepted.append(nodes)
        elif len(nodes) < k:  # line 21; what line 20 returns goes nowhere
            small.append(sorted(nodes))
    merged = []
    while len(small) > 1:  # lines 24 to 27: once, in pairs
        _, one, other = min(
            (cdist(columns, [records[i] for i in a], [records[i] for i in b]), a, b)
            for a, b in combinations(small, 2)
        )
        merged.append(set(one) | set(other))
        small = [c for c in small if c not in (one, other)]
    return accepted + merged
