"""Cutting a spanning tree into subtrees: the edges that are longer than usual, or else the longest.

A vertex is a row of equal records. The tree has edges of no length between them too: they count
where usual is computed, and are never cut, because they would leave a single record.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.heap import drop_top, empty_heap, push
from shoal.kernels.mstk_levels import HALF, find

NO_EDGE = -1
CLOSE = 1e-12  # relative: what is longer by less is rounding


class Pool(NamedTuple):
    """Subtrees that wait, one behind the other: the last one is taken first."""

    vertices: np.ndarray  # int64[n]
    edges: np.ndarray  # int64[n]
    begins: np.ndarray  # int64[n + 1, 2], where the vertices and the edges of each begin
    size: np.ndarray  # int64[1], how many subtrees wait


class Rooted(NamedTuple):
    """A subtree with its vertices in an order in which what is below one follows it directly."""

    vertices: np.ndarray  # int64[m]
    above: np.ndarray  # int64[m], the edge to the vertex above
    parents: np.ndarray  # int64[m], the position of that vertex
    ends: np.ndarray  # int64[m], the position after all that is below
    sums: np.ndarray  # int64[m + 1], a Fenwick tree of the records at each position
    is_gone: np.ndarray  # bool[m], cut off, with all that is below


class Spread(NamedTuple):
    """Edges of a subtree: how many, and how much shorter than `longest` they are."""

    n: np.ndarray  # int64[1], edges of no length included
    total: np.ndarray  # float64[1]
    squares: np.ndarray  # float64[1]
    longest: float


@kernel
def cut_tree(edges, counts, k, pulse):
    """Cut until no subtree can be cut: Edges, int64[n], k -> the subtree of each vertex, int64[n].

    Subtrees with fewer than k records come from long edges; all others have at least k. Those that
    have 2k or more could not be cut. Numbers are in no order.
    """
    n_vertices = len(counts)
    pool = Pool(
        np.arange(n_vertices),
        np.arange(n_vertices),
        np.zeros((n_vertices + 2, 2), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    add_piece(pool, n_vertices, n_vertices - 1)
    subtree = np.full(n_vertices, -1)
    local = np.empty(n_vertices, dtype=np.int64)  # the place of a vertex in the subtree at hand
    n_subtrees = 0
    while pool.size[0] > 0 and not pulse.stop[0]:
        vertices, inside = take_piece(pool)
        n_records = np.sum(counts[vertices])
        if n_records >= 2 * k and len(inside) > 0:
            for i in range(len(vertices)):
                local[vertices[i]] = i
            spread = spread_of(edges, inside, n_records)
            limit = limit_of(spread)
            if spread.longest > limit:
                split(pool, edges, vertices, inside, local, limit)
                continue
            vertices = pare(pool, edges, counts, vertices, inside, local, spread, k, pulse)
        for vertex in vertices:
            subtree[vertex] = n_subtrees
        n_subtrees += len(vertices) > 0
        pulse.done[0] += len(vertices)
    return subtree


@kernel
def spread_of(edges, inside, n_records):
    longest = np.max(edges.weights[inside])
    spread = Spread(np.zeros(1, np.int64), np.zeros(1), np.zeros(1), longest)
    count_edges(spread, edges, inside, n_records - 1, 1)
    return spread


@kernel
def count_edges(spread, edges, inside, n, sign):
    """Add some edges, or take them away: `inside`, and edges of no length to make them n."""
    for edge in inside:
        shorter = spread.longest - edges.weights[edge]
        spread.total[0] += sign * shorter
        spread.squares[0] += sign * shorter * shorter
    n_of_no_length = sign * (n - len(inside))
    spread.n[0] += sign * n
    spread.total[0] += n_of_no_length * spread.longest
    spread.squares[0] += n_of_no_length * spread.longest * spread.longest


@kernel
def limit_of(spread):
    """Mean and sample deviation together: longer edges are inconsistent."""
    n = spread.n[0]
    mean = spread.total[0] / n
    deviation = 0.0
    if n > 1:
        deviation = np.sqrt(max(0.0, spread.squares[0] - spread.total[0] * mean) / (n - 1))
    return (spread.longest - mean + deviation) * (1 + CLOSE)


@kernel
def split(pool, edges, vertices, inside, local, limit):
    """Cut all edges longer than `limit`; every piece waits to be looked at."""
    above = np.arange(len(vertices))
    for edge in inside:
        if edges.weights[edge] <= limit:
            first = find(above, local[edges.first[edge]])
            second = find(above, local[edges.second[edge]])
            above[max(first, second)] = min(first, second)
    n_vertices = np.zeros(len(vertices) + 1, dtype=np.int64)
    for i in range(len(vertices)):
        above[i] = above[above[i]]
        n_vertices[above[i] + 1] += 1
    starts = np.cumsum(n_vertices)
    base = pool.begins[pool.size[0]]
    to_vertex, to_edge = base[0] + starts, base[1] + starts
    n_before = 0
    for i in range(len(vertices)):
        if above[i] == i:  # a piece has one edge less than vertices: those before it as many less
            to_edge[i] -= n_before
            n_before += 1
    for i in range(len(vertices)):
        pool.vertices[to_vertex[above[i]]] = vertices[i]
        to_vertex[above[i]] += 1
    for edge in inside:
        if edges.weights[edge] <= limit:
            piece = above[local[edges.first[edge]]]
            pool.edges[to_edge[piece]] = edge
            to_edge[piece] += 1
    for i in range(len(vertices)):
        if above[i] == i:
            add_piece(pool, n_vertices[i + 1], n_vertices[i + 1] - 1)


@kernel
def add_piece(pool, n_vertices, n_edges):
    """Let a piece wait that was written behind the others."""
    at = pool.size[0]
    pool.begins[at + 1, 0] = pool.begins[at, 0] + n_vertices
    pool.begins[at + 1, 1] = pool.begins[at, 1] + n_edges
    pool.size[0] += 1


@kernel
def take_piece(pool):
    pool.size[0] -= 1
    at = pool.size[0]
    vertices = pool.vertices[pool.begins[at, 0] : pool.begins[at + 1, 0]].copy()
    return vertices, pool.edges[pool.begins[at, 1] : pool.begins[at + 1, 1]].copy()


@kernel
def pare(pool, edges, counts, vertices, inside, local, spread, k, pulse):
    """Cut the longest edge that leaves k records on both sides, again and again.

    Of equal edges the one that halves best, then the first. The smaller side of a cut waits; the
    larger one is cut on, without looking at all of it again, as long as its own edges do not make
    the longest one inconsistent. Returns the vertices of what cannot be cut, or none where the rest
    waits too. Neither side of an edge ever grows, so a stale entry of the heap comes up too early;
    it is then put back with its new key (lazy update of a priority queue).
    """
    rooted = root_tree(edges, counts, vertices, inside, local)
    n_left = n_at_first = records_from(rooted, 0, len(vertices))
    heap = empty_heap(len(vertices))
    n_from = np.zeros(len(vertices), dtype=np.int64)
    for position in range(len(vertices) - 1, 0, -1):
        n_from[position] += counts[rooted.vertices[position]]
        n_from[rooted.parents[position]] += n_from[position]
        enter(heap, rooted, edges, position, n_from[position], n_left, k)
    root = 0
    while heap.size[0] > 0 and not pulse.stop[0]:
        position, balance = heap.items[0], -heap.second[0]
        drop_top(heap)
        if not is_inside(rooted, root, position):
            continue
        n_below = records_from(rooted, position, rooted.ends[position])
        if min(n_below, n_left - n_below) != balance:
            enter(heap, rooted, edges, position, n_below, n_left, k)
            continue
        if n_below <= n_left - n_below:
            n_gone = n_below
            piece = alive(rooted, position, rooted.ends[position], NO_EDGE)
            rooted.is_gone[piece] = True
            add_records(rooted.sums, position, -n_below)
        else:
            n_gone = n_left - n_below
            piece = alive(rooted, root, rooted.ends[root], position)
            root = position
        n_left -= n_gone
        cut_off = let_wait(pool, rooted, piece)
        count_edges(spread, edges, cut_off, n_gone - 1, -1)
        count_edges(spread, edges, rooted.above[position : position + 1], 1, -1)
        if n_left < 2 * k:
            break
        if 2 * n_left < n_at_first or spread.longest > limit_of(spread):
            let_wait(pool, rooted, alive(rooted, root, rooted.ends[root], NO_EDGE))
            return vertices[:0].copy()
    return rooted.vertices[alive(rooted, root, rooted.ends[root], NO_EDGE)]


@kernel
def enter(heap, rooted, edges, position, n_below, n_left, k):
    """Put the edge above a position into the heap, if both sides have k records."""
    balance = min(n_below, n_left - n_below)
    if balance >= k:
        edge = rooted.above[position]
        name = (edges.first[edge] << HALF) | edges.second[edge]
        push(heap, -edges.weights[edge], -balance, name, position)


@kernel
def is_inside(rooted, root, position):
    """Whether the edge above a position is still there."""
    return root < position < rooted.ends[root] and not rooted.is_gone[position]


@kernel
def alive(rooted, begin, end, without):
    """The positions from begin to end that are left, except those below `without`."""
    found = np.empty(end - begin, dtype=np.int64)
    n_found = 0
    position = begin
    while position < end:
        if rooted.is_gone[position] or position == without:
            position = rooted.ends[position]
            continue
        found[n_found] = position
        n_found += 1
        position += 1
    return found[:n_found].copy()


@kernel
def let_wait(pool, rooted, positions):
    """Put a piece, its topmost position first, behind those that wait; return its edges."""
    at = pool.size[0]
    for i in range(len(positions)):
        pool.vertices[pool.begins[at, 0] + i] = rooted.vertices[positions[i]]
        if i > 0:
            pool.edges[pool.begins[at, 1] + i - 1] = rooted.above[positions[i]]
    add_piece(pool, len(positions), len(positions) - 1)
    return rooted.above[positions[1:]]


@kernel
def root_tree(edges, counts, vertices, inside, local):
    """Hang up a subtree at its first vertex."""
    n = len(vertices)
    starts = np.zeros(n + 2, dtype=np.int64)
    for edge in inside:
        starts[local[edges.first[edge]] + 2] += 1
        starts[local[edges.second[edge]] + 2] += 1
    starts = np.cumsum(starts)
    around = np.empty(2 * len(inside), dtype=np.int64)
    for edge in inside:
        for vertex in (local[edges.first[edge]], local[edges.second[edge]]):
            around[starts[vertex + 1]] = edge
            starts[vertex + 1] += 1
    rooted = Rooted(
        np.empty(n, dtype=np.int64),
        np.full(n, NO_EDGE),
        np.full(n, -1),
        np.empty(n, dtype=np.int64),
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n, dtype=np.bool_),
    )
    waiting = np.zeros(n, dtype=np.int64)
    edge_of = np.full(n, NO_EDGE)
    n_waiting, position = 1, 0
    while n_waiting > 0:
        n_waiting -= 1
        vertex = waiting[n_waiting]
        rooted.vertices[position], rooted.above[position] = vertices[vertex], edge_of[vertex]
        for i in range(starts[vertex], starts[vertex + 1]):
            edge = around[i]
            if edge == edge_of[vertex]:
                continue
            other = local[edges.first[edge]] + local[edges.second[edge]] - vertex
            edge_of[other] = edge
            waiting[n_waiting] = other
            n_waiting += 1
        position += 1
    for position in range(n):
        local[rooted.vertices[position]] = position
        rooted.ends[position] = 1
    for position in range(n - 1, 0, -1):
        edge, vertex = rooted.above[position], rooted.vertices[position]
        parent = local[edges.first[edge] + edges.second[edge] - vertex]
        rooted.parents[position] = parent
        rooted.ends[parent] += rooted.ends[position]
    for position in range(n):
        rooted.ends[position] += position
        at = position + 1
        rooted.sums[at] += counts[rooted.vertices[position]]
        if at + (at & -at) <= n:
            rooted.sums[at + (at & -at)] += rooted.sums[at]
    return rooted


@kernel
def add_records(sums, position, n_records):
    """Add to one place of a Fenwick tree."""
    at = position + 1
    while at < len(sums):
        sums[at] += n_records
        at += at & -at


@kernel
def records_from(rooted, begin, end):
    """The records at the positions from begin to end."""
    return records_before(rooted.sums, end) - records_before(rooted.sums, begin)


@kernel
def records_before(sums, position):
    n_records = 0
    while position > 0:
        n_records += sums[position]
        position -= position & -position
    return n_records
