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
def refine(rows, starts, codes, n_codes):
    """Divide every group by the codes of a column.

    IN  rows int32[m], starts int64[g+1], codes int32[n].
    OUT rows and starts of the groups that still have several rows, and the rows of the others.
    Groups are in the order of the old ones, and inside one by first appearance.
    """
    times = np.zeros(n_codes, dtype=np.int32)  # rows with the code in this group
    place = np.zeros(n_codes, dtype=np.int64)  # where the next of them goes
    seen = np.empty(n_codes, dtype=np.int32)
    new_rows = np.empty(len(rows), dtype=np.int32)  # those that are alone fill it from the end
    new_starts = np.empty(len(rows) // 2 + 1, dtype=np.int64)
    new_starts[0] = 0
    n_groups = 0
    end = 0
    n_alone = 0
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
                n_alone += 1
                new_rows[len(rows) - n_alone] = row
            else:
                new_rows[place[code]] = row
                place[code] += 1
        for j in range(n_seen):
            times[seen[j]] = 0
    return new_rows[:end].copy(), new_starts[: n_groups + 1].copy(), new_rows[end:].copy()


@kernel
def add_to(tally, n_records, safe):
    """Add a group to a tally."""
    tally[0] += 1
    if n_records == 1:
        tally[1] += 1
    if n_records < safe:
        tally[2] += n_records


@kernel
def tally_alone(rows, weights, safe):
    """The tally of rows each of which is a group: -> int64[3]."""
    tally = np.zeros(N_FIGURES, dtype=np.int64)
    for row in rows:
        add_to(tally, weights[row], safe)
    return tally


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


@kernel
def smallest_of_people(rows, starts, weights, owners, n_at, smallest):
    """The people of every group, and of everybody the smallest group, if smaller than known.

    IN  rows int32[m], starts int64[g+1], weights int64[n], owners int32[n]: whose row it is, below
        0 where it is that of people without another; n_at int64[people+1]: how many of these
        people are in a group of so many; smallest int32[owners].
    OUT n_at and smallest with these groups.
    """
    n_at, smallest = n_at.copy(), smallest.copy()
    last = np.full(len(smallest), -1, dtype=np.int64)  # the group in which an owner was counted
    for group in range(len(starts) - 1):
        n_settled = 0  # people without another row
        n_owners = 0
        for i in range(starts[group], starts[group + 1]):
            row = rows[i]
            owner = owners[row]
            if owner < 0:
                n_settled += weights[row]
            elif last[owner] != group:
                last[owner] = group
                n_owners += 1
        n_people = n_settled + n_owners
        n_at[n_people] += n_settled
        if n_owners == 0:
            continue
        for i in range(starts[group], starts[group + 1]):
            owner = owners[rows[i]]
            if owner >= 0 and n_people < smallest[owner]:
                smallest[owner] = n_people
    return n_at, smallest
