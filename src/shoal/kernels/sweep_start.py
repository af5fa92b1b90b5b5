"""Where the local search begins: the nodes of a lattice, the cheapest first.

At each node, the rows that are in no group yet and have the same cells there become a group, if
they are enough records.
"""

import numpy as np

from shoal.kernels._compile import kernel

FREE = -1


@kernel
def sweep_lattice(codes, counts, keys, begins, n_codes, nodes, least, pulse):
    """Put rows into groups: -> labels int32[n], FREE where a row is left over.

    IN  keys uint64: for each column, level and code a random number, the same for codes with the
        same cell; `begins` of each column. nodes int64[m,q]: the levels of each, in order.
    Cells are compared by sums of these numbers. Where two sums are equal by accident, a group is
    wider than it need be, and still a group.
    """
    n_rows, n_columns = codes.shape
    labels = np.full(n_rows, FREE, dtype=np.int32)
    waiting = np.arange(n_rows)
    n_waiting, n_groups = n_rows, 0
    size = 1
    while size < 2 * n_rows:
        size *= 2
    at = np.zeros(size, dtype=np.int64)  # a hash table of sums
    sums = np.zeros(size, dtype=np.uint64)
    records = np.zeros(size, dtype=np.int64)
    groups = np.zeros(size, dtype=np.int32)
    place = np.zeros(n_rows, dtype=np.int64)
    offsets = np.zeros(n_columns, dtype=np.int64)
    for node in range(len(nodes)):
        if pulse.stop[0]:
            break
        pulse.done[0] = max(n_rows - n_waiting, node * n_rows // len(nodes))
        for column in range(n_columns):
            offsets[column] = begins[column] + nodes[node, column] * n_codes[column]
        mask, most = smaller_table(n_waiting, size), 0
        for i in range(n_waiting):
            row, total = waiting[i], np.uint64(0)
            for column in range(n_columns):
                total += keys[offsets[column] + codes[row, column]]
            slot = np.int64(total >> np.uint64(20)) & mask
            while at[slot] == node + 1 and sums[slot] != total:
                slot = (slot + 1) & mask
            if at[slot] != node + 1:
                at[slot], sums[slot], records[slot], groups[slot] = node + 1, total, 0, FREE
            records[slot] += counts[row]
            most = max(most, records[slot])
            place[i] = slot
        if most < least:
            continue
        n_left = 0
        for i in range(n_waiting):
            slot, row = place[i], waiting[i]
            if records[slot] < least:
                waiting[n_left] = row
                n_left += 1
                continue
            if groups[slot] == FREE:
                groups[slot] = n_groups
                n_groups += 1
            labels[row] = groups[slot]
        n_waiting = n_left
        if n_waiting == 0:
            break
    return labels


@kernel
def smaller_table(n, size):
    """A mask for the smallest hash table, within one of `size`, that has room for n."""
    while size > 64 and size >= 4 * n:
        size //= 2
    return size - 1
