"""t-clustering on single records, from its definition, and the paper's own formulas as printed.

Positions and severities are whole numbers, 2**32 being 1, so that their sums are exact.
"""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from naive.partition import Branching, Line, mondrian

ONE = 2**32
SLACK = 1e-12


# The paper as printed; its defects are why none of this is shipped


def literal_categorical_loss(n_leaves_below, n_parents):
    """(leaves - 1) / (P - 1), P being the nodes that have children."""
    return (n_leaves_below - 1) / (n_parents - 1)


def literal_distance(mean_of_cluster, mean_of_table):
    return mean_of_cluster * math.log(mean_of_cluster / mean_of_table)


def literal_k(k, severities):
    return max(k, min(severities))


# Measures


def phi(ratio):
    return ratio * math.log(ratio) - ratio + 1.0 if ratio > 0 else 1.0


def jaccard(one, other):
    one, other = set(one.items()), set(other.items())
    return len(one & other) / len(one | other)


def dist_table(clusters):
    """Kullback-Leibler divergence of the shares of severity from the shares of records."""
    records = [severity for cluster in clusters for severity in cluster]
    mean = sum(records) / len(records)
    total = 0.0
    for cluster in clusters:
        ratio = sum(cluster) / len(cluster) / mean
        total += len(cluster) / len(records) * ratio * math.log(ratio) if ratio > 0 else 0.0
    return total


def equal_distance(group, everyone):
    """Half the sum of the differences of the shares."""
    here, there = Counter(group), Counter(everyone)
    return sum(abs(here[v] / len(group) - there[v] / len(everyone)) for v in there) / 2


def ordered_distance(group, everyone, values):
    """The cumulated differences, for values in order."""
    here, there = Counter(group), Counter(everyone)
    difference, total = 0.0, 0.0
    for value in values:
        difference += here[value] / len(group) - there[value] / len(everyone)
        total += abs(difference)
    return total / (len(values) - 1)


def hierarchical_distance(group, everyone, paths):
    """Li et al.: at each node what its children exchange, times its height by that of the tree.

    `paths` maps a value to its nodes, leaf first and root last.
    """
    here, there = Counter(group), Counter(everyone)
    height = len(next(iter(paths.values()))) - 1
    extra = {
        path: here[value] / len(group) - there[value] / len(everyone)
        for value, path in paths.items()
    }
    cost = 0.0
    for level in range(1, height + 1):
        above = {}
        for path, amount in extra.items():
            above.setdefault(path[1:], []).append(amount)
        for amounts in above.values():
            gained = sum(a for a in amounts if a > 0)
            lost = -sum(a for a in amounts if a < 0)
            cost += level / height * min(gained, lost)
        extra = {path: sum(amounts) for path, amounts in above.items()}
    return cost


# The algorithm


@dataclass
class Column:
    """A quasi-identifier. The code after the last value is missing.

    `numbers`: what the values measure, None for categories. `width`: as Mondrian measures cells.
    """

    numbers: list | None
    width: Line | Branching
    publish: str
    weight: float

    def position(self, code):
        """0 to ONE, or None where missing."""
        if code == len(self.numbers):
            return None
        first, last = self.numbers[0] / 2, self.numbers[-1] / 2
        span = last - first if last > first else 1.0
        return round((self.numbers[code] / 2 - first) / span * ONE)

    def cost(self, codes):
        """How wide a cell is: a range by the domain, a node by its level, a set is 0 or 1."""
        return self.weight * self._diameter(codes)

    def _diameter(self, codes):
        if len(set(codes)) == 1:
            return 0.0
        if self.publish == "range":
            return min(1.0, self.width.width(codes))
        if self.publish == "set":
            return 1.0
        if len(self.width.paths) in codes:
            return 1.0
        height = len(self.width.paths[0]) - 1
        paths = [self.width.paths[code] for code in codes]
        level = next(i for i in range(height + 1) if len({path[i:] for path in paths}) == 1)
        return level / height


