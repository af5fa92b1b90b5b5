"""The measures, cell by cell, from their definitions in words.

A column says what one published cell costs; `SUPPRESSED` cells are the root.
"""

from dataclasses import dataclass
from typing import NamedTuple

from naive.cells import ROOT, read_cell

SUPPRESSED = "suppressed"


class Cost(NamedTuple):
    """What a cell adds to each measure that goes over cells."""

    loss: float
    ncp: float
    il: float
    iloss: float
    precision: float


NOTHING = Cost(0, 0, 0, 0, 0)


class Column:
    """A quasi-identifier; `values` are those of the input, None where missing."""

    values: list

    def cost(self, cell) -> Cost:
        """Of a published cell's text, None for a missing one, or SUPPRESSED."""
        if cell is None or len(set(self.values)) <= 1:
            return NOTHING
        return self.whole() if cell in (ROOT, SUPPRESSED) else self.part(cell)

    def whole(self) -> Cost:
        raise NotImplementedError

    def part(self, cell) -> Cost:
        raise NotImplementedError


@dataclass
class Range(Column):
    """Numbers without hierarchy node: width by the width of the domain."""

    values: list
    number: type = float

    def whole(self):
        return Cost(1, 1, 1, 1, 1)

    def part(self, cell):
        low, high = (self.number(end) for end in read_cell(cell))
        present = [value for value in self.values if value is not None]
        if low == high:
            return NOTHING
        share = (high - low) / (max(present) - min(present))
        return Cost(share, share, share, share, precision=1)


@dataclass
class Values(Column):
    """A plain category: size of the set by the different values of the input; a flat tree."""

    values: list

    def _of(self, n_values, n_all):
        if n_values == 1:
            return NOTHING
        return Cost((n_values - 1) / (n_all - 1), n_values / n_all, 1, (n_values - 1) / n_all, 1)

    def whole(self):
        # With one value besides missing, the two of them are all that a cell can cover.
        n_all = max(2, len({value for value in self.values if value is not None}))
        return self._of(n_all, n_all)

    def part(self, cell):
        n_all = len({value for value in self.values if value is not None})
        return self._of(len(read_cell(cell, as_set=True)), n_all)


@dataclass
class Node(Column):
    """A column with a hierarchy: one path per leaf, leaf first and root last."""

    values: list
    paths: list

    def _of(self, n_leaves, level, n_all):
        height = len(self.paths[0]) - 1
        if level == 0:
            return NOTHING
        return Cost(
            loss=(n_leaves - 1) / (n_all - 1),
            ncp=n_leaves / n_all,
            il=level / height,
            iloss=(n_leaves - 1) / n_all,
            precision=level / height,
        )

    def whole(self):
        n_all = max(2, len(self.paths))  # one leaf and missing: as in a plain category
        return self._of(n_all, len(self.paths[0]) - 1, n_all)

    def part(self, cell):
        level = min(path.index(cell) for path in self.paths if cell in path)
        n_leaves = sum(path[level] == cell for path in self.paths)
        return self._of(n_leaves, level, len(self.paths))


def measures(columns, cells, groups, *, k):
    """All measures of a release.

    `cells[i]` are the texts of the i-th record's cells, or None where it is suppressed;
    `groups[i]` is its group.
    """
    costs = [
        column.cost(SUPPRESSED if record is None else record[j])
        for record in cells
        for j, column in enumerate(columns)
    ]
    released = [group for group, record in zip(groups, cells, strict=True) if record is not None]
    n_suppressed = len(cells) - len(released)
    sizes = [released.count(group) for group in set(released)]
    return {
        "loss": sum(cost.loss for cost in costs) / len(costs),
        "ncp": sum(cost.ncp for cost in costs) / len(costs),
        "il": sum(cost.il for cost in costs),
        "iloss": sum(cost.iloss for cost in costs),
        "precision": sum(cost.precision for cost in costs) / len(costs),
        "dm": sum(size**2 for size in sizes) + n_suppressed * len(cells),
        "cavg": len(released) / (len(sizes) * k) if sizes else 0,
    }
