"""How often each value occurs in each group."""

import numpy as np

from shoal.kernels._compile import kernel


@kernel
def count_values(labels, values, counts, n_groups, n_values):
    """Counts of the values that occur: int32[p], int32[p], int64[p] -> starts, values, counts.

    Two stable counting sorts, by value and then by group, and one pass that adds equals up.
    """
    by_value = counting_order(values, n_values)
    order = by_value[counting_order(labels[by_value] + 1, n_groups + 1)]
    n_skipped = np.sum(labels < 0)
    starts = np.zeros(n_groups + 1, dtype=np.int64)
    found = np.empty(len(order) - n_skipped, dtype=np.int32)
    times = np.empty(len(order) - n_skipped, dtype=np.int64)
    n_found = 0
    previous_group = -1
    for i in range(n_skipped, len(order)):
        part = order[i]
        group = labels[part]
        if group == previous_group and found[n_found - 1] == values[part]:
            times[n_found - 1] += counts[part]
            continue
        found[n_found] = values[part]
        times[n_found] = counts[part]
        n_found += 1
        starts[group + 1] += 1
        previous_group = group
    return np.cumsum(starts), found[:n_found].copy(), times[:n_found].copy()


@kernel
def counting_order(keys, n_keys):
    """The stable order that sorts small keys: int32[n] -> int64[n]."""
    starts = np.zeros(n_keys + 1, dtype=np.int64)
    for key in keys:
        starts[key + 1] += 1
    starts = np.cumsum(starts)
    order = np.empty(len(keys), dtype=np.int64)
    for i in range(len(keys)):
        order[starts[keys[i]]] = i
        starts[keys[i]] += 1
    return order
