"""Counting queries answered record by record, and estimated cell by cell from published text."""

from naive.cells import read_cell


def matches(value, low, high):
    return value is not None and low <= value <= high


def true_count(rows, query):
    """`query`: by column, the values that it asks for: a list, or a pair (low, high) of numbers."""
    return sum(all(_asked(row[name], asked) for name, asked in query.items()) for row in rows)


def true_sum(rows, query, of):
    """The numbers of a column, added up over the records that match, and how many have one."""
    found = [
        row[of]
        for row in rows
        if all(_asked(row[name], asked) for name, asked in query.items()) and row[of] is not None
    ]
    return sum(found), len(found)


def estimated_sum(rows, query, domains, of):
    """The same from released rows, each counting by how likely it matches."""
    total = n = 0.0
    for row in rows:
        if row[of] is not None:
            share = estimate([row], query, domains)
            total, n = total + share * row[of], n + share
    return total, n


def _asked(value, asked):
    return matches(value, *asked) if isinstance(asked, tuple) else value in asked


def estimate(rows, query, domains):
    """`domains`: by column, its values, or (low, high) of its whole numbers."""
    total = 0.0
    for row in rows:
        share = 1.0
        for name, asked in query.items():
            share *= _share(row[name], asked, domains[name])
        total += share
    return total


def _share(cell, asked, domain):
    if isinstance(asked, tuple):
        covered = domain if cell == "*" else None if cell is None else read_cell(cell)
        if covered is None:
            return 0.0
        low, high = (int(end) for end in covered)
        inside = min(high, asked[1]) - max(low, asked[0]) + 1
        return max(0, inside) / (high - low + 1)
    if cell is None:
        return 0.0
    values = domain if cell == "*" else read_cell(cell, as_set=True)
    return sum(value in asked for value in values) / len(values)
