"""Halving records so that both halves have the mean severity of the whole: stratified halving.

If severe cases are unevenly spread over the columns, no plain cut leaves both sides balanced.
Then the records of each *stratum*, those of about the same severity, are halved on their own.
"""

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.severity_balance import ONE, phi
from shoal.kernels.tree import cell_cost

FEWEST_STRATA, MOST_STRATA, RECORDS_OF_STRATUM = 4, 64, 32


@kernel
def halve_parts(space, ruler, parts, size, t, chosen, found, pulse):
    """Halve the chosen parts, and the halves, while both have `size` records and phi at most t.

    IN  parts: see severity_balance.py.  OUT found: the parts as its clusters.
    """
    for part in chosen:
        begin, end = parts.starts[part], parts.starts[part + 1]
        place, after = parts.places[part], parts.places[part + 1]
        rows, counts = found.rows[place:after], found.counts[place:after]
        # Segments that wait lie one behind another, the next one last; none has a row twice.
        waiting = np.empty(after - place, dtype=np.int32)
        waiting_counts = np.empty(after - place, dtype=np.int64)
        waiting[: end - begin] = parts.rows[begin:end]
        waiting_counts[: end - begin] = parts.counts[begin:end]
        begins = np.zeros(2 + (after - place) // size, dtype=np.int64)
        n_waiting, n_entries, n_done, top = 1, 0, 0, end - begin
        while n_waiting > 0:
            if pulse.stop[0]:
                return
            first = begins[n_waiting - 1]
            n_waiting -= 1
            segment = waiting[first:top].copy()
            segment_counts = waiting_counts[first:top].copy()
            goes_left = best_halves(space, ruler, segment, segment_counts, size, t)
            top = first
            if len(goes_left) == 0:
                for i in range(len(segment)):
                    rows[n_entries], counts[n_entries] = segment[i], segment_counts[i]
                    found.clusters[place + n_entries] = n_done
                    n_entries += 1
                n_done += 1
                pulse.done[0] += np.sum(segment_counts)
                continue
            for is_left in (False, True):
                begins[n_waiting] = top
                n_waiting += 1
                for i in range(len(segment)):
                    count = goes_left[i] if is_left else segment_counts[i] - goes_left[i]
                    if count > 0:
                        waiting[top], waiting_counts[top] = segment[i], count
                        top += 1
        found.n_entries[part] = n_entries
        found.n_clusters[part] = n_done


@kernel
def best_halves(space, ruler, rows, counts, size, t):
    """How many records of each row go left, in the halves that cost least; none: no halves.

    By the column whose halves have the smallest boxes; of equal ones the first.
    """
    best = np.empty(0, dtype=np.int64)
    n_records = np.sum(counts)
    if n_records < 2 * size:
        return best
    strata = find_strata(space, rows, counts, n_records)
    best_cost = np.inf
    for column in range(space.codes.shape[1]):
        goes_left = halves_by(space, rows, counts, strata, column)
        cost = cost_of_halves(space, ruler, rows, counts, goes_left, size, t)
        if cost < best_cost:
            best, best_cost = goes_left, cost
    return best


@kernel
def find_strata(space, rows, counts, n_records):
    """Strata of about equal size, by how many records are less grave; equal ones stay together."""
    n_strata = min(MOST_STRATA, max(FEWEST_STRATA, n_records // RECORDS_OF_STRATUM))
    n_bins = 2  # of each severity; so many that there are no more strata than that
    while (n_bins + 1) ** space.severities.shape[1] <= n_strata and n_bins < n_strata:
        n_bins += 1
    strata = np.zeros(len(rows), dtype=np.int64)
    severities = np.empty(len(rows), dtype=np.int64)
    for column in range(space.severities.shape[1]):
        for i in range(len(rows)):
            severities[i] = space.severities[rows[i], column]
        n_less, n_equal = 0, 0
        previous = np.int64(-1)
        for i in np.argsort(severities):
            if severities[i] != previous:
                n_less += n_equal
                n_equal = 0
                previous = severities[i]
            n_equal += counts[i]
            strata[i] = strata[i] * n_bins + n_bins * n_less // n_records
    return strata


@kernel
def halves_by(space, rows, counts, strata, column):
    """Of each stratum the half with the lower codes, and then rows, goes left."""
    most = 0
    for row in rows:
        most = max(most, space.codes[row, column])
    keys = np.empty(len(rows), dtype=np.int64)
    for i in range(len(rows)):
        keys[i] = (strata[i] * (most + 1) + space.codes[rows[i], column]) * len(space.codes)
        keys[i] += rows[i]
    order = np.argsort(keys)
    goes_left = np.zeros(len(rows), dtype=np.int64)
    owed = 0  # a stratum of an odd number gives one more to the left, the next such to the right
    begin = 0
    while begin < len(order):
        end, n_records = begin, 0
        while end < len(order) and strata[order[end]] == strata[order[begin]]:
            n_records += counts[order[end]]
            end += 1
        n_left = (n_records + 1 - owed) // 2
        if n_records % 2 == 1:
            owed = 1 - owed
        for i in order[begin:end]:
            goes_left[i] = min(counts[i], n_left)
            n_left -= goes_left[i]
        begin = end
    return goes_left


@kernel
def cost_of_halves(space, ruler, rows, counts, goes_left, size, t):
    """What the boxes of two halves cost together; infinity where they are not wanted."""
    n_columns, n_severities = space.codes.shape[1], space.severities.shape[1]
    cost = 0.0
    low = np.empty(n_columns, dtype=np.int32)
    high = np.empty(n_columns, dtype=np.int32)
    totals = np.empty(n_severities, dtype=np.int64)
    for is_left in (True, False):
        low[:] = 2**31 - 1
        high[:] = -1
        totals[:] = 0
        n_records = 0
        for i in range(len(rows)):
            count = goes_left[i] if is_left else counts[i] - goes_left[i]
            if count == 0:
                continue
            n_records += count
            for column in range(n_columns):
                low[column] = min(low[column], space.codes[rows[i], column])
                high[column] = max(high[column], space.codes[rows[i], column])
            for column in range(n_severities):
                totals[column] += count * space.severities[rows[i], column]
        if n_records < size:
            return np.inf
        for column in range(n_severities):
            if phi(totals[column] / (n_records * float(ONE))) > t:
                return np.inf
        for column in range(n_columns):
            cost += n_records * cell_cost(ruler, column, low[column], high[column])
    return cost
