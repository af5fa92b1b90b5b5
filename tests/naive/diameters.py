"""What a set of codes costs in a column, as the clustering papers measure it."""

from dataclasses import dataclass


@dataclass
class OnALine:
    """Numbers by their positions from 0 to 1; the code after them is missing."""

    positions: list
    weight: float = 1.0
    n_codes: int = 2
    is_line = True

    @property
    def missing(self):
        return len(self.positions)

    def cost(self, codes):
        if self.missing in codes:
            return 0.0 if len(codes) == 1 else self.weight
        marks = [self.positions[code] for code in codes]
        return self.weight * (max(marks) - min(marks))


@dataclass
class InATree:
    """Leaves by their paths, leaf first and root last; the code after them is missing."""

    paths: list
    weight: float = 1.0
    n_codes: int = 2
    is_line = False

    def cost(self, codes):
        if len(codes) == 1:
            return 0.0
        if len(self.paths) in codes:
            return self.weight
        height = len(self.paths[0]) - 1
        level = min(
            level
            for level in range(height + 1)
            if len({self.paths[code][level:] for code in codes}) == 1
        )
        return self.weight * (level / height)


def of_axis(axis):
    """The column that an axis of a table is, from what was said of it; a set is a flat tree."""
    if axis.hierarchy is not None and axis.publish == "node":
        return InATree(list(axis.hierarchy.paths()), axis.weight, axis.n_codes)
    if axis.publish == "set":
        paths = [(str(code), "*") for code in range(len(axis.leaves))]
        return InATree(paths, axis.weight, axis.n_codes)
    low, high = axis.domain
    width = (high - low) or 1.0
    positions = [(float(number) - low) / width for number in axis.numbers]
    return OnALine(positions, axis.weight, axis.n_codes)
