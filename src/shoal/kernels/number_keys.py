"""Numbering equal keys with a hash table."""

import numpy as np

from shoal.kernels._compile import kernel

EMPTY = np.int32(-1)
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: neighbouring keys land far apart


@kernel
def number_keys(keys):
    """Number different keys by first appearance: int64[n] -> int32[n], int64[different].

    The second array is where each key appeared first. Open addressing, grown when half full.
    """
    bits = 12
    slots = np.full(1 << bits, EMPTY, dtype=np.int32)
    first = np.empty(1 << (bits - 1), dtype=np.int64)
    numbers = np.empty(len(keys), dtype=np.int32)
    spread = keys.astype(np.uint64) * SPREAD
    n_different = 0
    for i in range(len(keys)):
        key = keys[i]
        slot = np.int64(spread[i] >> np.uint64(64 - bits))
        while slots[slot] != EMPTY and keys[first[slots[slot]]] != key:
            slot = (slot + 1) & ((1 << bits) - 1)
        if slots[slot] == EMPTY:
            if n_different == len(first):
                bits += 2
                slots, first = grown(spread, first, bits)
                slot = np.int64(spread[i] >> np.uint64(64 - bits))
                while slots[slot] != EMPTY:
                    slot = (slot + 1) & ((1 << bits) - 1)
            slots[slot] = n_different
            first[n_different] = i
            n_different += 1
        numbers[i] = slots[slot]
    return numbers, first[:n_different].copy()


@kernel
def grown(spread, first, bits):
    """The same numbers in a larger table."""
    slots = np.full(1 << bits, EMPTY, dtype=np.int32)
    larger = np.empty(1 << (bits - 1), dtype=np.int64)
    larger[: len(first)] = first
    for number in range(len(first)):
        slot = np.int64(spread[first[number]] >> np.uint64(64 - bits))
        while slots[slot] != EMPTY:
            slot = (slot + 1) & ((1 << bits) - 1)
        slots[slot] = number
    return slots, larger
