"""A binary heap of numbered items, the smallest key on top: a priority queue.

A key is a float and two whole numbers, compared in this order.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel


class Heap(NamedTuple):
    """Entry i has its children at 2i + 1 and 2i + 2."""

    first: np.ndarray  # float64[room]
    second: np.ndarray  # int64[room]
    third: np.ndarray  # int64[room]
    items: np.ndarray  # int64[room]
    size: np.ndarray  # int64[1]


@kernel
def empty_heap(room):
    """A heap that can hold so many items."""
    return Heap(
        np.empty(room, dtype=np.float64),
        np.empty(room, dtype=np.int64),
        np.empty(room, dtype=np.int64),
        np.empty(room, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@kernel
def push(heap, first, second, third, item):
    """Add an item: from the bottom up, larger keys make room."""
    at = heap.size[0]
    heap.size[0] += 1
    while at > 0:
        above = (at - 1) // 2
        if not comes_before(heap, above, first, second, third):
            heap.first[at], heap.second[at] = heap.first[above], heap.second[above]
            heap.third[at], heap.items[at] = heap.third[above], heap.items[above]
            at = above
        else:
            break
    heap.first[at], heap.second[at], heap.third[at], heap.items[at] = first, second, third, item


@kernel
def drop_top(heap):
    """Remove the smallest: the last entry sinks from the top to where it belongs."""
    heap.size[0] -= 1
    n = heap.size[0]
    first, second, third, item = heap.first[n], heap.second[n], heap.third[n], heap.items[n]
    at = 0
    while 2 * at + 1 < n:
        below = 2 * at + 1
        if below + 1 < n and comes_before(
            heap, below + 1, heap.first[below], heap.second[below], heap.third[below]
        ):
            below += 1
        if not comes_before(heap, below, first, second, third):
            break
        heap.first[at], heap.second[at] = heap.first[below], heap.second[below]
        heap.third[at], heap.items[at] = heap.third[below], heap.items[below]
        at = below
    if n > 0:
        heap.first[at], heap.second[at], heap.third[at], heap.items[at] = first, second, third, item


@kernel
def comes_before(heap, at, first, second, third):
    """Whether the key of an entry is at most this one."""
    if heap.first[at] != first:
        return heap.first[at] < first
    if heap.second[at] != second:
        return heap.second[at] < second
    return heap.third[at] <= third
