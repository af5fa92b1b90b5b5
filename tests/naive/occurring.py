"""What the text of a cell tells about its group, by trying every group there could be."""

from itertools import combinations_with_replacement


def possible_groups(cell, domain, size, published):
    """All groups of so many values that would have been published with this cell."""
    return [
        group for group in combinations_with_replacement(domain, size) if published(group) == cell
    ]


def certain_values(groups):
    """Values that are in every group that is possible."""
    return set.intersection(*map(set, groups))


def range_of(group):
    low, high = min(group), max(group)
    return str(low) if low == high else f"[{low}, {high}]"


def set_of(group):
    values = sorted(set(group))
    return values[0] if len(values) == 1 else "{" + ", ".join(values) + "}"


def node_of(paths):
    """The label of the lowest node above a group; a path for each leaf, leaf first."""

    def published(group):
        level = next(i for i in range(9) if len({paths[leaf][i] for leaf in group}) == 1)
        return paths[group[0]][level]

    return published
