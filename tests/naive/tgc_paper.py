"""What Loukides and Shao 2008 print, to the letter, and its readings: exact, on single tuples.

Never shipped where it is defective; the vectors say which reading they are of.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product


@dataclass
class Interval:
    """Numbers of a domain."""

    low: Fraction
    high: Fraction

    def q_diversity(self, values):
        return Fraction(max(values) - min(values)) / (self.high - self.low)

    def pairwise(self, first, second):
        return 1 - Fraction(abs(first - second)) / (self.high - self.low)


@dataclass
class Discrete:
    """Leaves of a tree: a path per leaf, leaf first."""

    paths: dict

    def leaves(self, values):
        found = [self.paths[value] for value in values]
        common = next(node for node in found[0] if all(node in path for path in found))
        return sum(common in path for path in self.paths.values())

    def q_diversity(self, values):
        return Fraction(self.leaves(values), len(self.paths))

    def pairwise(self, first, second):
        return 1 - Fraction(self.leaves([first, second]) - 1, len(self.paths))


def tree_of(children, root):
    """A Discrete attribute from node -> children."""

    def walk(node, above):
        path = (node, *above)
        if node not in children:
            return {node: path}
        return {k: v for child in children[node] for k, v in walk(child, path).items()}

    return Discrete(walk(root, ()))


def s_diversity(attribute, values, r):
    shares = (attribute.pairwise(*pair) for pair in product(values, repeat=2))
    reach = 1 - Fraction(str(r))
    return sum((share for share in shares if share >= reach), Fraction(0)) / len(values) ** 2


@dataclass
class Table:
    """Tuples and their attributes, the first m quasi-identifiers."""

    rows: list
    attributes: list
    m: int
    r: float = 1

    def column(self, group, i):
        return [self.rows[row][i] for row in group]

    def q_sum(self, group):
        return sum(self.attributes[i].q_diversity(self.column(group, i)) for i in range(self.m))

    def s_sum(self, group):
        return sum(
            s_diversity(self.attributes[i], self.column(group, i), self.r)
            for i in range(self.m, len(self.attributes))
        )

    def wtd(self, group, utility, protection, n_sensitive=None):
        """`n_sensitive` is printed m - p, which is negative."""
        n_sensitive = n_sensitive or len(self.attributes) - self.m
        spread = Fraction(utility) * self.q_sum(group) / self.m
        return spread + Fraction(protection) * self.s_sum(group) / n_sensitive

    def utility(self, groups):
        return sum(self.q_sum(group) for group in groups) / len(groups)

    def protection(self, groups):
        return sum(self.s_sum(group) for group in groups) / len(groups)


def algorithm_1(table, *, k, delta, weights):
    """Seeds and ties by the lowest index; step 9 literal; one cluster if none is accepted."""
    free = list(range(len(table.rows)))
    accepted, rejected = [], []
    while free:
        cluster = [free.pop(0)]
        while free:
            best = min(free, key=lambda row: (table.wtd([*cluster, row], *weights), row))
            if table.wtd([*cluster, best], *weights) > Fraction(str(delta)):
                break
            cluster.append(best)
            free.remove(best)
        (accepted if len(cluster) >= k else rejected).append(sorted(cluster))
    final = [list(cluster) for cluster in accepted] or [list(range(len(table.rows)))]
    for row in sorted(row for cluster in rejected for row in cluster if accepted):
        rises = [table.wtd([*c, row], *weights) - table.wtd(c, *weights) for c in final]
        final[rises.index(min(rises))].append(row)
    return accepted, rejected, [sorted(cluster) for cluster in final]


def algorithm_2(table, group, *, s, limit, literal, normalised, halves):
    """Pre-partitioning. `limit` None: none; `literal`: split where sd exceeds it, as printed."""

    def width(i):
        values = table.column(group, i)
        domain = table.column(range(len(table.rows)), i)
        span = max(domain) - min(domain) if normalised else 1
        return Fraction(max(values) - min(values), span)

    def is_allowed(half):
        if len(half) < s:
            return False
        return limit is None or (table.s_sum(half) > limit) == literal

    widest = max(range(table.m), key=lambda i: (width(i), -i))
    if width(widest) == 0:
        return [sorted(group)]
    in_order = sorted(group, key=lambda row: (table.rows[row][widest], row))
    left, right = in_order[: len(group) // 2], in_order[len(group) // 2 :]
    if not halves:
        median = table.rows[in_order[(len(group) - 1) // 2]][widest]
        left = [row for row in in_order if table.rows[row][widest] <= median]
        right = in_order[len(left) :]
    if not (is_allowed(left) and is_allowed(right)):
        return [sorted(group)]
    how = dict(s=s, limit=limit, literal=literal, normalised=normalised, halves=halves)  # noqa: C408
    return algorithm_2(table, left, **how) + algorithm_2(table, right, **how)


def strict_mondrian(table, group, k):
    """The widest normalised column first; up to the lower median left, larger values right."""

    def width(i):
        domain = table.column(range(len(table.rows)), i)
        values = table.column(group, i)
        return Fraction(max(values) - min(values), max(domain) - min(domain))

    for i in sorted(range(table.m), key=lambda i: (-width(i), i)):
        values = sorted(table.column(group, i))
        median = values[(len(values) - 1) // 2]
        left = [row for row in group if table.rows[row][i] <= median]
        right = [row for row in group if table.rows[row][i] > median]
        if min(len(left), len(right)) >= k:
            return strict_mondrian(table, left, k) + strict_mondrian(table, right, k)
    return [sorted(group)]


def c_and_l(values):
    """The (c, l) measure of a group: its most frequent value by the others; different values."""
    counts = Counter(values)
    most = max(counts.values())
    others = len(values) - most
    return (most / others if others else float("inf")), len(counts)


def query_share(query, box, *, is_integer):
    """Which share of a box a query covers, both a list of (low, high)."""
    one = 1 if is_integer else 0
    share = Fraction(1)
    for (low, high), (box_low, box_high) in zip(query, box, strict=True):
        overlap = min(high, box_high) - max(low, box_low) + one
        share *= Fraction(max(overlap, 0), box_high - box_low + one)
    return share


def width_of_predicate(selectivity, n_predicates):
    """Of each of several range predicates that together select a share of the space."""
    return selectivity ** (1 / n_predicates)


def normalised_errors(errors):
    """From 0, the best, to 1, the worst."""
    best, worst = min(errors.values()), max(errors.values())
    return {name: (error - best) / (worst - best) for name, error in errors.items()}
