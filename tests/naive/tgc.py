"""Threshold-based greedy clustering by looking at everything, on single records.

Every cost is computed anew from the members of a cluster. What differs by less than CLOSE is
equal, and of equals the first wins, as in the fast version.
"""

from dataclasses import dataclass
from itertools import pairwise as neighbours
from itertools import product

CLOSE = 1e-12
LEAST = 1e-6  # what utility weighs at least where records are compared


@dataclass
class Numbers:
    """Positions from 0 to 1 by code; the code after them is missing."""

    positions: list
    weight: float = 1.0

    def spread(self, codes):
        if len(set(codes)) > 1 and len(self.positions) in codes:
            return 1.0
        marks = [self.positions[code] for code in codes if code < len(self.positions)]
        return max(marks) - min(marks) if marks else 0.0

    def distance(self, first, second):
        return self.spread([first, second])


@dataclass
class Leaves:
    """Paths by code, leaf first and root last; the code after them is missing."""

    paths: list
    all_paths: list  # of the whole hierarchy, where only some of its leaves have codes
    weight: float = 1.0
    has_missing: bool = False

    def below(self, codes):
        """Leaves under the lowest node above all codes; None if that is the root."""
        if len(set(codes)) == 1:
            return 1
        if len(self.paths) in codes:
            return None
        found = [self.paths[code] for code in codes]
        level = next(i for i in range(len(found[0])) if len({path[i:] for path in found}) == 1)
        if level == len(found[0]) - 1:
            return None
        return sum(path[level:] == found[0][level:] for path in self.all_paths)

    def spread(self, codes):
        below = self.below(codes)
        return 1.0 if below is None else (below - 1) / max(len(self.all_paths) - 1, 1)

    def distance(self, first, second):
        """A missing value is one more leaf directly under the root."""
        n_all = len(self.all_paths) + self.has_missing
        below = self.below([first, second])
        return ((n_all if below is None else below) - 1) / n_all


@dataclass
class Plain:
    """Values without order; the code after them is missing."""

    n_leaves: int
    weight: float = 1.0
    n_all: int = 0

    def spread(self, codes):
        different = set(codes)
        if len(different) > 1 and self.n_leaves in different:
            return 1.0
        return (len(different) - 1) / max(self.n_leaves - 1, 1)

    def distance(self, first, second):
        return (first != second) / self.n_all


@dataclass
class Cost:
    """Weighted tuple diversity of records, each a pair: codes, sensitive values."""

    columns: list
    values: list
    utility: float
    protection: float
    r: float

    def spread(self, members):
        total = sum(column.weight for column in self.columns)
        return sum(
            column.weight * column.spread([codes[i] for codes, _ in members]) / total
            for i, column in enumerate(self.columns)
        )

    def s_diversity(self, members):
        """Added up over the sensitive columns."""
        return sum(
            pairs(column, [values[i] for _, values in members], self.r) / len(members) ** 2
            for i, column in enumerate(self.values)
        )

    def of(self, members):
        if not self.values:
            return self.spread(members)
        protection = self.protection * self.s_diversity(members) / len(self.values)
        return self.utility * self.spread(members) + protection

    def steered(self, members):
        """The same with a little weight for utility where it has none, to tell equals apart."""
        missing = max(LEAST - self.utility, 0.0) if self.values else 0.0
        return self.of(members) + missing * self.spread(members)


def pairs(column, values, r):
    """Pairwise contributions of all ordered pairs within reach."""
    contributions = (1 - column.distance(*pair) for pair in product(values, repeat=2))
    return sum(share for share in contributions if share >= 1 - r - CLOSE)


def grow(cost, records, rows, *, draws, k, most, delta):
    """Algorithm 1 on the records of `rows`, ascending: accepted and rejected clusters of rows."""
    free, draws = list(rows), iter(draws)
    accepted, rejected = [], []
    while free:
        cluster = [free.pop(int(next(draws) * len(free)))]
        while free and len(cluster) < most:
            best = first_least([cost.steered(members(records, cluster, row)) for row in free])
            if cost.of(members(records, cluster, free[best])) > delta + CLOSE:
                break
            cluster.append(free.pop(best))
        (accepted if len(cluster) >= k else rejected).append(cluster)
    return accepted, rejected


def members(records, cluster, *more):
    return [records[row] for row in (*cluster, *more)]


def first_least(costs):
    best = 0
    for i, cost in enumerate(costs):
        if cost < costs[best] - CLOSE:
            best = i
    return best


def join(cost, records, clusters, rows):
    """Step 9: records of rows join, in their order, the cluster whose cost × size rises least."""
    clusters = [list(cluster) for cluster in clusters]

    def total(cluster):
        return len(cluster) * cost.steered(members(records, cluster))

    for row in sorted(rows):
        rises = [total([*cluster, row]) - total(cluster) for cluster in clusters]
        clusters[first_least(rises)].append(row)
    return clusters


def cluster_parts(cost, records, parts, *, draws, k, most, delta):
    """Algorithm 1 in every part, then step 9; without accepted clusters, the first k records."""
    found = [
        grow(cost, records, part, draws=draws[begin:], k=k, most=most, delta=delta)
        for begin, part in zip(starts(parts), parts, strict=True)
    ]
    accepted = [cluster for good, _ in found for cluster in good]
    if not accepted:
        return cluster_parts(cost, records, parts, draws=draws, k=k, most=k, delta=float("inf"))
    left = [row for _, bad in found for cluster in bad for row in cluster]
    return join(cost, records, accepted, left)


def starts(parts):
    """The number of each part's first record."""
    begins = [0]
    for part in parts:
        begins.append(begins[-1] + len(part))
    return [first for first, _ in neighbours(begins)]


def grid(iterations):
    return [
        (2 * j - 1) / 2 ** (i + 1) for i in range(1, iterations + 1) for j in range(1, 2**i + 1)
    ]


def thresholds(cost, records, sample, *, draws, k, most):
    """Algorithm 3: the delta of the least mean cost, the smallest of equals, and its protection."""
    best = (1.0, None, float("inf"))
    for delta in sorted(grid(5)):
        accepted, rejected = grow(cost, records, sample, draws=draws, k=k, most=most, delta=delta)
        if not accepted:
            continue
        clusters = join(cost, records, accepted, [row for bad in rejected for row in bad])
        costs = [cost.of(members(records, cluster)) for cluster in clusters]
        if sum(costs) / len(costs) < best[2] - CLOSE:
            diversities = [cost.s_diversity(members(records, cluster)) for cluster in clusters]
            best = delta, sum(diversities) / len(clusters), sum(costs) / len(costs)
    return best[:2]


def k_member_p(cost, records, rows, *, distance, k, start):
    """Clusters of k records, each taking the one that discloses least; and what is left over.

    A cluster begins with the record furthest from the seed before; `distance` of two rows.
    """
    free, seed, clusters = list(rows), start, []
    while len(free) >= k:
        seed = free[first_least([-distance(seed, row) for row in free])]
        free.remove(seed)
        cluster = [seed]
        while len(cluster) < k:
            costs = [cost.steered(members(records, cluster, row)) for row in free]
            cluster.append(free.pop(first_least(costs)))
        clusters.append(cluster)
    return clusters, free
