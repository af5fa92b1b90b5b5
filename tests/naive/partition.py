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


GOLDEN = 0.6180339887498949


class Turns:
    """Which of equal columns comes first: a depth of cuts is dealt to who was cut least before."""

    def __init__(self, names):
        in_order = sorted(range(len(names)), key=lambda i: (names[i], i))
        self.place = {column: place for place, column in enumerate(in_order)}
        self.had = [[0.0] * len(names)]  # before each depth
        self.dealt = []

    def rank(self, column, path):
        """Smaller comes first; `path` are the sides, 0 or 1, that led to a segment."""
        n, depth = len(self.place), len(path)
        while len(self.dealt) <= depth:
            self._deal_a_depth()
        where = sum(side / 2 ** (i + 1) for i, side in enumerate(path))
        dealt = self.dealt[depth]
        first = dealt[int((where + depth * GOLDEN) % 1.0 * len(dealt))]
        turn = (self.place[column] - first) % n
        return (0, 0.0, 0) if turn == 0 else (1, self.had[depth][self.place[column]], turn)

    def _deal_a_depth(self):
        n_cuts = min(2 ** len(self.dealt), 16 * len(self.place)) if self.dealt else 1
        running, dealt = list(self.had[-1]), []
        for _ in range(n_cuts):
            place = min(range(len(running)), key=lambda i: (running[i], i))
            running[place] += 1 / n_cuts
            dealt.append(place)
        self.dealt.append(dealt)
        before = self.had[-1]
        self.had.append([h + dealt.count(i) / n_cuts for i, h in enumerate(before)])


def mondrian(codes, weights, *, columns, names, holds, smallest, strict):
    """Groups of records, each a Counter: table row -> how many of its records."""
    turns = Turns(names)

    def split(segment, path):
        for i in widest_first(segment, path):
            left, right = halves(segment, i)
            if min(len(left), len(right)) < smallest:
                continue
            gained = [half for half in (left, right) if holds(half)]
            if len(gained) == 2 or (gained and not holds(segment)):
                return split(left, (*path, 0)) + split(right, (*path, 1))
        return [Counter(segment)]

    def widest_first(segment, path):
        varying = [i for i in range(len(columns)) if len({codes[row][i] for row in segment}) > 1]
        widths = {i: columns[i].weight * width_of(segment, i) for i in varying}
        shared = Counter(widths.values())
        gains = {i: gain_of(segment, i) if shared[widths[i]] > 1 else 0.0 for i in varying}
        return sorted(varying, key=lambda i: (-widths[i], -gains[i], turns.rank(i, path)))

    def width_of(segment, i):
        return columns[i].width([codes[row][i] for row in segment])

    def gain_of(segment, i):
        """How much narrower the halves are than the whole, by records; -1 if it cannot be cut."""
        sides = halves(segment, i)
        if min(map(len, sides)) < smallest:
            return -1.0
        left, right = (width_of(side, i) * len(side) for side in sides)
        return columns[i].weight * (width_of(segment, i) - (left + right) / len(segment))

    def halves(segment, i):
        in_order = sorted(segment, key=lambda row: (codes[row][i], few_values_first(row)))
        middle = middle_of([codes[row][i] for row in in_order], columns[i])
        return sorted(in_order[:middle]), sorted(in_order[middle:])

    n_values = [len({row[i] for row in codes}) for i in range(len(columns))]
    in_turn = sorted(range(len(columns)), key=lambda i: (n_values[i], names[i], i))

    def few_values_first(row):
        return [codes[row][i] for i in in_turn], row

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

    return split([row for row, weight in enumerate(weights) for _ in range(weight)], ())
