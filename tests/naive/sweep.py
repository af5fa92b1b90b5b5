"""What groups cost, record by record: the twin of the moves of the local search."""

from collections import defaultdict


def node_above(paths, values):
    """The number of leaves under the lowest node above some leaves; a path is leaf to root."""
    for level in range(len(paths[0])):
        nodes = {paths[value][level:] for value in values}
        if len(nodes) == 1:
            node = nodes.pop()
            return sum(path[level:] == node for path in paths)
    raise AssertionError("paths have a common root")


def total_cost(rows, paths, parts):
    """Of (row, group, count): each record pays the leaves of its cells beyond the first."""
    members = defaultdict(list)
    for row, group, count in parts:
        members[group].append((row, count))
    total = 0.0
    for inside in members.values():
        for column, of_column in enumerate(paths):
            covered = node_above(of_column, {rows[row][column] for row, _ in inside})
            share = (covered - 1) / (len(of_column) - 1)
            total += share * sum(count for _, count in inside)
    return total


def sizes_of(parts):
    sizes = defaultdict(int)
    for _, group, count in parts:
        sizes[group] += count
    return sizes