@dataclass
class Problem:
    """A table of rows, and what is asked for."""

    codes: list
    weights: list
    severities: list  # for each row those of its sensitive values
    columns: list
    names: list
    k: int
    t: float
    balance: float
    size: int  # of parts
    seed: int

    def __post_init__(self):
        n_records = sum(self.weights)
        self.shares = [column.weight for column in self.columns]
        total = sum(self.shares)
        self.shares = [share / total for share in self.shares]
        self.is_number = [column.numbers is not None for column in self.columns]
        self.number_share = math.fsum(
            s for s, is_number in zip(self.shares, self.is_number, strict=True) if is_number
        )
        self.category_share = math.fsum(
            s for s, is_number in zip(self.shares, self.is_number, strict=True) if not is_number
        )
        self.n_severities = len(self.severities[0])
        self.means = [
            sum(s[j] * w for s, w in zip(self.severities, self.weights, strict=True)) / n_records
            for j in range(self.n_severities)
        ]
        self.relative = [
            [
                round(s[j] / self.means[j] * ONE) if self.means[j] > 0 else ONE
                for j in range(self.n_severities)
            ]
            for s in self.severities
        ]

    # distances and balance

    def centre(self, records):
        """The mean of the numbers, the most frequent of the codes; None: all missing."""
        result = []
        for i, column in enumerate(self.columns):
            codes = [self.codes[row][i] for row in records]
            if self.is_number[i]:
                marks = [column.position(code) for code in codes]
                marks = [mark for mark in marks if mark is not None]
                result.append(sum(marks) / len(marks) if marks else None)
            else:
                times = Counter(codes)
                result.append(min(times, key=lambda code: (-times[code], code)))
        return result

    def distance(self, row, centre):
        squares, matching = 0.0, 0.0
        for i, column in enumerate(self.columns):
            if self.is_number[i]:
                mark = column.position(self.codes[row][i])
                if mark is not None and centre[i] is not None:
                    gap = (mark - centre[i]) / ONE
                    squares += self.shares[i] * gap * gap
                elif mark is not None or centre[i] is not None:
                    squares += self.shares[i]
            elif self.codes[row][i] == centre[i]:
                matching += self.shares[i]
        result = math.sqrt(self.number_share * squares)
        if not all(self.is_number):
            share = self.category_share
            result += share * (1.0 - matching / (2.0 * share - matching))
        return result

    def ratios(self, records):
        size = len(records) * float(ONE)
        return [
            sum(self.relative[row][j] for row in records) / size for j in range(self.n_severities)
        ]

    def excess(self, records):
        return max([phi(ratio) for ratio in self.ratios(records)], default=0.0)

    def box_cost(self, records):
        cost = 0.0
        for i, column in enumerate(self.columns):
            codes = [self.codes[row][i] for row in records]
            cost += column.cost([min(codes), max(codes)])
        return cost


def t_clustering(problem):
    """Groups of records, each a Counter: row -> how many of its records."""
    parts = [half for part in plain_parts(problem) for half in even_halves(problem, part)]
    first = np.random.default_rng(problem.seed).integers(0, [len(part) for part in parts])
    groups = []
    for part, record in zip(parts, first, strict=True):
        groups += [Counter(c) for c in clusters_of(problem, sorted(part), int(record)) if c]
    return groups


def plain_parts(problem):
    """Cut at medians, while halves are large enough and use up at most half of t."""

    def holds(records):
        if len(records) < problem.size:
            return False
        for j in range(problem.n_severities):
            if problem.means[j] > 0:
                mean = sum(problem.severities[row][j] for row in records) / len(records)
                if phi(mean / problem.means[j]) > 0.5 * problem.t + SLACK:
                    return False
        return True

    found = mondrian(
        problem.codes,
        problem.weights,
        columns=[column.width for column in problem.columns],
        names=problem.names,
        holds=holds,
        smallest=problem.size,
        strict=False,
    )
    return [sorted(part.elements()) for part in found]


def even_halves(problem, part):
    """Halve within strata of about equal severity, by the column whose halves cost least."""
    best = None
    for i in range(len(problem.columns) if len(part) >= 2 * problem.size else 0):
        halves = halves_by(problem, part, i)
        if min(map(len, halves)) < problem.size:
            continue
        if any(problem.excess(half) > 0.75 * problem.t for half in halves):
            continue
        cost = 0.0
        for half in halves:
            for j, column in enumerate(problem.columns):
                codes = [problem.codes[row][j] for row in half]
                cost += len(half) * column.cost([min(codes), max(codes)])
        if best is None or cost < best[0]:
            best = cost, halves
    if best is None:
        return [part]
    return [end for half in best[1] for end in even_halves(problem, half)]


def halves_by(problem, part, i):
    strata = {}
    for row in sorted(part, key=lambda row: (problem.codes[row][i], row)):
        strata.setdefault(stratum(problem, part, row), []).append(row)
    left, right, owed = [], [], 0
    for key in sorted(strata):
        records = strata[key]
        n_left = (len(records) + 1 - owed) // 2
        owed ^= len(records) % 2
        left += records[:n_left]
        right += records[n_left:]
    return sorted(left), sorted(right)


