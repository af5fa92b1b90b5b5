"""Clusters with their mean severities, and local search that balances them: swaps and mergers.

Positions and severities are whole numbers, `ONE` being 1: sums of them are exact, so that they do
not depend on the order in which records came to a cluster.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.tree import cell_cost

ONE = 2**32
SLACK = 1e-12  # what a comparison with t allows for rounding
NEARLY = 1e-6


class Space(NamedTuple):
    """The rows of a table as points, and how grave their sensitive values are."""

    codes: np.ndarray  # int32[n,q]
    points: np.ndarray  # int32[n], equal where all codes are; equal ones lie together
    numbers: np.ndarray  # int64[n,numbers], 0 to ONE, or -1: missing
    categories: np.ndarray  # int32[n,categories]
    number_weights: np.ndarray  # float64[numbers]
    category_weights: np.ndarray  # float64[categories], all weights adding up to 1
    number_share: float  # of the weights
    category_share: float
    severities: np.ndarray  # int64[n,s], severity by the mean of the table


class Goal(NamedTuple):
    """What is wanted of clusters.

    Ratios from `low` to `high` have a phi of at most t for certain, and those further outside
    than `NEARLY` surely not: the logarithm is needed only between.
    """

    k: int  # records
    t: float  # phi at most
    balance: float  # how much phi counts against distance
    low: float
    high: float


class Parts(NamedTuple):
    """Runs of rows with counts; part p is from starts[p] to starts[p + 1]."""

    rows: np.ndarray  # int32[entries], ascending within a part
    counts: np.ndarray  # int64[entries]
    starts: np.ndarray  # int64[parts + 1]
    places: np.ndarray  # int64[parts + 1], records before each part
    first: np.ndarray  # int64[parts], the record that the first seed is furthest from


class Found(NamedTuple):
    """Entries of clusters; part p has its `n_entries[p]` from the place of its records on."""

    rows: np.ndarray  # int32[records]
    counts: np.ndarray  # int32[records], 0: no entry
    clusters: np.ndarray  # int32[records], from 0 in each part; -1: left over
    n_entries: np.ndarray  # int64[parts]
    n_clusters: np.ndarray  # int64[parts], merged ones too


class Clusters(NamedTuple):
    """The clusters of a part: which records they have, and what these come to."""

    rows: np.ndarray  # int32[entries], an entry is some records of a row in a cluster
    counts: np.ndarray  # int32[entries], 0: no entry any more
    clusters: np.ndarray  # int32[entries]
    n_entries: np.ndarray  # int64[1]
    sizes: np.ndarray  # int64[clusters], 0: merged with another
    severities: np.ndarray  # int64[clusters,s], sums
    excess: np.ndarray  # float64[clusters], phi of the severity that is most out of balance
    sums: np.ndarray  # int64[clusters,numbers]
    present: np.ndarray  # int64[clusters,numbers], records with a number
    centres: np.ndarray  # float64[clusters,numbers], mean position, or -1: none has a number
    modes: np.ndarray  # int32[clusters,categories], the most frequent code, then the lowest
    mode_counts: np.ndarray  # int64[clusters,categories]
    low: np.ndarray  # int32[clusters,q], the box
    high: np.ndarray  # int32[clusters,q]


@kernel
def phi(ratio):
    """How far a mean severity is from the table's, from their ratio: 0 where they are equal."""
    if ratio <= 0.0:
        return 1.0
    return ratio * np.log(ratio) - ratio + 1.0


@kernel
def add_entry(clusters, row, count, cluster):
    at = clusters.n_entries[0]
    clusters.rows[at], clusters.counts[at], clusters.clusters[at] = row, count, cluster
    clusters.n_entries[0] = at + 1


@kernel
def add_record(clusters, row, cluster):
    """One record more: in the entry of its row, else in one that is free."""
    free = clusters.n_entries[0]
    for entry in range(clusters.n_entries[0]):
        if clusters.counts[entry] == 0:
            free = entry
        elif clusters.rows[entry] == row and clusters.clusters[entry] == cluster:
            clusters.counts[entry] += 1
            return
    clusters.rows[free], clusters.counts[free], clusters.clusters[free] = row, 1, cluster
    clusters.n_entries[0] = max(clusters.n_entries[0], free + 1)


@kernel
def distance(space, row, centres, modes):
    """From a row to a centre: 0 to 1, the share of the weights times the distance of each kind."""
    squares = 0.0
    for column in range(len(centres)):
        number = space.numbers[row, column]
        if number >= 0 and centres[column] >= 0.0:
            gap = (number - centres[column]) / ONE
            squares += space.number_weights[column] * gap * gap
        elif number >= 0 or centres[column] >= 0.0:
            squares += space.number_weights[column]
    result = np.sqrt(space.number_share * squares)
    if len(modes) > 0:
        matching = 0.0
        for column in range(len(modes)):
            if space.categories[row, column] == modes[column]:
                matching += space.category_weights[column]
        result += space.category_share * (1.0 - matching / (2.0 * space.category_share - matching))
    return result


