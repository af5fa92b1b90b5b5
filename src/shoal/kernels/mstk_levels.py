"""A minimum spanning tree where distances are levels: Kruskal's algorithm over level vectors.

The distance of two rows is decided by the level, in each column, of their lowest common ancestor.
All rows that have the same nodes at one level vector are at most its weight apart; so level
vectors, visited by weight, are the edges of the complete graph in their order.
"""

import numpy as np

from shoal.kernels._compile import kernel

SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: neighbouring keys land far apart
HALF = 32  # bits of a row in an edge that is packed into one number


@kernel
def meet_at_level(codes, firsts, nodes, begins, words, shifts, n_words, component):
    """Which rows have the same nodes at a level vector, and the edges that may join them.

    IN  codes int32[n,q]; firsts int32[m], ascending: the first row of each set of rows that are in
        one component already, and stay together; nodes int32: of a `CellWidths`; begins int64[q]:
        where in them the level of each column begins; words, shifts int64[q], uint64[q]: where in a
        key of n_words its node is put; component int32[n].
    -> the first rows of the sets that are together now, int32, ascending; edges, int64, packed.

    Of a set the first row is joined with the first row of every other component in it: any other
    edge closes a cycle with these in which it comes last. One long function, as in `roll_up`.
    """
    n_sets, n_columns = len(firsts), codes.shape[1]
    bits = 8
    while (1 << bits) < 2 * n_sets:
        bits += 1
    slots = np.full(1 << bits, -1, dtype=np.int32)
    drop = np.uint64(64 - bits)
    keys = np.empty((n_sets, n_words), dtype=np.uint64)
    found_firsts = np.empty(n_sets, dtype=np.int32)
    edges = np.empty(n_sets, dtype=np.int64)
    n_found, n_edges = 0, 0
    for i in range(n_sets):
        row = firsts[i]
        for word in range(n_words):
            keys[n_found, word] = np.uint64(0)
        for column in range(n_columns):
            node = np.uint64(nodes[begins[column] + codes[row, column]])
            keys[n_found, words[column]] |= node << shifts[column]
        mixed = np.uint64(0)
        for word in range(n_words):
            mixed = (mixed ^ keys[n_found, word]) * SPREAD
            mixed ^= mixed >> np.uint64(32)
        mixed *= SPREAD
        slot = np.int64(mixed >> drop)
        found = slots[slot]
        while found >= 0:
            is_equal = True
            for word in range(n_words):
                if keys[found, word] != keys[n_found, word]:
                    is_equal = False
                    break
            if is_equal:
                break
            slot = (slot + 1) & (len(slots) - 1)
            found = slots[slot]
        if found < 0:
            slots[slot] = np.int32(n_found)
            found_firsts[n_found] = row
            n_found += 1
        elif component[found_firsts[found]] != component[row]:
            edges[n_edges] = (np.int64(found_firsts[found]) << HALF) | np.int64(row)
            n_edges += 1
    return found_firsts[:n_found].copy(), edges[:n_edges].copy()


@kernel
def join_components(edges, component):
    """Take the edges, in order, that join two components: int64[e] ascending -> those taken.

    IN/OUT component int32[n]: the first row of the component that each row is in. Components are
    disjoint sets, joined by union-find.
    """
    taken = np.empty(len(edges), dtype=np.int64)
    n_taken = 0
    for edge in edges:
        first = find(component, edge >> HALF)
        second = find(component, edge & ((1 << HALF) - 1))
        if first == second:
            continue
        component[max(first, second)] = min(first, second)
        taken[n_taken] = edge
        n_taken += 1
    if n_taken > 0:
        for row in range(len(component)):  # what is above a row comes before it: all become direct
            component[row] = component[component[row]]
    return taken[:n_taken].copy()


@kernel
def find(above, row):
    """The representative of a row's component: union-find with path halving."""
    while above[row] != row:
        above[row] = above[above[row]]
        row = above[row]
    return row
