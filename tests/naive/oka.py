"""One-pass k-means as the paper prints it, record by record, and what we add to it.

Columns are those of the twin of k-member: what a set of codes costs, and where codes lie on a line.
Records are numbered in the order in which they are assigned.
"""

from functools import reduce
from operator import add


class Mean:
    """The centroid's place in a column on a line; missing and values together are anywhere."""

    def __init__(self, column, codes):
        n_missing = sum(code == column.missing for code in codes)
        self.is_missing = n_missing == len(codes)
        self.is_mixed = 0 < n_missing < len(codes)
        self.column = column
        if n_missing == 0:
            total = 0.0
            for code in codes:
                total += column.positions[code]
            self.mean = total / len(codes)

    def distance(self, code):
        if self.is_mixed or self.is_missing != (code == self.column.missing):
            return self.column.weight
        if self.is_missing:
            return 0.0
        return self.column.weight * min(1, abs(self.column.positions[code] - self.mean))


class Lowest:
    """The lowest node above all codes of a column."""

    def __init__(self, column, codes):
        self.column = column
        self.codes = set(codes)

    def distance(self, code):
        return self.column.cost(self.codes | {code})


def centroid(columns, members):
    return [
        (Mean if column.is_line else Lowest)(column, [record[i] for record in members])
        for i, column in enumerate(columns)
    ]


def gap(middle, record):
    """What the pair of a record and a centroid costs, column after column."""
    return added(place.distance(code) for place, code in zip(middle, record, strict=True))


def added(numbers):
    """One after another: newer Pythons' `sum` rounds better than the fast version."""
    return reduce(add, numbers, 0.0)


def diameter(columns, members):
    """What the box around some records costs."""
    parts = zip(*members, strict=True)
    return added(column.cost(set(codes)) for column, codes in zip(columns, parts, strict=True))


class Clusters:
    """Lists of records, in the order in which they joined."""

    def __init__(self, columns, records):
        self.columns = columns
        self.records = records
        self.members = {}
        self.middles = {}

    def begin(self, cluster, members):
        self.members[cluster] = list(members)
        self._look_again(cluster)

    def add(self, cluster, record):
        self.members[cluster].append(record)
        self._look_again(cluster)

    def distance(self, cluster, record):
        size = len(self.members[cluster])
        return size * gap(self.middles[cluster], self.records[record])

    def increase(self, cluster, record):
        """How much more the cluster loses with one record more."""
        members = [self.records[m] for m in self.members[cluster]]
        union = diameter(self.columns, [*members, self.records[record]])
        return union + len(members) * (union - diameter(self.columns, members))

    def _look_again(self, cluster):
        codes = [self.records[member] for member in self.members[cluster]]
        self.middles[cluster] = centroid(self.columns, codes)


def assign(columns, records, seeds, *, order=None, trace=None):
    """The clustering stage: the members of each cluster; in the order of records if not told."""
    clusters = Clusters(columns, records)
    for cluster, seed in enumerate(seeds):
        clusters.begin(cluster, [seed])
    for record in order or range(len(records)):
        if record in seeds:
            continue
        distances = [clusters.distance(cluster, record) for cluster in range(len(seeds))]
        chosen = distances.index(min(distances))
        clusters.add(chosen, record)
        if trace is not None:
            trace.append((record, distances, chosen))
    return {cluster: sorted(members) for cluster, members in clusters.members.items()}


def trim(columns, records, members, k):
    """Clusters without those beyond k that are furthest from the centroid, and these."""
    kept, removed = {}, []
    for cluster, those in members.items():
        middle = centroid(columns, [records[member] for member in those])
        far = {member: len(those) * gap(middle, records[member]) for member in those}
        by_distance = sorted(those, key=lambda member: (far[member], member))
        kept[cluster] = sorted(by_distance[:k])
        removed += by_distance[k:]
    return kept, sorted(removed)


def place(columns, records, members, removed, *, k, turns, adjust):
    """The adjustment stage: removed records, by their turns, into the clusters that are there."""
    clusters = Clusters(columns, records)
    for cluster, those in members.items():
        clusters.begin(cluster, those)
    measure = clusters.distance if adjust == "paper" else clusters.increase
    for record in sorted(removed, key=lambda record: turns[record]):
        small = [cluster for cluster in members if len(clusters.members[cluster]) < k]
        chosen = min(small or members, key=lambda cluster: (measure(cluster, record), cluster))
        clusters.add(chosen, record)
    return {cluster: sorted(those) for cluster, those in clusters.members.items()}


def oka(columns, records, seeds, turns, *, k, adjust="paper", order, passes=1, may_drop=0):
    """Clusters of records; records in none are suppressed."""
    in_turn = sorted(range(len(records)), key=lambda record: turns[record])
    results, coming = [], in_turn if order == "random" else None
    for _ in range(passes):
        assigned = assign(columns, records, seeds, order=coming)
        kept, removed = trim(columns, records, assigned, k)
        how = {"k": k, "turns": turns, "adjust": adjust}
        filled = place(columns, records, kept, removed, **how)
        results.append(filled)
        dropped = worth_dropping(columns, records, kept, filled, k=k, at_most=may_drop)
        if dropped:
            others = {cluster: kept[cluster] for cluster in kept if cluster not in dropped}
            results.append(place(columns, records, others, removed, **how))
        seeds = [nearest_to_centroid(columns, records, assigned[i]) for i in range(len(seeds))]
        coming = in_turn
    return min(results, key=lambda members: total(columns, records, members))


def worth_dropping(columns, records, before, after, *, k, at_most):
    """Small clusters whose suppression seems to save most for each of their records."""
    gains = {}
    for cluster, own in before.items():
        if len(own) >= k:
            continue
        filled = [records[member] for member in after[cluster]]
        gain = len(filled) * diameter(columns, filled)
        others = Clusters(columns, records)
        for other, members in after.items():
            if other != cluster:
                others.begin(other, members)
        for record in after[cluster]:
            if record in own:
                gain -= root_cost(columns)
            else:
                gain -= min(others.increase(other, record) for other in others.members)
        if gain > 0:
            gains[cluster] = gain / len(own)
    dropped = []
    for cluster in sorted(gains, key=lambda cluster: (-gains[cluster], cluster)):
        if len(before[cluster]) <= at_most:
            dropped.append(cluster)
            at_most -= len(before[cluster])
    return dropped


def nearest_to_centroid(columns, records, members):
    middle = centroid(columns, [records[member] for member in members])
    far = {member: len(members) * gap(middle, records[member]) for member in members}
    return min(members, key=lambda member: (far[member], member))


def total(columns, records, members):
    """What all clusters lose, and the records that are in none."""
    placed = [[records[member] for member in those] for those in members.values()]
    n_dropped = len(records) - sum(map(len, placed))
    of_clusters = added(len(those) * diameter(columns, those) for those in placed)
    return of_clusters + root_cost(columns) * n_dropped


def root_cost(columns):
    return sum(column.weight for column in columns if column.n_codes > 1)
