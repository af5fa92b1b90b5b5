"""Clusters of k near records whose mean severity is that of the table (Kayem and Meinel)."""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.severity_balance import (
    ONE,
    Clusters,
    add_entry,
    add_record,
    find_centre,
    find_excess,
    keep_mode,
    phi,
    refresh,
    repair_balance,
)
from shoal.kernels.tree import cell_cost

POOL = 3  # so many times k records are looked at for a cluster, the nearest to its seed


@kernel
def cluster_parts(space, ruler, parts, goal, chosen, found, pulse):
    """Cluster the chosen parts, one after another. IN chosen int64[c].  OUT found."""
    for part in chosen:
        begin, end = parts.starts[part], parts.starts[part + 1]
        rows, left = parts.rows[begin:end], parts.counts[begin:end].copy()
        place, after = parts.places[part], parts.places[part + 1]
        n_clusters = (after - place) // goal.k
        clusters = no_clusters(space, found, place, after, n_clusters)
        if n_clusters > 0:
            grow(space, rows, left, goal, parts.first[part], clusters, pulse)
            place_left_over(space, ruler, goal, rows, left, clusters, pulse)
            repair_balance(space, ruler, goal, clusters, pulse)
        else:
            for i in range(len(rows)):
                add_entry(clusters, rows[i], left[i], -1)
        found.n_entries[part] = clusters.n_entries[0]
        found.n_clusters[part] = n_clusters
        pulse.done[0] += after - place - n_clusters * goal.k
        if pulse.stop[0]:
            return


@kernel
def no_clusters(space, found, place, after, n_clusters):
    """Room for the clusters of a part. There are never more entries than records."""
    n_columns, n_severities = space.codes.shape[1], space.severities.shape[1]
    n_numbers, n_categories = space.numbers.shape[1], space.categories.shape[1]
    return Clusters(
        found.rows[place:after],
        found.counts[place:after],
        found.clusters[place:after],
        np.zeros(1, dtype=np.int64),
        np.zeros(n_clusters, dtype=np.int64),
        np.zeros((n_clusters, n_severities), dtype=np.int64),
        np.zeros(n_clusters, dtype=np.float64),
        np.zeros((n_clusters, n_numbers), dtype=np.int64),
        np.zeros((n_clusters, n_numbers), dtype=np.int64),
        np.zeros((n_clusters, n_numbers), dtype=np.float64),
        np.zeros((n_clusters, n_categories), dtype=np.int32),
        np.zeros((n_clusters, n_categories), dtype=np.int64),
        np.zeros((n_clusters, n_columns), dtype=np.int32),
        np.zeros((n_clusters, n_columns), dtype=np.int32),
    )


@kernel
def grow(space, rows, left, goal, first, clusters, pulse):
    """Fill clusters to k records, each from the record furthest from the seed before."""
    reference = 0
    while first >= left[reference]:
        first -= left[reference]
        reference += 1
    everywhere = np.arange(len(rows))
    distances = np.empty(len(rows), dtype=np.float64)
    pool = np.empty(len(rows), dtype=np.int64)
    taken = np.zeros(len(rows), dtype=np.int64)
    near = np.empty(POOL * goal.k + 1, dtype=np.float64)
    near_counts = np.empty(POOL * goal.k + 1, dtype=np.int64)
    centre = np.empty(space.numbers.shape[1], dtype=np.float64)
    for cluster in range(len(clusters.sizes)):
        if pulse.stop[0]:
            return
        centre[:] = space.numbers[rows[reference]]
        modes = space.categories[rows[reference]]
        measure(space, rows, left, everywhere, centre, modes, distances)
        seed = -1
        for i in range(len(rows)):
            if left[i] > 0 and (seed < 0 or distances[i] > distances[seed]):
                seed = i
        centre[:] = space.numbers[rows[seed]]
        measure(space, rows, left, everywhere, centre, space.categories[rows[seed]], distances)
        n_pool = choose_pool(left, distances, POOL * goal.k, near, near_counts, pool)
        place, size = seed, 0
        while True:
            left[place] -= 1
            taken[place] += 1
            size += 1
            join(space, rows, taken, pool[:n_pool], place, clusters, cluster)
            if size == goal.k:
                break
            place = best_of_pool(
                space, rows, left, goal, clusters, cluster, pool[:n_pool], distances
            )
        find_excess(clusters, cluster)
        for i in range(n_pool):
            if taken[pool[i]] > 0:
                add_entry(clusters, rows[pool[i]], taken[pool[i]], cluster)
                taken[pool[i]] = 0
        reference = seed
        pulse.done[0] += goal.k


