"""Risk by its definitions: dictionaries, fractions, and every order of columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, permutations


def groups(records, places):
    """How many records look like each combination of values in some columns."""
    return Counter(tuple(record[place] for place in places) for record in records)


def people_of_groups(records, places, people):
    """The different people with a record of each combination of values in some columns."""
    found = defaultdict(set)
    for record, person in zip(records, people, strict=True):
        found[tuple(record[place] for place in places)].add(person)
    return found


def risks(records, places, people=None):
    """The prosecutor's risk of every record, or of every person by their worst record."""
    people = range(len(records)) if people is None else people
    sizes = people_of_groups(records, places, people)
    worst = dict.fromkeys(people, Fraction(0))
    for record, person in zip(records, people, strict=True):
        risk = Fraction(1, len(sizes[tuple(record[p] for p in places)]))
        worst[person] = max(worst[person], risk)
    return list(worst.values())


def average(records, places, people=None):
    found = risks(records, places, people)
    return sum(found) / len(found)


def n_unique(records, places, people=None):
    return sum(risk == 1 for risk in risks(records, places, people))


def n_above(found, threshold):
    return sum(float(risk) > threshold for risk in found)  # a third is not above 1 / 3


def population_risks(records, population, people=None):
    """The journalist's: whoever is in the data is in the population too."""
    people = range(len(records)) if people is None else people
    worst = dict.fromkeys(people, Fraction(0))
    for record, person in zip(records, people, strict=True):
        alike = {p for r, p in zip(records, people, strict=True) if r == record}
        risk = Fraction(1, max(population.count(record), len(alike)))
        worst[person] = max(worst[person], risk)
    return list(worst.values())


def n_fewer_in_population(records, population, people):
    """People with a record that fewer of the population have than of the data."""
    sizes = people_of_groups(records, range(len(records[0])), people)
    pairs = zip(records, people, strict=True)
    return len({person for r, person in pairs if population.count(r) < len(sizes[r])})


def contribution(records, n_columns, column, size, people=None):
    """The mean, over all combinations that contain a column, of its Shapley value there."""
    values = [
        shapley(records, places, column, people)
        for places in combinations(range(n_columns), size)
        if column in places
    ]
    return sum(values) / len(values)


def shapley(records, places, column, people=None):
    gains = []
    for order in permutations(places):
        before = order[: order.index(column)]
        known = average(records, (*before, column), people)
        gains.append(known - average(records, before, people))
    return sum(gains) / len(gains)
