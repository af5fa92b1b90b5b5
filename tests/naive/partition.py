"""Mondrian as the paper has it: recursive, on single records."""

from collections import Counter
from dataclasses import dataclass


def k_anonymous(k):
    return lambda records: len(records) >= k


def l_diverse(value_of_row, l):
    return lambda records: len({value_of_row[row] for row in records}) >= l


def no_majority(value_of_row, share):
    """No value is that of more than `share` of the records. A half may hold where all do not."""

    def holds(records):
        return max(Counter(value_of_row[row] for row in records).values()) <= share * len(records)

    return holds


def all_of(*models):
    return lambda records: all(model(records) for model in models)


@dataclass
class Line:
    """A column whose codes lie on a line."""

    positions: list
    weight: float

    def width(self, codes):
        marks = [self.positions[code] for code in codes]
        return max(marks) - min(marks)

    def branches(self, codes):
        """The part of the line that each code is in: one of its own."""
        return {code: code for code in codes}


@dataclass
class Branching:
    """A column published as nodes: a path per code, leaf first; the code after them is missing."""

    paths: list
    weight: float

    def width(self, codes):
        if len(set(codes)) == 1:
            return 0
        if len(self.paths) in codes:
            return 2
        node = self._shared(codes)
        below = sum(path[-len(node) :] == node for path in self.paths)
        return (below - 1) / (len(self.paths) - 1)

    def branches(self, codes):
        """The child of the lowest node above all codes that each of them is below."""
        missing = len(self.paths)
        n_shared = 1 if missing in codes else len(self._shared(codes))
        return {
            code: None if code == missing else self.paths[code][-n_shared - 1 :] for code in codes
        }

    def _shared(self, codes):
        """The end that the paths of all codes have in common."""
        paths = [self.paths[code] for code in codes]
        for level in range(len(paths[0])):
            if len({path[level:] for path in paths}) == 1:
                return paths[0][level:]
        raise AssertionError("all paths end in the root")


def mondrian(codes, weights, *, columns, holds, smallest, strict):
    """Groups of records, each a Counter: table row -> how many of its records."""

    def split(segment):
        for i in widest_first(segment):
            left, right = halves(segment, i)
            if min(len(left), len(right)) < smallest:
                continue
            gained = [half for half in (left, right) if holds(half)]
            if len(gained) == 2 or (gained and not holds(segment)):
                return split(left) + split(right)
        return [Counter(segment)]

    def widest_first(segment):
        found = [[codes[row][i] for row in segment] for i in range(len(columns))]
        varying = [i for i in range(len(columns)) if len(set(found[i])) > 1]
        return sorted(varying, key=lambda i: (-columns[i].width(found[i]) * columns[i].weight, i))

    def halves(segment, i):
        in_order = sorted(segment, key=lambda row: (codes[row][i], row))
        middle = middle_of([codes[row][i] for row in in_order], columns[i])
        return sorted(in_order[:middle]), sorted(in_order[middle:])

    def middle_of(ascending, column):
        n = len(ascending)
        if not strict:
            return n // 2
        branch_of = column.branches(ascending)

        def best(kind_of):
            boundaries = [
                at for at in range(1, n) if kind_of[ascending[at - 1]] != kind_of[ascending[at]]
            ]
            return max(boundaries, key=lambda at: (min(at, n - at), at))

        between_branches = best(branch_of)
        if min(between_branches, n - between_branches) >= smallest:
            return between_branches
        return best({code: code for code in ascending})

    return split([row for row, weight in enumerate(weights) for _ in range(weight)])
