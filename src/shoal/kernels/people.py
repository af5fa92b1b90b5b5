"""Counting different people in groups: who has several entries in one counts once."""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.value_counts import counting_order


@kernel
def count_people(labels, persons, counts, n_groups, n_persons):
    """Different people of each group: int32[p], int32[p], int64[p] -> int64[groups].

    A part without a person (-1) has as many people as it counts, who are nowhere else.
    """
    sizes = np.zeros(n_groups, dtype=np.int64)
    last = np.full(n_groups, -1, dtype=np.int32)
    for part in counting_order(persons + 1, n_persons + 1):
        group, person = labels[part], persons[part]
        if group < 0:
            continue
        if person < 0:
            sizes[group] += counts[part]
        elif last[group] != person:
            last[group] = person
            sizes[group] += 1
    return sizes


@kernel
def count_values_of_people(labels, values, counts, persons, n_groups, n_values, n_persons):
    """How many different people of each group have each value -> starts, values, counts.

    A part of a person is one, however many entries it counts: those that a node of a lattice makes
    equal. Three stable counting sorts, by person, value and group, and one pass over the result.
    """
    by_person = counting_order(persons + 1, n_persons + 1)
    by_value = by_person[counting_order(values[by_person], n_values)]
    order = by_value[counting_order(labels[by_value] + 1, n_groups + 1)]
    n_skipped = np.sum(labels < 0)
    starts = np.zeros(n_groups + 1, dtype=np.int64)
    found = np.empty(len(order) - n_skipped, dtype=np.int32)
    times = np.empty(len(order) - n_skipped, dtype=np.int64)
    n_found = 0
    last_group, last_person = -1, -1
    for i in range(n_skipped, len(order)):
        part = order[i]
        group, person = labels[part], persons[part]
        n_people = counts[part] if person < 0 else 1
        if group != last_group or found[n_found - 1] != values[part]:
            found[n_found] = values[part]
            times[n_found] = n_people
            n_found += 1
            starts[group + 1] += 1
        elif person < 0 or person != last_person:
            times[n_found - 1] += n_people
        last_group, last_person = group, person
    return np.cumsum(starts), found[:n_found].copy(), times[:n_found].copy()