def stratum(problem, part, row):
    n_strata = min(64, max(4, len(part) // 32))
    n_bins = 2
    while (n_bins + 1) ** problem.n_severities <= n_strata and n_bins < n_strata:
        n_bins += 1
    grades = problem.relative
    return tuple(
        n_bins * sum(grades[other][j] < grades[row][j] for other in part) // len(part)
        for j in range(problem.n_severities)
    )


def clusters_of(problem, part, first):
    """The clusters of a part, given as a sorted list of rows, one for each record."""
    free, clusters = list(part), []
    reference = part[first]
    for _ in range(len(part) // problem.k):
        before = problem.centre([reference])
        seed = max(free, key=lambda row: (problem.distance(row, before), -row))
        clusters.append(grown(problem, free, seed))
        reference = seed
    for row in free:
        into = min(range(len(clusters)), key=lambda c: (joining_cost(problem, clusters[c], row), c))
        clusters[into].append(row)
    repair_balance(problem, clusters)
    return clusters


def grown(problem, free, seed):
    """k records from a seed, out of the 3k nearest to it and those as near as the last of them."""
    at = problem.centre([seed])
    distances = sorted(problem.distance(row, at) for row in free)
    furthest = distances[min(3 * problem.k, len(distances)) - 1]
    pool = [row for row in free if problem.distance(row, at) <= furthest]
    cluster = [seed]
    free.remove(seed)
    pool.remove(seed)
    while len(cluster) < problem.k:
        centre = problem.centre(cluster)

        def score(row, centre=centre):
            result = problem.distance(row, centre)
            for ratio in problem.ratios([*cluster, row]):
                result += problem.balance * phi(ratio)
            return result, row

        best = min(pool, key=score)
        cluster.append(best)
        free.remove(best)
        pool.remove(best)
    return cluster


def joining_cost(problem, cluster, row):
    size = len(cluster)
    cost = (size + 1) * problem.box_cost([*cluster, row]) - size * problem.box_cost(cluster)
    cost /= sum(column.weight for column in problem.columns)
    before, after = problem.ratios(cluster), problem.ratios([*cluster, row])
    for j in range(problem.n_severities):
        cost += problem.balance * ((size + 1) * phi(after[j]) - size * phi(before[j]))
    return cost


def repair_balance(problem, clusters):
    """Swap records or merge clusters until phi is at most t everywhere. Merged ones are empty."""
    limit = problem.t + SLACK
    n_swaps = sum(map(len, clusters))
    while True:
        alive = [c for c, cluster in enumerate(clusters) if cluster]
        worst = max(alive, key=lambda c: (problem.excess(clusters[c]), -c))
        if len(alive) == 1 or problem.excess(clusters[worst]) <= limit:
            return
        swap = best_swap(problem, clusters, worst, limit) if n_swaps > 0 else None
        n_swaps -= 1
        if swap:
            _, _, row, other, other_row = swap
            clusters[worst].remove(row)
            clusters[other].remove(other_row)
            clusters[worst].append(other_row)
            clusters[other].append(row)
        else:
            into = min(
                (c for c in alive if c != worst),
                key=lambda c: (*merging_cost(problem, clusters[worst], clusters[c], limit), c),
            )
            clusters[into] += clusters[worst]
            clusters[worst] = []


def best_swap(problem, clusters, worst, limit):
    """(level reached, distance to the new centres, row, other cluster, its row), the least."""
    mine = clusters[worst]
    before = problem.excess(mine)
    ratios = problem.ratios(mine)
    graver = max(range(problem.n_severities), key=lambda j: (phi(ratios[j]), -j))
    is_too_grave = ratios[graver] > 1
    centre = problem.centre(mine)
    found = []
    for other, cluster in enumerate(clusters):
        if other == worst or not cluster:
            continue
        other_before = max(limit, problem.excess(cluster))
        other_centre = problem.centre(cluster)
        for row in set(mine):
            for other_row in set(cluster):
                more = problem.relative[other_row][graver] - problem.relative[row][graver]
                if more == 0 or (more > 0) == is_too_grave:
                    continue
                level = max(limit, problem.excess(replaced(mine, row, other_row)))
                other_level = problem.excess(replaced(cluster, other_row, row))
                if level >= before or other_level > other_before:
                    continue
                cost = problem.distance(other_row, centre) + problem.distance(row, other_centre)
                found.append((level, cost, row, other, other_row))
    return min(found, default=None)


def replaced(cluster, leaving, coming):
    result = list(cluster)
    result[result.index(leaving)] = coming
    return result


def merging_cost(problem, one, other, limit):
    level = max(limit, problem.excess(one + other))
    cost = (len(one) + len(other)) * problem.box_cost(one + other)
    cost -= len(one) * problem.box_cost(one)
    cost -= len(other) * problem.box_cost(other)
    return level, cost
