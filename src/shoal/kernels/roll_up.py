"""Frequency sets of generalised rows: a packed key and a count for each different row.

A row with its count is an equivalence class of the generalised table. A key holds the codes of all
columns in fields of bits, in as many 64-bit words as they need. The code of a node is that of its
first leaf, so a field is equally wide at every level.
"""

import numpy as np

from shoal.kernels._compile import kernel

EMPTY = np.int32(-1)
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: neighbouring keys land far apart


@kernel
def pack_rows(codes, words, shifts, n_words):
    """Keys of rows: int32[n,q], int64[q], uint64[q] -> uint64[n,w]."""
    n_rows, n_columns = codes.shape
    keys = np.zeros((n_rows, n_words), dtype=np.uint64)
    for row in range(n_rows):
        for column in range(n_columns):
            keys[row, words[column]] |= np.uint64(codes[row, column]) << shifts[column]
    return keys


@kernel
def unpack_column(keys, rows, word, shift, mask):
    """The codes of one column in some rows: uint64[n,w], int64[m] -> int32[m]."""
    codes = np.empty(len(rows), dtype=np.int32)
    for i in range(len(rows)):
        codes[i] = np.int32((keys[rows[i], word] >> shift) & mask)
    return codes


@kernel
def roll_up(keys, counts, word, shift, mask, table):
    """Replace the codes of one column by those of `table`, and add up rows that become equal.

    IN  keys uint64[n,w], counts int64[n], table int32: the new code of every old one.
    Returns keys and counts of the different rows, by first appearance. One long function: a call
    for each row would double the time of every full-domain search.
    """
    n_rows, n_words = keys.shape
    bits = 8
    while (1 << bits) < 2 * n_rows:
        bits += 1
    slots = np.full(1 << bits, EMPTY, dtype=np.int32)  # at least half of them stay empty
    drop = np.uint64(64 - bits)
    new_keys = np.empty((n_rows, n_words), dtype=np.uint64)
    new_counts = np.empty(n_rows, dtype=np.int64)
    n_different = 0
    for row in range(n_rows):
        # The key is written at the end of the list, and stays there if it is new.
        mixed = np.uint64(0)
        for i in range(n_words):
            part = keys[row, i]
            if i == word:
                old = (part >> shift) & mask
                part ^= (old ^ np.uint64(table[np.int64(old)])) << shift
            new_keys[n_different, i] = part
            mixed = (mixed ^ part) * SPREAD
        slot = np.int64(mixed >> drop)
        found = slots[slot]
        while found >= 0:
            is_equal = True
            for i in range(n_words):
                if new_keys[found, i] != new_keys[n_different, i]:
                    is_equal = False
                    break
            if is_equal:
                break
            slot = (slot + 1) & (len(slots) - 1)
            found = slots[slot]
        if found < 0:
            found = np.int32(n_different)
            slots[slot] = found
            new_counts[found] = 0
            n_different += 1
        new_counts[found] += counts[row]
    return new_keys[:n_different].copy(), new_counts[:n_different].copy()


@kernel
def total_over_rows(keys, rows, counts, fields, begins, table):
    """For each column, counts × what `table` has for a row's code, added up over some rows.

    IN  rows int64[m], counts int64[m], fields: `words, shifts, masks` of the columns,
        begins int64[q]: where the entries of a column begin in table float64. -> float64[q].
    """
    words, shifts, masks = fields
    totals = np.zeros(len(words), dtype=np.float64)
    for i in range(len(rows)):
        for column in range(len(words)):
            code = (keys[rows[i], words[column]] >> shifts[column]) & masks[column]
            totals[column] += counts[i] * table[begins[column] + np.int64(code)]
    return totals
