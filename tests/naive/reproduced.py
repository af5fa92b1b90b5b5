"""Figures of a reproduction from the rows of a released file; tables of its page from a csv file.

A column is a list of numbers, or paths from leaf to root; the original says how wide it is.
"""

import csv
import math
import re
from collections import Counter

from naive.cells import ROOT, read_cell


class Numbers:
    """A column of numbers, published as ranges; with `nodes`, as intervals of its own values."""

    def __init__(self, values, *, nodes=False):
        self.values, self.nodes = values, nodes

    def ends(self, cell):
        if cell == ROOT:
            return min(self.values), max(self.values)
        low, high = (float(end) for end in read_cell(cell))
        return low, high

    def leaves(self, cell):
        low, high = self.ends(cell)
        return len({value for value in self.values if low <= value <= high})

    def share(self, cell):
        """Q-diversity."""
        if self.nodes:
            return self.leaves(cell) / len(set(self.values))
        low, high = self.ends(cell)
        return (high - low) / (max(self.values) - min(self.values))

    def excess(self, cell):
        """iloss of a cell."""
        if not self.nodes:
            return self.share(cell)
        return (self.leaves(cell) - 1) / len(set(self.values))


class Leaves:
    """A column with a tree; without inner nodes cells may be sets."""

    def __init__(self, paths):
        self.paths = paths

    def leaves(self, cell):
        if cell.startswith("{"):
            return len(read_cell(cell, as_set=True))
        return max(sum(path[level] == cell for path in self.paths)
                   for level in range(len(self.paths[0])))  # fmt: skip

    def share(self, cell):
        return self.leaves(cell) / len(self.paths)

    def excess(self, cell):
        return (self.leaves(cell) - 1) / len(self.paths)

    def height(self, cell):
        """The lowest level at which a node of this name covers as many leaves."""
        covered = [path for path in self.paths if cell in path] or self.paths
        if cell.startswith("{"):
            return len(self.paths[0]) - 1
        n = self.leaves(cell)
        for level in range(len(self.paths[0])):
            if sum(path[level] == covered[0][level] for path in self.paths) == n:
                return level
        raise AssertionError(cell)

    def climbed(self, cell):
        return self.height(cell) / (len(self.paths[0]) - 1)


def groups_of(rows, quasi):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in quasi), []).append(row)
    return found


def discernibility(rows, quasi):
    return sum(len(group) ** 2 for group in groups_of(rows, quasi).values())


def average_size(rows, quasi, k):
    return len(rows) / (len(groups_of(rows, quasi)) * k)


def utility(rows, columns):
    """Mean over groups of the Q-diversities of all cells."""
    found = groups_of(rows, columns)
    total = sum(
        column.share(cell)
        for cells in found
        for cell, column in zip(cells, columns.values(), strict=True)
    )
    return total / len(found)


def total_excess(rows, columns):
    return sum(column.excess(row[name]) for row in rows for name, column in columns.items())


def total_height(rows, columns):
    """il: width of numbers, height of nodes."""
    return sum(
        column.climbed(row[name]) if isinstance(column, Leaves) else column.share(row[name])
        for row in rows
        for name, column in columns.items()
    )


def most_frequent_by_others(rows, quasi, sensitive):
    """c: mean over groups with at least two values."""
    found = []
    for group in groups_of(rows, quasi).values():
        counts = Counter(row[sensitive] for row in group)
        if len(counts) > 1:
            most = max(counts.values())
            found.append(most / (len(group) - most))
    return sum(found) / len(found)


def different_values(rows, quasi, sensitive):
    found = groups_of(rows, quasi).values()
    return sum(len({row[sensitive] for row in group}) for group in found) / len(found)


def severity_distance(rows, quasi, sensitive, severity):
    """Mean over records of x ln x - x + 1, x being the severity of the group by the table's."""
    mean = sum(severity[row[sensitive]] for row in rows) / len(rows)
    total = 0.0
    for group in groups_of(rows, quasi).values():
        x = sum(severity[row[sensitive]] for row in group) / len(group) / mean
        total += len(group) * (x * math.log(x) - x + 1)
    return total / len(rows)


CAPTION = re.compile(
    r"`(?P<measure>[^`]+)` by (?P<axis>\S+), `(?P<experiment>[^`]+)`(?: `(?P<table>[^`]+)`)?"
    r"(?P<at>(?:, \w+ = [\d.e-]+)*):"
)


def tables_of_page(text):
    """(caption, axis value, method, first number of the cell) of every table of figures."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        caption = CAPTION.fullmatch(line)
        if caption is None:
            continue
        methods = [cell.strip() for cell in lines[i + 2].strip("|").split("|")][1:]
        for row in lines[i + 4 :]:
            if not row.startswith("|"):
                break
            at, *cells = (cell.strip() for cell in row.strip("|").split("|"))
            for method, cell in zip(methods, cells, strict=True):
                if cell != "–":
                    yield caption.groupdict(), float(at), method, float(cell.split(" ")[0])


class CsvFigures:
    """The rows of a csv file of figures, by experiment, measure and method."""

    def __init__(self, path):
        self.rows = {}
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = row["experiment"], row["measure"], row["method"]
                self.rows.setdefault(key, []).append(row)

    def mean(self, caption, at, method):
        """The mean of all rows that a cell of the page is made of."""
        axis = "k" if caption["axis"] == "k" else "value"
        fixed = dict(part.split(" = ") for part in caption["at"].split(", ") if part)
        rows = self.rows[caption["experiment"], caption["measure"], method]
        named = [row for row in rows if row["table"] == caption["table"]]
        if not named:  # several tables, whose names begin alike
            named = [row for row in rows if row["table"].startswith(caption["table"] or "")]
        figures = [
            float(row["figure"])
            for row in named
            if float(row[axis]) == at
            and all(float(row[name]) == float(value) for name, value in fixed.items())
        ]
        return sum(figures) / len(figures)
