"""Mondrian as the paper has it: recursive, on single records."""

from collections import Counter


def k_anonymous(k):
    return lambda records: len(records) >= k


def l_diverse(value_of_row, l):
    return lambda records: len({value_of_row[row] for row in records}) >= l


def all_of(*models):
    return lambda records: all(model(records) for model in models)


def mondrian(codes, weights, *, positions, column_weights, holds, smallest, strict):
    """Groups of records, each a Counter: table row -> how many of its records.

    `positions[column][code]` lies where the code lies on its column's line.
    """
    records = [row for row, weight in enumerate(weights) for _ in range(weight)]

    def split(segment):
        for column in _widest_first(segment):
            left, right = _halves(segment, column)
            if min(len(left), len(right)) < smallest:
                continue
            gained = [half for half in (left, right) if holds(half)]
            if len(gained) == 2 or (gained and not holds(segment)):
                return split(left) + split(right)
        return [Counter(segment)]

    def _widest_first(segment):
        def width(column):
            marks = [positions[column][codes[row][column]] for row in segment]
            return (max(marks) - min(marks)) * column_weights[column]

        varying = [
            column
            for column in range(len(column_weights))
            if len({codes[row][column] for row in segment}) > 1
        ]
        return sorted(varying, key=lambda column: (-width(column), column))

    def _halves(segment, column):
        in_order = sorted(segment, key=lambda row: (codes[row][column], row))
        middle = len(in_order) // 2
        if strict:
            _, middle = max(
                (min(at, len(in_order) - at), at)
                for at in range(1, len(in_order))
                if codes[in_order[at - 1]][column] != codes[in_order[at]][column]
            )
        return sorted(in_order[:middle]), sorted(in_order[middle:])

    return split(records)