@kernel
def entries_of(clusters, cluster):
    """The entries of a cluster: -> int64[m]."""
    found = np.empty(clusters.n_entries[0], dtype=np.int64)
    n_found = 0
    for entry in range(clusters.n_entries[0]):
        if clusters.clusters[entry] == cluster and clusters.counts[entry] > 0:
            found[n_found] = entry
            n_found += 1
    return found[:n_found]


@kernel
def refresh(space, clusters, cluster):
    """Everything that is known of a cluster anew, from its entries."""
    clusters.sizes[cluster] = 0
    clusters.severities[cluster] = 0
    clusters.sums[cluster] = 0
    clusters.present[cluster] = 0
    clusters.mode_counts[cluster] = 0
    clusters.low[cluster] = 2**31 - 1
    clusters.high[cluster] = -1
    mine = entries_of(clusters, cluster)
    for entry in mine:
        count, row = clusters.counts[entry], clusters.rows[entry]
        clusters.sizes[cluster] += count
        for column in range(space.severities.shape[1]):
            clusters.severities[cluster, column] += count * space.severities[row, column]
        for column in range(space.numbers.shape[1]):
            if space.numbers[row, column] >= 0:
                clusters.sums[cluster, column] += count * space.numbers[row, column]
                clusters.present[cluster, column] += count
        for column in range(space.codes.shape[1]):
            code = space.codes[row, column]
            clusters.low[cluster, column] = min(clusters.low[cluster, column], code)
            clusters.high[cluster, column] = max(clusters.high[cluster, column], code)
    for column in range(space.categories.shape[1]):
        for entry in mine:
            code, n_records = space.categories[clusters.rows[entry], column], 0
            for other in mine:
                if space.categories[clusters.rows[other], column] == code:
                    n_records += clusters.counts[other]
            keep_mode(clusters, cluster, column, code, n_records)
    find_centre(clusters, cluster)
    find_excess(clusters, cluster)


@kernel
def keep_mode(clusters, cluster, column, code, n_records):
    most = clusters.mode_counts[cluster, column]
    if n_records > most or (n_records == most and code < clusters.modes[cluster, column]):
        clusters.modes[cluster, column] = code
        clusters.mode_counts[cluster, column] = n_records


@kernel
def find_centre(clusters, cluster):
    """The mean of the numbers, from their sums."""
    for column in range(clusters.sums.shape[1]):
        n_present = clusters.present[cluster, column]
        centre = -1.0 if n_present == 0 else clusters.sums[cluster, column] / n_present
        clusters.centres[cluster, column] = centre


@kernel
def find_excess(clusters, cluster):
    """How far out of balance the severity is that is most so."""
    clusters.excess[cluster] = 0.0
    for column in range(clusters.severities.shape[1]):
        ratio = clusters.severities[cluster, column] / (clusters.sizes[cluster] * float(ONE))
        clusters.excess[cluster] = max(clusters.excess[cluster], phi(ratio))


@kernel
def repair_balance(space, ruler, goal, clusters, pulse):
    """Until phi is at most t in every cluster: swap two records, or else merge two clusters.

    A swap brings the worst cluster nearer to balance and no other above t, or further above. There
    are at most as many swaps as records, and a merger leaves one cluster less: it ends.
    """
    n_clusters, n_swaps = len(clusters.sizes), np.sum(clusters.sizes)
    while not pulse.stop[0]:
        worst, n_alive = -1, 0
        for cluster in range(n_clusters):
            if clusters.sizes[cluster] == 0:
                continue
            n_alive += 1
            if clusters.excess[cluster] > goal.t + SLACK:
                if worst < 0 or clusters.excess[cluster] > clusters.excess[worst]:
                    worst = cluster
        if worst < 0 or n_alive == 1:
            return
        gives, takes = -1, -1
        if n_swaps > 0:
            gives, takes = best_swap(space, goal, clusters, worst)
            n_swaps -= 1
        if gives >= 0:
            swap(space, clusters, gives, takes)
        else:
            merge(space, ruler, goal, clusters, worst)


