"""Groups of equal rows (equivalence classes), by partition refinement: one column after another.

A partition lists the rows of its groups one after the other: `rows` int32[m], and group g is
rows[starts[g] : starts[g + 1]]. A group with one row cannot be divided any more; it is taken out
and only tallied, so that partitions become shorter the more columns are known. A tally is
int64[3]: groups, groups with one record, records in groups of fewer than `safe` records.
"""

import numpy as np

from shoal.kernels._compile import kernel

N_FIGURES = 3  # of a tally


@kernel
def add_to(tally, n_records, safe):
    """Add a group to a tally."""
    tally[0] += 1
    if n_records == 1:
        tally[1] += 1
    if n_records < safe:
        tally[2] += n_records


@kernel
def refine(rows, starts, codes, n_codes, weights, safe):
    """Divide every group by the codes of a column.

    IN  rows int32[m], starts int64[g+1], codes int32[n], weights int64[n].
    OUT rows and starts of the groups that still have several rows, and the tally of the others.
    Groups are in the order of the old ones, and inside one by first appearance.
    """
    tally = np.zeros(N_FIGURES, dtype=np.int64)
    times = np.zeros(n_codes, dtype=np.int32)  # rows with the code in this group
    place = np.zeros(n_codes, dtype=np.int64)  # where the next of them goes
    seen = np.empty(n_codes, dtype=np.int32)
    new_rows = np.empty(len(rows), dtype=np.int32)
    new_starts = np.empty(len(rows) // 2 + 1, dtype=np.int64)
    new_starts[0] = 0
    n_groups = 0
    end = 0
    for group in range(len(starts) - 1):
        n_seen = 0
        for i in range(starts[group], starts[group + 1]):
            code = codes[rows[i]]
            if times[code] == 0:
                seen[n_seen] = code
                n_seen += 1
            times[code] += 1
        for j in range(n_seen):
            code = seen[j]
            place[code] = end
            if times[code] > 1:
                end += times[code]
                n_groups += 1
                new_starts[n_groups] = end
        for i in range(starts[group], starts[group + 1]):
            row = rows[i]
            code = codes[row]
            if times[code] == 1:
                add_to(tally, weights[row], safe)
            else:
                new_rows[place[code]] = row
                place[code] += 1
        for j in range(n_seen):
            times[seen[j]] = 0
    return new_rows[:end].copy(), new_starts[: n_groups + 1].copy(), tally


@kernel
def tally_refined(rows, starts, codes, n_codes, weights, safe):
    """The tally of all groups that a column divides a partition into: -> int64[3].

    The same as `refine`, for those who need the figures only.
    """
    tally = np.zeros(N_FIGURES, dtype=np.int64)
    records = np.zeros(n_codes, dtype=np.int64)  # of the code in this group; none: not seen
    seen = np.empty(n_codes, dtype=np.int32)
    for group in range(len(starts) - 1):
        n_seen = 0
        for i in range(starts[group], starts[group + 1]):
            row = rows[i]
            code = codes[row]
            if records[code] == 0:
                seen[n_seen] = code
                n_seen += 1
            records[code] += weights[row]
        for j in range(n_seen):
            add_to(tally, records[seen[j]], safe)
            records[seen[j]] = 0
    return tally
