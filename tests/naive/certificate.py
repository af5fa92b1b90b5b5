"""Every single move of a grouping, and what it changes, record by record: the certificate's twin.

Groups are lists of rows, one entry for each record; a row is a tuple of values, and each column has
a path from leaf to root for each value. A record pays what the cells of its group cost.
"""

from itertools import combinations, product


def cell(paths, values):
    """The lowest node above some values: the rest of the path that they share."""
    for level in range(len(paths[values[0]])):
        nodes = {paths[value][level:] for value in values}
        if len(nodes) == 1:
            return nodes.pop()
    raise AssertionError("paths have a common root")


def share(paths, node):
    covered = sum(path[-len(node) :] == node for path in paths)
    return (covered - 1) / (len(paths) - 1)


def box_of(rows, paths):
    return tuple(cell(p, [row[i] for row in rows]) for i, p in enumerate(paths))


def price(box, paths):
    return sum(share(p, node) for p, node in zip(paths, box, strict=True))


def covers(box, row, paths):
    return all(
        p[value][-len(node) :] == node for p, node, value in zip(paths, box, row, strict=True)
    )


def cost(groups, paths):
    return sum(len(rows) * price(box_of(rows, paths), paths) for rows in groups if rows)


def changes_of_moves(groups, paths, k):
    """What every single move would change, with its name, and the smallest group it leaves.

    To open a box is priced as if those who give kept their boxes, so it does not matter which of
    their records go; all other moves are priced by the groups that they leave.
    """
    groups = [list(rows) for rows in groups]
    boxes = [box_of(rows, paths) for rows in groups]
    prices = [price(box, paths) for box in boxes]
    before = cost(groups, paths)
    for name, then in (
        *_shifts(groups, k),
        *_swaps(groups),
        *_merges(groups),
        *_closings(groups, boxes, prices, paths),
        *_divisions(groups, boxes, prices, paths, k),
    ):
        yield name, cost(then, paths) - before, min(len(rows) for rows in then if rows)
    yield from _openings(groups, prices, paths, k)


def _shifts(groups, k):
    for i, rows in enumerate(groups):
        for row in sorted(set(rows)):
            for n in range(1, min(rows.count(row), len(rows) - k) + 1):
                for j in range(len(groups)):
                    if j != i:
                        then = [list(g) for g in groups]
                        for _ in range(n):
                            then[i].remove(row)
                        then[j] += [row] * n
                        yield "shift", then


def _swaps(groups):
    for i, j in combinations(range(len(groups)), 2):
        for one, other in product(sorted(set(groups[i])), sorted(set(groups[j]))):
            then = [list(g) for g in groups]
            then[i].remove(one)
            then[j].remove(other)
            then[i].append(other)
            then[j].append(one)
            yield "swap", then


def _merges(groups):
    for i, j in combinations(range(len(groups)), 2):
        rest = [g for n, g in enumerate(groups) if n not in (i, j)]
        yield "merge", [*rest, groups[i] + groups[j]]


def _cheapest(row, home, boxes, prices, paths):
    fit = [n for n, box in enumerate(boxes) if n != home and covers(box, row, paths)]
    return min(fit, key=lambda n: prices[n], default=None)


def _closings(groups, boxes, prices, paths):
    for i, rows in enumerate(groups):
        then = _sent_away(groups, i, rows, boxes, prices, paths)
        if then is not None:
            yield "close", then


def _sent_away(groups, home, rows, boxes, prices, paths):
    """Some rows of a group go to the cheapest boxes that cover them; None if one has none."""
    then = [list(g) for g in groups]
    for row in rows:
        target = _cheapest(row, home, boxes, prices, paths)
        if target is None:
            return None
        then[home].remove(row)
        then[target].append(row)
    return then


def _divisions(groups, boxes, prices, paths, k):
    """A cell of a group is replaced by one of its children."""
    for i, rows in enumerate(groups):
        for column, node in enumerate(boxes[i]):
            children = {path[-len(node) - 1 :] for path in paths[column] if len(path) > len(node)}
            for child in sorted(c for c in children if c[1:] == node):
                inside = [r for r in rows if paths[column][r[column]][-len(child) :] == child]
                outside = [r for r in rows if r not in inside]
                if len(inside) >= k:
                    then = _sent_away(groups, i, outside, boxes, prices, paths)
                    if then is not None:
                        yield "specialise", then
                if len(inside) >= k and len(outside) >= k:
                    yield "split", [*groups[:i], *groups[i + 1 :], inside, outside]


def _openings(groups, prices, paths, k):
    """Any box takes what groups can spare: all that pays more there, and others up to k."""
    nodes = [sorted({path[level:] for path in p for level in range(len(path))}) for p in paths]
    for box in product(*nodes):
        its_price, n_taken, change = price(box, paths), 0, 0.0
        for i in sorted(range(len(groups)), key=lambda n: -prices[n]):
            n_inside = sum(covers(box, row, paths) for row in groups[i])
            n = min(n_inside, len(groups[i]) - k)
            if prices[i] <= its_price:
                n = min(n, max(k - n_taken, 0))
            n_taken += n
            change += n * (its_price - prices[i])
        if n_taken >= k:
            yield "open", change, n_taken