@kernel
def best_swap(space, goal, clusters, worst):
    """The entries of `worst` and of another cluster that should give a record each, or -1, -1.

    The one that brings `worst` nearest to t, then the one whose records are nearest to the centres
    of the clusters they come to; then by row, cluster and row.
    """
    limit = goal.t + SLACK
    severities, sums = space.severities, clusters.severities
    graver = most_out(clusters, worst)
    size = clusters.sizes[worst] * float(ONE)
    is_too_grave = sums[worst, graver] > clusters.sizes[worst] * ONE
    mine = entries_of(clusters, worst)
    to_other = np.empty(len(mine), dtype=np.float64)  # from mine to the centre of `known`
    known = -1
    gives, takes, best, best_cost = -1, -1, clusters.excess[worst], np.inf
    for other in range(clusters.n_entries[0]):
        cluster, other_row = clusters.clusters[other], clusters.rows[other]
        if clusters.counts[other] == 0 or cluster == worst:
            continue
        to_worst = distance(space, other_row, clusters.centres[worst], clusters.modes[worst])
        if best == limit and to_worst > best_cost:
            continue
        other_size = clusters.sizes[cluster] * float(ONE)
        most = max(limit, clusters.excess[cluster])
        for i in range(len(mine)):
            row = clusters.rows[mine[i]]
            more = severities[other_row, graver] - severities[row, graver]
            if more == 0 or (more > 0) == is_too_grave:
                continue
            level = limit
            for column in range(severities.shape[1]):
                more = severities[other_row, column] - severities[row, column]
                ratio = (sums[worst, column] + more) / size
                if ratio < goal.low or ratio > goal.high:
                    if best == limit and (ratio < goal.low - NEARLY or ratio > goal.high + NEARLY):
                        level = np.inf
                        break
                    level = max(level, phi(ratio))
            if level > best or (gives < 0 and level == best):
                continue
            other_level = 0.0
            for column in range(severities.shape[1]):
                more = severities[other_row, column] - severities[row, column]
                ratio = (sums[cluster, column] - more) / other_size
                if ratio < goal.low or ratio > goal.high:
                    other_level = max(other_level, phi(ratio))
            if other_level > most:
                continue
            if cluster != known:  # entries of a cluster mostly stand together
                known = cluster
                to_other[:] = -1.0
            if to_other[i] < 0.0:
                centres, modes = clusters.centres[cluster], clusters.modes[cluster]
                to_other[i] = distance(space, row, centres, modes)
            cost = to_worst + to_other[i]
            if level == best and cost == best_cost:
                is_better = (row, cluster, other_row) < (
                    clusters.rows[gives],
                    clusters.clusters[takes],
                    clusters.rows[takes],
                )
            else:
                is_better = level < best or cost < best_cost
            if is_better:
                gives, takes, best, best_cost = mine[i], other, level, cost
    return gives, takes


@kernel
def most_out(clusters, cluster):
    """The severity that is most out of balance; of equal ones the first."""
    found, most = 0, -1.0
    for column in range(clusters.severities.shape[1]):
        ratio = clusters.severities[cluster, column] / (clusters.sizes[cluster] * float(ONE))
        if phi(ratio) > most:
            found, most = column, phi(ratio)
    return found


@kernel
def swap(space, clusters, gives, takes):
    """One record of each of two entries goes to the cluster of the other."""
    row, cluster = clusters.rows[gives], clusters.clusters[gives]
    other_row, other = clusters.rows[takes], clusters.clusters[takes]
    clusters.counts[gives] -= 1
    clusters.counts[takes] -= 1
    add_record(clusters, row, other)
    add_record(clusters, other_row, cluster)
    refresh(space, clusters, cluster)
    refresh(space, clusters, other)


@kernel
def merge(space, ruler, goal, clusters, worst):
    """Merge with the cluster that brings it nearest to t, then the one that costs least."""
    into, best, best_cost = -1, np.inf, np.inf
    for other in range(len(clusters.sizes)):
        if other == worst or clusters.sizes[other] == 0:
            continue
        size = clusters.sizes[worst] + clusters.sizes[other]
        level = goal.t + SLACK
        for column in range(space.severities.shape[1]):
            total = clusters.severities[worst, column] + clusters.severities[other, column]
            level = max(level, phi(total / (size * float(ONE))))
        if level > best:
            continue
        cost = size * union_cost(ruler, clusters, worst, other)
        cost -= clusters.sizes[worst] * union_cost(ruler, clusters, worst, worst)
        cost -= clusters.sizes[other] * union_cost(ruler, clusters, other, other)
        if level < best or cost < best_cost:
            into, best, best_cost = other, level, cost
    for entry in range(clusters.n_entries[0]):
        if clusters.clusters[entry] == worst:
            clusters.clusters[entry] = into
    clusters.sizes[worst] = 0
    refresh(space, clusters, into)


@kernel
def union_cost(ruler, clusters, one, other):
    """What the box around two clusters costs."""
    cost = 0.0
    for column in range(clusters.low.shape[1]):
        low = min(clusters.low[one, column], clusters.low[other, column])
        high = max(clusters.high[one, column], clusters.high[other, column])
        cost += cell_cost(ruler, column, low, high)
    return cost