@kernel
def measure(space, rows, left, pool, centres, modes, distances):
    """Distances from a centre of the rows in the pool that are left. OUT distances, by place.

    The loops of `distance` stand here again: for a row, a call costs more than they.
    """
    numbers, categories, points = space.numbers, space.categories, space.points
    number_weights, category_weights = space.number_weights, space.category_weights
    number_share, category_share = space.number_share, space.category_share
    point, near = np.int32(-1), 0.0
    for place in pool:
        if left[place] == 0:
            continue
        row = rows[place]
        if points[row] != point:  # rows at the same point stand one behind another
            point = points[row]
            squares, matching = 0.0, 0.0
            for column in range(len(centres)):
                number = numbers[row, column]
                if number >= 0 and centres[column] >= 0.0:
                    gap = (number - centres[column]) / ONE
                    squares += number_weights[column] * gap * gap
                elif number >= 0 or centres[column] >= 0.0:
                    squares += number_weights[column]
            near = np.sqrt(number_share * squares)
            if len(modes) > 0:
                for column in range(len(modes)):
                    if categories[row, column] == modes[column]:
                        matching += category_weights[column]
                near += category_share * (1.0 - matching / (2.0 * category_share - matching))
        distances[place] = near


@kernel
def choose_pool(left, distances, n_wanted, near, near_counts, pool):
    """Places of the rows of the nearest records, and of all that are as near: -> how many."""
    n_near, n_records = 0, 0
    for i in range(len(left)):
        if left[i] == 0 or (n_records >= n_wanted and distances[i] >= near[n_near - 1]):
            continue
        at = n_near
        while at > 0 and near[at - 1] > distances[i]:
            near[at], near_counts[at] = near[at - 1], near_counts[at - 1]
            at -= 1
        near[at], near_counts[at] = distances[i], left[i]
        n_near += 1
        n_records += left[i]
        while n_records - near_counts[n_near - 1] >= n_wanted:
            n_near -= 1
            n_records -= near_counts[n_near]
    n_pool = 0
    for i in range(len(left)):
        if left[i] > 0 and distances[i] <= near[n_near - 1]:
            pool[n_pool] = i
            n_pool += 1
    return n_pool


@kernel
def join(space, rows, taken, pool, place, clusters, cluster):
    """One record more for a cluster, and its centre anew."""
    row = rows[place]
    clusters.sizes[cluster] += 1
    for column in range(space.severities.shape[1]):
        clusters.severities[cluster, column] += space.severities[row, column]
    for column in range(space.numbers.shape[1]):
        if space.numbers[row, column] >= 0:
            clusters.sums[cluster, column] += space.numbers[row, column]
            clusters.present[cluster, column] += 1
    for column in range(space.categories.shape[1]):
        code = space.categories[row, column]
        if code == clusters.modes[cluster, column]:
            clusters.mode_counts[cluster, column] += 1
            continue
        n_records = 0
        for i in pool:
            if taken[i] > 0 and space.categories[rows[i], column] == code:
                n_records += taken[i]
        keep_mode(clusters, cluster, column, code, n_records)
    is_first = clusters.sizes[cluster] == 1
    for column in range(space.codes.shape[1]):
        code = space.codes[row, column]
        if is_first or code < clusters.low[cluster, column]:
            clusters.low[cluster, column] = code
        if is_first or code > clusters.high[cluster, column]:
            clusters.high[cluster, column] = code
    find_centre(clusters, cluster)


@kernel
def best_of_pool(space, rows, left, goal, clusters, cluster, pool, distances):
    """The place of the record that is near the centre and keeps severities in balance.

    Of equal ones the first.
    """
    measure(space, rows, left, pool, clusters.centres[cluster], clusters.modes[cluster], distances)
    severities, totals = space.severities, clusters.severities[cluster]
    size = (clusters.sizes[cluster] + 1) * float(ONE)
    best, best_score = -1, np.inf
    for place in pool:
        if left[place] == 0 or distances[place] >= best_score:  # phi is never below 0
            continue
        score = distances[place]
        for column in range(len(totals)):
            ratio = (totals[column] + severities[rows[place], column]) / size
            score += goal.balance * phi(ratio)
        if score < best_score:
            best, best_score = place, score
    return best


@kernel
def place_left_over(space, ruler, goal, rows, left, clusters, pulse):
    """Put each record that is left where box and severity suffer least; then the first cluster."""
    all_weights = np.sum(ruler.weights)
    for i in range(len(rows)):
        for _ in range(left[i]):
            if pulse.stop[0]:
                return
            best, best_cost = -1, np.inf
            for cluster in range(len(clusters.sizes)):
                cost = cost_of_joining(space, ruler, goal, rows[i], clusters, cluster, all_weights)
                if cost < best_cost:
                    best, best_cost = cluster, cost
            add_record(clusters, rows[i], best)
            refresh(space, clusters, best)
        left[i] = 0


@kernel
def cost_of_joining(space, ruler, goal, row, clusters, cluster, all_weights):
    """What a cluster's records lose more, cells and balance together, if a record joins."""
    size = clusters.sizes[cluster]
    before, after = 0.0, 0.0
    for column in range(space.codes.shape[1]):
        code = space.codes[row, column]
        low, high = clusters.low[cluster, column], clusters.high[cluster, column]
        before += cell_cost(ruler, column, low, high)
        after += cell_cost(ruler, column, min(low, code), max(high, code))
    cost = ((size + 1) * after - size * before) / all_weights
    for column in range(space.severities.shape[1]):
        total = clusters.severities[cluster, column]
        more = total + space.severities[row, column]
        change = (size + 1) * phi(more / ((size + 1) * float(ONE)))
        cost += goal.balance * (change - size * phi(total / (size * float(ONE))))
    return cost
