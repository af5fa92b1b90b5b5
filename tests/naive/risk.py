"""Risk by its definitions: dictionaries, fractions, and every order of columns."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations


def groups(records, places):
    """How many records look like each combination of values in some columns."""
    return Counter(tuple(record[place] for place in places) for record in records)


def risks(records, places):
    """The prosecutor's risk of every record."""
    sizes = groups(records, places)
    return [Fraction(1, sizes[tuple(record[p] for p in places)]) for record in records]


def average(records, places):
    return sum(risks(records, places)) / len(records)


def n_unique(records, places):
    return sum(risk == 1 for risk in risks(records, places))


def n_above(found, threshold):
    return sum(float(risk) > threshold for risk in found)  # a third is not above 1 / 3


def population_risks(records, population):
    """The journalist's: whoever is in the data is in the population too."""
    return [Fraction(1, max(population.count(record), records.count(record))) for record in records]


def contribution(records, n_columns, column, size):
    """The mean, over all combinations that contain a column, of its Shapley value there."""
    values = [
        shapley(records, places, column)
        for places in combinations(range(n_columns), size)
        if column in places
    ]
    return sum(values) / len(values)


def shapley(records, places, column):
    gains = []
    for order in permutations(places):
        before = order[: order.index(column)]
        gains.append(average(records, (*before, column)) - average(records, before))
    return sum(gains) / len(gains)
