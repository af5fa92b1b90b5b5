"""Greedy k-member by looking at everything, on rows of equal records.

Ties are those of the fast version, so it is told the order in which rows stand (`rows`, near ones
beside each other): positions in that order decide between equals.
"""

from functools import reduce
from operator import add


def cost(columns, low, high):
    """What the box from low to high costs, column after column."""
    ends = zip(columns, low, high, strict=True)
    return reduce(add, (column.cost({first, last}) for column, first, last in ends), 0.0)


def grown(low, high, row):
    return (
        [min(pair) for pair in zip(low, row, strict=True)],
        [max(pair) for pair in zip(high, row, strict=True)],
    )


def nearest(columns, codes, left, low, high, home):
    """The position that widens the box least; equal ones: nearest to `home`, then the first."""
    return min(
        (position for position in range(len(codes)) if left[position] > 0),
        key=lambda p: (cost(columns, *grown(low, high, codes[p])), abs(p - home), p),
    )


def furthest(columns, codes, left, row):
    """The position of the row that is furthest from a row; of equal ones the first."""
    return min(
        (position for position in range(len(codes)) if left[position] > 0),
        key=lambda p: (-cost(columns, *grown(row, row, codes[p])), p),
    )


def k_member(columns, codes, counts, *, k, start, seeding, rows):
    """Clusters in the order in which they grew, each a list of (row, records), and what is left."""
    by_position = [codes[row] for row in rows]
    left = [counts[row] for row in rows]
    reference = rows.index(start)
    clusters = []
    while sum(left) >= k:
        seed = reference
        if seeding != "oka-text" or clusters:
            seed = furthest(columns, by_position, left, by_position[reference])
        low = high = by_position[seed]
        position, missing, cluster = seed, k, []
        while True:
            n_taken = min(missing, left[position])
            cluster.append((rows[position], n_taken))
            left[position] -= n_taken
            missing -= n_taken
            low, high = grown(low, high, by_position[position])
            if missing == 0:
                break
            position = nearest(columns, by_position, left, low, high, seed)
        clusters.append(cluster)
        reference = position if seeding == "last-added" else seed
    return clusters, {rows[p]: n for p, n in enumerate(left) if n > 0}


def increase(columns, box, size, other, other_size):
    """What the union of two boxes of records costs more than the two of them."""
    low, _ = grown(box[0], box[0], other[0])
    _, high = grown(box[1], box[1], other[1])
    union = cost(columns, low, high)
    own = size * (union - cost(columns, *box))
    return own + other_size * (union - cost(columns, *other))


def join(columns, codes, left_over, boxes, sizes, order):
    """Put records into groups one after another, each where it costs least.

    `order`: the groups as they stand, of equal ones the first. Changes boxes and sizes; returns the
    group of every record, in the order of rows.
    """
    placed = []
    for row, n_records in sorted(left_over.items()):
        point = (codes[row], codes[row])
        for _ in range(n_records):
            costs = {g: increase(columns, point, 1, boxes[g], sizes[g]) for g in order}
            group = min(order, key=lambda g: (costs[g], order.index(g)))
            boxes[group] = grown(*boxes[group], codes[row])
            sizes[group] += 1
            placed.append((row, group))
    return placed


def partner(columns, boxes, sizes, group, order):
    """The group that one is merged with at the least cost, and that cost."""
    costs = {
        other: increase(columns, boxes[group], sizes[group], boxes[other], sizes[other])
        for other in order
        if other != group
    }
    found = min(costs, key=lambda other: (costs[other], order.index(other)))
    return found, costs[found]


def by_lowest_index(columns, records, *, k, start, variant):
    """The pseudocode on single records, equals by their number: how the vectors were computed."""

    def loss(members):
        low, high = reduce(
            lambda box, m: grown(*box, records[m]), members, (records[members[0]],) * 2
        )
        return len(members) * cost(columns, low, high)

    free = list(range(len(records)))
    reference, built = start, []
    while len(free) >= k:
        seed = reference
        if variant != "oka-text" or built:
            seed = max(free, key=lambda m: (loss([reference, m]), -m))
        cluster = [seed]
        free.remove(seed)
        while len(cluster) < k:
            cluster.append(min(free, key=lambda m: (loss([*cluster, m]), m)))
            free.remove(cluster[-1])
        built.append(cluster)
        reference = cluster[-1] if variant == "byun-pseudocode" else seed
    final = [list(cluster) for cluster in built]
    for record in free:
        best = min(final, key=lambda c: (loss([*c, record]) - loss(c), final.index(c)))
        best.append(record)
    return built, [sorted(cluster) for cluster in final], sum(map(loss, final))
